//===- FormViews.cpp - movements that move nothing ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file dissolves groups that only slice, transpose and reshape, where all
// users can read the operand's storage with other strides.
//===----------------------------------------------------------------------===//
#include "passes/Codegen/Layout/LivePeak.h"
#include "passes/Codegen/Layout/Views.h"
#include "passes/Codegen/Passes.h"
#include "passes/Codegen/Planning.h"

#include "dialects/Graph/Graph.h"
#include "dialects/Graph/TypicalSizes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

namespace tenon::codegen {
#define GEN_PASS_DEF_FORMVIEWSPASS
#include "passes/Codegen/Passes.h.inc"
} // namespace tenon::codegen

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

/// Where a tensor lies if every group's result is dense.
static std::optional<TensorPlace> densePlace(Value value) {
  Operation *op = value.getDefiningOp();
  if (!isView(op))
    return TensorPlace::of(
        memory::BufferType::getDense(cast<RankedTensorType>(value.getType())));
  std::optional<TensorPlace> source = densePlace(op->getOperand(0));
  return source ? placeThrough(op, *source) : std::nullopt;
}

/// A halo needs free space around, which a part of something has not.
static bool isPadded(Value value) {
  return llvm::any_of(value.getUses(), [](OpOperand &use) {
    Operation *user = use.getOwner();
    if (auto group = dyn_cast<kernel::GroupOp>(user))
      return !group.getHalo(use.getOperandNumber()).empty();
    return isView(user) && isPadded(user->getResult(0));
  });
}

static bool onlyViews(kernel::GroupOp group) {
  return group.getNumOperands() == 1 &&
         llvm::all_of(group.getBlock().without_terminator(),
                      [](Operation &op) { return isView(&op); });
}

/// The places of a group's results as views; none where one cannot be.
static bool canDissolve(kernel::GroupOp group) {
  auto sizes = graph::TypicalSizes::around(group);
  llvm::DenseMap<Value, std::optional<TensorPlace>> places;
  for (auto [argument, operand] :
       llvm::zip(group.getBlock().getArguments(), group.getOperands_()))
    places[argument] = densePlace(operand);
  for (Operation &op : group.getBlock().without_terminator()) {
    const std::optional<TensorPlace> &source = places[op.getOperand(0)];
    std::optional<TensorPlace> place =
        source ? placeThrough(&op, *source) : source;
    if (!place)
      return false;
    places[op.getResult(0)] = place;
  }
  for (auto [result, yielded] :
       llvm::zip(group.getResults(),
                 group.getBlock().getTerminator()->getOperands())) {
    const std::optional<TensorPlace> &place = places[yielded];
    auto type = cast<RankedTensorType>(result.getType());
    if (!place || !place->first.isFixed() ||
        !hasLongRows(type, *place, sizes) || isPadded(result) ||
        !usersAccept(result, *place))
      return false;
  }
  return true;
}

/// The last operation that reads a value's storage, but for `candidate` and
/// what views its results.
static Operation *lastUser(Value value, kernel::GroupOp candidate) {
  Operation *last = nullptr;
  for (Operation *user : value.getUsers()) {
    if (user == candidate)
      continue;
    Operation *end =
        isView(user) ? lastUser(user->getResult(0), candidate) : user;
    if (!last || (end && last->isBeforeInBlock(end)))
      last = end;
  }
  return last;
}

/// Whether what the group views lives on anyhow until its last user: then it
/// costs no memory as a view. Much cheaper to tell than the most live bytes.
static bool isKeptAnyhow(kernel::GroupOp group) {
  Value storage = viewedTensor(group.getOperands_()[0]);
  if (!storage.getDefiningOp<kernel::GroupOp>())
    return true;
  Operation *end = lastUser(storage, group);
  return end && llvm::all_of(group.getResults(), [&](Value result) {
           Operation *own = lastUser(result, {});
           return !own || own->isBeforeInBlock(end) || own == end;
         });
}

/// The most bytes that live at once, when `candidate` (or null) is a view.
static int64_t peakWith(func::FuncOp function, kernel::GroupOp candidate) {
  auto storageOf = [&](Value value) {
    while (candidate && value.getDefiningOp() == candidate)
      value = viewedTensor(candidate.getOperands_()[0]);
    return value;
  };
  auto typical = graph::TypicalSizes::around(function);
  auto bytesOf = [&](Value value) {
    auto tensor = cast<RankedTensorType>(value.getType());
    return typical.of(graph::productOf(graph::sizesOf(tensor))) *
           graph::elementBytes(tensor.getElementType());
  };
  return livePeak(function, {storageOf, bytesOf});
}

static void dissolve(kernel::GroupOp group) {
  OpBuilder builder(group);
  IRMapping values;
  values.map(group.getBlock().getArguments(), group.getOperands_());
  for (Operation &op : group.getBlock().without_terminator())
    builder.clone(op, values);
  for (auto [result, yielded] : llvm::zip(
           group.getResults(), group.getBlock().getTerminator()->getOperands()))
    result.replaceAllUsesWith(values.lookup(yielded));
  group.erase();
}

namespace {
struct FormViews : codegen::impl::FormViewsPassBase<FormViews> {
  using FormViewsPassBase::FormViewsPassBase;

  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      run(function);
  }

  /// A view keeps all of what it views alive: that must not cost much memory.
  void run(func::FuncOp function) {
    for (auto group : function.getOps<kernel::GroupOp>())
      if (!group.getPlan())
        return;
    int64_t peak = peakWith(function, {});
    int64_t budget = peak + peak / std::max<int64_t>(spare, 1);
    for (auto group :
         llvm::make_early_inc_range(function.getOps<kernel::GroupOp>())) {
      if (!onlyViews(group) || !canDissolve(group) ||
          (!isKeptAnyhow(group) && peakWith(function, group) > budget))
        continue;
      dissolve(group);
      ++numViews;
    }
  }
};
} // namespace
