//===- Loop.cpp - by a count, a condition, or both ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Normalize/Control/Looping.h"
#include "passes/Normalize/Control/Types.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::normalize;

/// Operand `index` as a scalar, if there is one; false after a refusal.
static bool readScalar(Walk &walk, Operation *op, unsigned index,
                       Value &scalar) {
  Value operand =
      index < op->getNumOperands() ? op->getOperand(index) : Value();
  if (!operand || isa<NoneType>(operand.getType()))
    return true;
  Value made = walk.lookup(operand);
  scalar = made ? scalarOf(walk, op, made) : Value();
  return bool(scalar);
}

/// How often a loop runs that nothing else ends.
static Attribute tripDim(Walk &walk, Value trip) {
  auto contents = trip ? walk.ctx.contents(trip) : std::nullopt;
  if (!contents || contents->size() != 1)
    return {};
  Attribute dim = contents->front();
  Attribute zero = graph::sizeDim(trip.getContext(), 0);
  if (!graph::isSymbolic(dim))
    return graph::sizeOf(dim) > 0 ? dim : zero;
  return walk.ctx.isAtLeast(dim, zero) ? dim : Attribute();
}

Made normalize::lowerLoop(Walk &walk, Operation *op) {
  for (Value operand : op->getOperands())
    if (!isa<NoneType>(operand.getType()) && !walk.lookup(operand))
      return failure();
  LoopSource source;
  if (!readScalar(walk, op, 0, source.trip) ||
      !readScalar(walk, op, 1, source.condition))
    return failure();
  source.tripDim = tripDim(walk, source.trip);
  for (Value operand :
       op->getOperands().drop_front(std::min(2u, op->getNumOperands())))
    source.initial.push_back(walk.lookup(operand));
  if (llvm::is_contained(source.initial, Value()))
    return refuse(walk, op, "a value that it carries is absent");
  auto arguments = [](NormalizeContext &, ValueRange own) {
    return llvm::to_vector(own);
  };
  source.arguments = arguments;
  return makeLoop(walk, op, source);
}
