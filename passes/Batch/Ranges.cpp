//===- Ranges.cpp - parts of a program as functions -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Batch/Ranges.h"

#include "dialects/Graph/Graph.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::batch;

static bool isConstant(Operation *op) {
  return isa_and_nonnull<graph::ConstantOp>(op);
}

Items batch::itemsOf(func::FuncOp program) {
  Items items;
  for (Operation &op : program.getBody().front().without_terminator())
    if (!isConstant(&op))
      items.push_back(&op);
  return items;
}

ItemRange::ItemRange(ArrayRef<Operation *> items) : items(items) {
  llvm::SmallPtrSet<Operation *, 32> members(items.begin(), items.end());
  for (Operation *item : items) {
    for (Value operand : item->getOperands()) {
      Operation *maker = operand.getDefiningOp();
      if (isConstant(maker))
        constants.insert(maker);
      else if (!members.contains(maker))
        inputs.insert(operand);
    }
    for (Value result : item->getResults())
      if (llvm::any_of(result.getUsers(), [&](Operation *user) {
            return !members.contains(user);
          }))
        outputs.push_back(result);
  }
}

/// A copy of an operation that works image by image, for `count` of them.
static Operation *cloneFor(OpBuilder &b, Operation *op, IRMapping &values,
                           const Images &images, int64_t count) {
  Operation *copy = b.clone(*op, values);
  for (auto [result, old] : llvm::zip(copy->getResults(), op->getResults()))
    result.setType(images.typeFor(old, count));
  auto slice = dyn_cast<graph::SliceOp>(copy);
  if (slice && count != images.count())
    slice.setSizes(slice.getType().getShape());
  return copy;
}

func::FuncOp ItemRange::outline(ModuleOp module, StringRef name,
                                const Images &images, int64_t count) const {
  auto typesOf = [&](ArrayRef<Value> values) {
    return llvm::map_to_vector(
        values, [&](Value value) { return images.typeFor(value, count); });
  };
  auto b = OpBuilder::atBlockEnd(module.getBody());
  auto type =
      b.getFunctionType(typesOf(inputs.getArrayRef()), typesOf(outputs));
  auto function = func::FuncOp::create(b, items.front()->getLoc(), name, type);
  function.setPrivate();
  b.setInsertionPointToStart(function.addEntryBlock());
  IRMapping values;
  values.map(inputs.getArrayRef(), function.getArguments());
  for (Operation *constant : constants)
    b.clone(*constant, values);
  for (Operation *item : items)
    cloneFor(b, item, values, images, count);
  auto results = llvm::map_to_vector(
      outputs, [&](Value value) { return values.lookup(value); });
  func::ReturnOp::create(b, function.getLoc(), results);
  return function;
}
