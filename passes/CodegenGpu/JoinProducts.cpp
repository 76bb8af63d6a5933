//===- JoinProducts.cpp - products of one input side by side --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file implements tenon-join-products.
//===----------------------------------------------------------------------===//
#include "passes/Codegen/Backends.h"
#include "passes/CodegenGpu/Passes.h"

#include "dialects/Graph/Graph.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/MapVector.h"

namespace tenon::gpu {
#define GEN_PASS_DEF_JOINPRODUCTSPASS
#include "passes/CodegenGpu/Passes.h.inc"
} // namespace tenon::gpu

using namespace mlir;
using namespace tenon;

namespace {
/// A product with a constant matrix, and the constant that is added to each of
/// its rows, if there is one.
struct Member {
  graph::MatmulOp product;
  graph::AddOp sum;
  Value bias;

  Value result() { return sum ? sum->getResult(0) : product->getResult(0); }
  int64_t columns() { return product.getType().getShape().back(); }
};
using Members = SmallVector<Member>;
} // namespace

/// Far fewer than tenon-fold-constants copies.
static constexpr int64_t mostElements = int64_t(1) << 28;

static RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

/// One that is not stored a second time when others join it.
static bool isOwnConstant(Value value) {
  return value.getDefiningOp<graph::ConstantOp>() && value.hasOneUse();
}

/// The constant row that is added to the product and to nothing else.
static void findBias(Member &member) {
  Value product = member.product.getResult();
  if (!product.hasOneUse())
    return;
  auto sum = dyn_cast<graph::AddOp>(*product.user_begin());
  if (!sum || sum->getResult(0).getType() != product.getType())
    return;
  Value bias = sum->getOperand(sum->getOperand(0) == product);
  RankedTensorType type = typeOf(bias);
  if (!isOwnConstant(bias) || type.getRank() != 1 ||
      type.getDimSize(0) != typeOf(product).getShape().back())
    return;
  member.sum = sum;
  member.bias = bias;
}

/// A part of a result can be read as it lies by what moves it, and by products;
/// what works on its elements would be an epilogue if it were whole.
static bool isReadAnywhere(Value value) {
  return llvm::all_of(value.getUsers(), [](Operation *user) {
    return isa<graph::ReshapeOp, graph::TransposeOp, graph::MatmulOp>(user);
  });
}

static std::optional<Member> memberOf(graph::MatmulOp product) {
  // Parts begin at multiples of 16 bytes, in 16 bits, too.
  constexpr int64_t multiple = 8;
  Member member{product, {}, {}};
  if (product.getTransposeLhs() || !isOwnConstant(product.getRhs()) ||
      typeOf(product.getRhs()).getRank() != 2 ||
      !product.getType().hasStaticShape() ||
      product.getType().getShape().back() % multiple != 0)
    return std::nullopt;
  findBias(member);
  return isReadAnywhere(member.result()) ? std::optional(member) : std::nullopt;
}

//===-- Prices ------------------------------------------------------------===//

/// As tenon-narrow-values will have it.
static Type stored(Type element, tile::Precision precision) {
  if (!element.isF32())
    return element;
  if (precision == tile::Precision::F16)
    return Float16Type::get(element.getContext());
  return precision == tile::Precision::BF16
             ? Type(BFloat16Type::get(element.getContext()))
             : element;
}

namespace {
/// A group that computes a product like a member's, with so many columns, and
/// what is added to it, as they will lie: in a module of its own.
class Trial {
public:
  Trial(Member member, int64_t columns, tile::Precision precision)
      : module(ModuleOp::create(member.product.getLoc())),
        b(OpBuilder::atBlockEnd(module->getBody())), like(member),
        columns(columns),
        given(typeOf(member.product.getRhs()).getElementType()),
        element(stored(given, precision)) {
    RankedTensorType input = typeOf(like.product.getLhs()).clone(element);
    auto function = func::FuncOp::create(b, module->getLoc(), "trial",
                                         b.getFunctionType(input, {}));
    b.setInsertionPointToEnd(function.addEntryBlock());
    SmallVector<Value> operands{function.getArgument(0), zeros(matrix())};
    if (like.sum)
      operands.push_back(zeros(RankedTensorType::get(columns, given)));
    addGroup(operands);
  }

  kernel::GroupOp get() { return group; }

private:
  RankedTensorType matrix() {
    SmallVector<int64_t> shape(typeOf(like.product.getRhs()).getShape());
    shape[like.product.getTransposeRhs() ? 0 : 1] = columns;
    return RankedTensorType::get(shape, element);
  }

  Value zeros(RankedTensorType type) {
    auto value =
        SplatElementsAttr::get(type, b.getZeroAttr(type.getElementType()));
    return graph::ConstantOp::create(b, module->getLoc(), type, value);
  }

