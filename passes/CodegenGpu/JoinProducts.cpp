//===- JoinProducts.cpp - products of one input side by side --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file implements tenon-join-products.
//===----------------------------------------------------------------------===//
#include "passes/CodegenGpu/Passes.h"

#include "dialects/Graph/Graph.h"
#include "dialects/Kernel/Kernel.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
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
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (!function.isExternal())
        run(function.getBody().front());
  }

  void run(Block &block) {
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
      if (members.size() < 2 || size > left)
        continue;
      left -= size;
      join(members);
      ++numJoined;
    }
  }
};
} // namespace
