//===- JoinProducts.cpp - products of one value side by side --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file implements tenon-join-products. A kernel of a device takes as long
// as its longest block, however many there are: columns of several products
// are blocks of one kernel.
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Graph.h"
#include "passes/Simplify/Passes.h"

#include "llvm/ADT/MapVector.h"

namespace tenon {
#define GEN_PASS_DEF_JOINPRODUCTSPASS
#include "passes/Simplify/Passes.h.inc"
} // namespace tenon

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;

static RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

namespace {
/// A product by a constant matrix, and the bias that is added to it, if any.
struct Member {
  MatmulOp product;
  AddOp add;
  ConstantOp matrix, bias;

  Operation *last() {
    return add ? add.getOperation() : product.getOperation();
  }
  Value result() { return last()->getResult(0); }
  int64_t columns() { return typeOf(result()).getShape().back(); }
};
} // namespace

/// Whether a value is looked at through views by products of two variables
/// alone, as those of an attention are: they read columns where they lie.
/// Whatever else follows would have been a part of the product's kernel.
static bool isReadInPlace(Value value) {
  return !value.use_empty() &&
         llvm::all_of(value.getUsers(), [](Operation *user) {
           if (isa<ReshapeOp, TransposeOp>(user))
             return isReadInPlace(user->getResult(0));
           auto product = dyn_cast<MatmulOp>(user);
           return product && !product.getLhs().getDefiningOp<ConstantOp>() &&
                  !product.getRhs().getDefiningOp<ConstantOp>();
         });
}

/// Of the last dimension, one number for each column.
static bool isBias(ConstantOp constant, int64_t columns) {
  auto type = constant ? typeOf(constant) : RankedTensorType();
  return type && type.getRank() > 0 && type.getShape().back() == columns &&
         type.getNumElements() == columns;
}

static void addBias(Member &member) {
  Value product = member.product.getResult();
  auto add =
      product.hasOneUse() ? dyn_cast<AddOp>(*product.user_begin()) : AddOp();
  if (!add || add.getResult().getType() != product.getType())
    return;
  Value other = add.getLhs() == product ? add.getRhs() : add.getLhs();
  auto bias = other.getDefiningOp<ConstantOp>();
  if (!isBias(bias, member.columns()))
    return;
  member.bias = bias;
  member.add = add;
}

static std::optional<Member> memberOf(MatmulOp product) {
  Member member{product, {}, product.getRhs().getDefiningOp<ConstantOp>(), {}};
  if (!member.matrix || !member.matrix->hasOneUse() ||
      product.getTransposeLhs() || typeOf(product.getRhs()).getRank() != 2 ||
      !typeOf(product.getResult()).hasStaticShape())
    return std::nullopt;
  addBias(member);
  return isReadInPlace(member.result()) ? std::optional(member) : std::nullopt;
}

static bool goTogether(Member a, Member b) {
  bool haveBias = bool(a.bias);
  return a.product.getTransposeRhs() == b.product.getTransposeRhs() &&
         typeOf(a.result()).getElementType() ==
             typeOf(b.result()).getElementType() &&
         haveBias == bool(b.bias) &&
         (!haveBias || typeOf(a.bias).getRank() == typeOf(b.bias).getRank());
}

namespace {
/// Joins members that go together.
class Joiner {
public:
  explicit Joiner(ArrayRef<Member> members)
      : members(members), first(members.front()), b(first.product) {
    SmallVector<Location> locations;
    for (Member member : members)
      locations.push_back(member.product.getLoc());
    location = b.getFusedLoc(locations);
  }

  void run() {
    Value matrix =
        join(&Member::matrix, first.product.getTransposeRhs() ? 0 : 1);
    auto product = MatmulOp::create(
        b, location, joinedType(), first.product.getLhs(), matrix,
        first.product.getTransposeLhs(), first.product.getTransposeRhs());
    Value result = product.getResult();
    if (first.bias) {
      Value bias = join(&Member::bias, typeOf(first.bias).getRank() - 1);
      result = AddOp::create(b, location, joinedType(), result, bias);
    }
    int64_t column = 0;
    for (Member member : members) {
      Value part = cut(result, member, column);
      column += member.columns();
      member.result().replaceAllUsesWith(part);
    }
    for (Member member : members) {
      member.last()->erase();
      if (member.add)
        member.product->erase();
    }
  }

private:
  ArrayRef<Member> members;
  Member first;
  OpBuilder b;
  Location location = b.getUnknownLoc();

  RankedTensorType joinedType() {
    RankedTensorType type = typeOf(first.product.getResult());
    SmallVector<int64_t> shape(type.getShape());
    shape.back() = 0;
    for (Member member : members)
      shape.back() += member.columns();
    return RankedTensorType::get(shape, type.getElementType());
  }

  /// The constants one after the other, to be folded.
  Value join(ConstantOp Member::*constant, int64_t axis) {
    SmallVector<Value> parts;
    for (Member member : members) {
      ConstantOp part = member.*constant;
      part->moveBefore(first.product);
      parts.push_back(part.getResult());
    }
    return ConcatOp::create(b, location, parts, axis);
  }

  Value cut(Value joined, Member member, int64_t column) {
    SmallVector<int64_t> sizes(typeOf(member.result()).getShape());
    SmallVector<int64_t> starts(sizes.size(), 0), steps(sizes.size(), 1);
    starts.back() = column;
    return SliceOp::create(b, member.product.getLoc(), joined, starts, sizes,
                           steps);
  }
};
} // namespace

namespace {
struct JoinProducts : tenon::impl::JoinProductsPassBase<JoinProducts> {
  using JoinProductsPassBase::JoinProductsPassBase;

  void runOnOperation() override {
    getOperation().walk([&](Block *block) { join(*block); });
  }

  /// In program order, so that the joined one stands where the first one did.
  void join(Block &block) {
    llvm::MapVector<Value, SmallVector<Member>> readers;
    for (auto product : block.getOps<MatmulOp>())
      if (std::optional<Member> member = memberOf(product))
        readers[product.getLhs()].push_back(*member);
    for (auto &[value, members] : readers) {
      while (!members.empty()) {
        Member first = members.front();
        SmallVector<Member> together, rest;
        for (Member member : members)
          (goTogether(first, member) ? together : rest).push_back(member);
        if (together.size() > 1) {
          Joiner(together).run();
          numJoined += together.size();
        }
        members = std::move(rest);
      }
    }
  }
};
} // namespace
