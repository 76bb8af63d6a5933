//===- Roles.cpp - what an operation is to fusion -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file derives roles from iteration domains and accesses.
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Roles.h"

#include "dialects/Graph/Graph.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;

namespace {
/// How the dimensions of a domain index the operands that they reduce.
class ReductionShape {
public:
  explicit ReductionShape(TensorOpInterface op);

  bool isProduct() const { return reduced.size() == 2; }
  bool isContraction() const;
  bool hasWindow() const;

private:
  bool isParallel(unsigned dim) const { return !domain.dims[dim].reduction; }
  bool hasFreeDim(unsigned operand) const;
  bool isWindowDim(unsigned dim) const;

  IterationDomain domain;
  SmallVector<AffineMap> reduced; ///< of operands that a reduction indexes
};
} // namespace

ReductionShape::ReductionShape(TensorOpInterface op)
    : domain(op.getIterationDomain()) {
  auto accesses = op.getAccesses();
  for (unsigned number = 0; number < op->getNumOperands(); ++number) {
    AffineMap map = accesses[number].map;
    for (unsigned dim = 0; dim < domain.dims.size(); ++dim)
      if (!isParallel(dim) && map.isFunctionOfDim(dim)) {
        reduced.push_back(map);
        break;
      }
  }
}

/// Whether a parallel dimension indexes this operand of a product alone.
bool ReductionShape::hasFreeDim(unsigned operand) const {
  for (unsigned dim = 0; dim < domain.dims.size(); ++dim)
    if (isParallel(dim) && reduced[operand].isFunctionOfDim(dim) &&
        !reduced[1 - operand].isFunctionOfDim(dim))
      return true;
  return false;
}

/// Whether a reduction moves along an operand together with a parallel
/// dimension, which of a product does not index both operands: the channels of
/// a group do, and are no window.
bool ReductionShape::isWindowDim(unsigned dim) const {
  auto movesWindow = [&](AffineExpr expr) {
    for (unsigned other = 0; other < domain.dims.size(); ++other)
      if (isParallel(other) && expr.isFunctionOfDim(other) &&
          !(isProduct() && llvm::all_of(reduced, [&](AffineMap map) {
              return map.isFunctionOfDim(other);
            })))
        return true;
    return false;
  };
  for (AffineMap map : reduced)
    for (AffineExpr expr : map.getResults())
      if (expr.isFunctionOfDim(dim) && movesWindow(expr))
        return true;
  return false;
}

bool ReductionShape::hasWindow() const {
  for (unsigned dim = 0; dim < domain.dims.size(); ++dim)
    if (!isParallel(dim) && isWindowDim(dim))
      return true;
  return false;
}

/// Rows of one operand meet columns of the other, or a sum has a depth beside
/// its window.
bool ReductionShape::isContraction() const {
  if (hasFreeDim(0) && hasFreeDim(1))
    return true;
  for (auto [dim, info] : llvm::enumerate(domain.dims))
    if (info.reduction && info.extent != 1 && !isWindowDim(dim))
      return true;
  return false;
}

/// What is computed before the program runs, or is another name for bytes.
static bool isNothing(Operation *op) {
  return op->hasTrait<OpTrait::ConstantLike>() ||
         isa<ReshapeOp, BitcastOp, PackOp>(op);
}

Role graph::roleOf(Operation *op) {
  auto tensorOp = dyn_cast<TensorOpInterface>(op);
  if (!tensorOp || isNothing(op))
    return Role::None;
  if (isa<RecurrentOp, RecurrenceOp>(op))
    return Role::Recurrence;
  if (op->hasTrait<Elementwise>())
    return Role::Pointwise;
  if (isa<GatherOp, GatherElementsOp, ScatterOp, ResizeOp>(op))
    return Role::Movement;
  IterationDomain domain = tensorOp.getIterationDomain();
  bool reduces = llvm::any_of(
      domain.dims, [](const IterationDim &dim) { return dim.reduction; });
  if (!reduces)
    return tensorOp.getCost().flops ? Role::Reduction : Role::Movement;
  ReductionShape shape(tensorOp);
  if (shape.isProduct())
    return shape.isContraction() ? Role::Contraction : Role::Window;
  return shape.hasWindow() ? Role::Window : Role::Reduction;
}