  void addGroup(ValueRange operands) {
    Location loc = module->getLoc();
    SmallVector<int64_t> shape(like.product.getType().getShape());
    shape.back() = columns;
    auto type = RankedTensorType::get(shape, element);
    group = kernel::GroupOp::create(b, loc, type, operands);
    Block &body = group.getBody().emplaceBlock();
    for (Value operand : operands)
      body.addArgument(operand.getType(), loc);
    b.setInsertionPointToEnd(&body);
    Value result = graph::MatmulOp::create(b, loc, type, body.getArgument(0),
                                           body.getArgument(1), UnitAttr(),
                                           like.product.getTransposeRhsAttr());
    if (like.sum) {
      RankedTensorType wide = type.clone(given);
      result = cast(result, wide);
      result = graph::AddOp::create(b, loc, wide, result, body.getArgument(2));
      result = cast(result, type);
    }
    kernel::YieldOp::create(b, loc, result);
  }

  Value cast(Value value, RankedTensorType type) {
    if (value.getType() == type)
      return value;
    return graph::CastOp::create(b, value.getLoc(), type, value);
  }

  OwningOpRef<ModuleOp> module;
  OpBuilder b;
  Member like;
  int64_t columns;
  Type given, element; ///< of numbers that are added, and of all others
  kernel::GroupOp group;
};
} // namespace

static Time timeOf(Member &member, int64_t columns,
                   const codegen::Device &device, tile::Precision precision) {
  Trial trial(member, columns, precision);
  std::optional<codegen::KernelPrice> price = device.priceOf(trial.get());
  return price ? price->time : Time::infinite();
}

/// Whether one kernel takes less time than those of all members.
static bool isFaster(Members &members, const codegen::Device &device,
                     tile::Precision precision) {
  Time apart;
  int64_t columns = 0;
  for (Member &member : members) {
    apart += timeOf(member, member.columns(), device, precision);
    columns += member.columns();
  }
  return timeOf(members.front(), columns, device, precision) < apart;
}

//===-- Joining -----------------------------------------------------------===//

/// Constants come first.
static Value joined(OpBuilder &b, Location loc, ArrayRef<Value> constants,
                    int64_t axis) {
  Operation *place = &*b.getInsertionPoint();
  for (Value constant : constants)
    if (place->isBeforeInBlock(constant.getDefiningOp()))
      constant.getDefiningOp()->moveBefore(place);
  return graph::ConcatOp::create(b, loc, constants, axis);
}

static void join(Members &members) {
  graph::MatmulOp first = members.front().product;
  OpBuilder b(first);
  SmallVector<Location> locations;
  SmallVector<Value> matrices, biases;
  for (Member &member : members) {
    locations.push_back(member.product.getLoc());
    matrices.push_back(member.product.getRhs());
    if (member.bias)
      biases.push_back(member.bias);
  }
  Location loc = b.getFusedLoc(locations);
  Value matrix = joined(b, loc, matrices, first.getTransposeRhs() ? 0 : 1);
  Value all = graph::MatmulOp::create(b, loc, first.getLhs(), matrix,
                                      UnitAttr(), first.getTransposeRhsAttr());
  if (!biases.empty())
    all = graph::AddOp::create(b, loc, all, joined(b, loc, biases, 0));
  int64_t rank = typeOf(all).getRank();
  SmallVector<int64_t> starts(rank, 0), steps(rank, 1);
  for (Member &member : members) {
    Value old = member.result();
    ArrayRef<int64_t> sizes = typeOf(old).getShape();
    Value part = graph::SliceOp::create(b, member.product.getLoc(), all, starts,
                                        sizes, steps);
    starts.back() += sizes.back();
    old.replaceAllUsesWith(part);
  }
  for (Member &member : members) {
    if (member.sum)
      member.sum->erase();
    member.product->erase();
  }
}

namespace {
struct JoinProducts : tenon::gpu::impl::JoinProductsPassBase<JoinProducts> {
  using Base::Base;

  void runOnOperation() override {
    std::unique_ptr<codegen::Device> device = codegen::makeDevice(
        getOperation(), {target, threads, winograd, bf16x6, precision});
    if (!device)
      return signalPassFailure();
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal())
        run(function.getBody().front(), *device);
  }

  void run(Block &block, const codegen::Device &device) {
    // The device was made with it, so it is one.
    tile::Precision unit = *tile::parsePrecision(precision);
    // Of all matrices, since constants that are not folded would be joined at
    // each run.
    int64_t left = mostElements;
    /// What members have in common: the input, which way the matrix lies, its
    /// elements, and whether something is added.
    using Common = std::tuple<Value, unsigned, Type, unsigned>;
    llvm::MapVector<Common, Members> sets;
    for (auto product : block.getOps<graph::MatmulOp>())
      if (std::optional<Member> member = memberOf(product))
        sets[{product.getLhs(), product.getTransposeRhs(),
              typeOf(product.getRhs()).getElementType(),
              member->sum != nullptr}]
            .push_back(*member);
    for (auto &[common, members] : sets) {
      int64_t size = 0;
      for (Member &member : members)
        size += typeOf(member.product.getRhs()).getNumElements();
      if (members.size() < 2 || size > left || !isFaster(members, device, unit))
        continue;
      left -= size;
      join(members);
      ++numJoined;
    }
  }
};
} // namespace
