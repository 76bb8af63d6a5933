//===- ControlFlow.cpp - branches and loops -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Normalize/Control/ControlFlow.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::normalize;

Made normalize::lowerControlFlow(Walk &walk, Operation *op) {
  StringRef name = op->getName().stripDialect();
  if (name == "If")
    return lowerIf(walk, op);
  return name == "Loop" ? lowerLoop(walk, op) : lowerScan(walk, op);
}

Made normalize::refuse(Walk &walk, Operation *op, const Twine &reason) {
  walk.refuse(op, reason.str(), /*isUnknown=*/true);
  return failure();
}

std::optional<int64_t> normalize::knownNumber(Walk &walk, Value value) {
  auto numbers = value ? walk.ctx.constantInts(value) : std::nullopt;
  if (!numbers || numbers->size() != 1)
    return std::nullopt;
  return numbers->front();
}

Value normalize::scalarOf(Walk &walk, Operation *op, Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  bool isOne =
      type && llvm::all_of(graph::dimsOf(type), [](Attribute dim) {
        return !dim || graph::isSymbolic(dim) || graph::sizeOf(dim) == 1;
      });
  Value scalar = isOne ? walk.ctx.reshape(value, {}) : Value();
  if (!scalar)
    (void)refuse(walk, op, "a number or condition of it is no scalar");
  return scalar;
}
