//===- Roles.cpp - what an operation is to fusion -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file derives roles from iteration domains and accesses.
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Roles.h"

#include "dialects/Graph/Shapes.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;

namespace {
/// How the dimensions of a domain index the operands that they reduce.
class ReductionShape {
public:
  ReductionShape(const IterationDomain &domain, ArrayRef<Access> accesses);

  bool isProduct() const { return reduced.size() == 2; }
  bool isContraction() const;
  bool hasWindow() const;

private:
  bool isParallel(unsigned dim) const {
    return !domain.dims[dim].isReduction();
  }
  bool hasFreeDim(unsigned operand) const;
  bool isWindowDim(unsigned dim) const;

  const IterationDomain &domain;
  SmallVector<AffineMap> reduced; ///< of operands that a reduction indexes
};
} // namespace

ReductionShape::ReductionShape(const IterationDomain &domain,
                               ArrayRef<Access> accesses)
    : domain(domain) {
  for (const Access &access : accesses) {
    auto isReduced = [&](unsigned dim) {
      return !isParallel(dim) && access.map.isFunctionOfDim(dim);
    };
    auto dims = llvm::seq<unsigned>(0, domain.dims.size());
    if (!access.ofResult && llvm::any_of(dims, isReduced))
      reduced.push_back(access.map);
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
    if (info.isReduction() && sizeOf(info.extent) != 1 && !isWindowDim(dim))
      return true;
  return false;
}

/// What is computed before the program runs, or is another name for bytes.
static bool isNothing(Operation *op) {
  return op->hasTrait<OpTrait::ConstantLike>() ||
         isa<ReshapeOp, BitcastOp, PackOp>(op);
}

/// Whether an access is known to read all elements of some dimensions.
static bool readsRows(const Access &access) {
  return access.kind == AccessKind::Exact && access.map.getNumSymbols() != 0;
}

Role graph::roleOf(Operation *op) {
  auto tensorOp = dyn_cast<TensorOpInterface>(op);
  if (!tensorOp || isNothing(op))
    return Role::None;
  if (op->hasTrait<Elementwise>())
    return Role::Pointwise;
  IterationDomain domain = tensorOp.getIterationDomain();
  if (llvm::any_of(domain.dims, [](const IterationDim &dim) {
        return dim.kind == DimKind::Sequential;
      }))
    return Role::Recurrence;
  auto accesses = tensorOp.getAccesses();
  if (llvm::any_of(accesses, [](const Access &access) {
        return access.kind == AccessKind::Gather;
      }))
    return Role::Movement;
  if (!tensorOp.getReduction())
    return llvm::any_of(accesses, readsRows) ? Role::Reduction : Role::Movement;
  ReductionShape shape(domain, accesses);
  if (shape.isProduct())
    return shape.isContraction() ? Role::Contraction : Role::Window;
  return shape.hasWindow() ? Role::Window : Role::Reduction;
}
