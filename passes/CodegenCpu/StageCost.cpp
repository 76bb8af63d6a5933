//===- StageCost.cpp - what a group does, as plain numbers ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenCpu/StageCost.h"

#include "dialects/Graph/Graph.h"
#include "lib/Tile/Rows.h"
#include "passes/CodegenCpu/Builder/ElementwiseOps.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

/// Points of a domain that are worth a tile, as for loops.
static constexpr int64_t pointsPerTile = 8192;
/// Multiply-adds for which a register tile loads one element of an operand.
static constexpr double registerReuse = 4;
/// What elementwiseCost() says of `exp`, the shortest of its kind.
static constexpr int64_t exponentialCost = 16;

namespace {
/// Adds up the operations of a group.
class WorkCounter {
public:
  explicit WorkCounter(kernel::GroupOp group);

  cost::StageWork work;

private:
  void addComputation(graph::TensorOpInterface op);
  void addReads(graph::TensorOpInterface op);
  void addSize(graph::TensorOpInterface op);

  /// The largest domain so far.
  int64_t mostPoints = 0;
};
} // namespace

static bool multipliesAndAdds(Operation *op) {
  return isa<graph::MatmulOp, graph::ConvOp, graph::ConvTransposeOp,
             graph::RecurrenceOp>(op);
}

void WorkCounter::addComputation(graph::TensorOpInterface op) {
  auto flops = double(op.getCost().flops);
  if (multipliesAndAdds(op)) {
    work.fma += flops / 2;
    return;
  }
  if (!isElementwise(op)) {
    work.plain += flops;
    return;
  }
  int64_t perElement = elementwiseCost(op);
  auto total = double(op.getIterationDomain().size()) * double(perElement);
  if (perElement < exponentialCost)
    work.plain += total;
  else
    work.transcendental += total / exponentialCost;
}

/// The product of the domain's extents that `map` depends on.
static double distinctPoints(AffineMap map,
                             const graph::IterationDomain &domain) {
  double points = 1;
  for (auto [index, dim] : llvm::enumerate(domain.dims))
    if (map.isFunctionOfDim(unsigned(index)))
      points *= double(dim.extent);
  return points;
}

/// Elements of a tensor that an operation touches: no more than there are, and
/// all of a dimension whose index it does not say.
static double touchedElements(AffineMap map, RankedTensorType type,
                              const graph::IterationDomain &domain) {
  double elements = distinctPoints(map, domain);
  for (auto [expr, size] : llvm::zip(map.getResults(), type.getShape()))
    if (isa<AffineConstantExpr>(expr))
      elements *= double(size);
  return std::min(elements, double(type.getNumElements()));
}

/// Whether the operation says of each index of the tensor which one it is.
static bool saysWhere(AffineMap map, RankedTensorType type) {
  for (auto [expr, size] : llvm::zip(map.getResults(), type.getShape()))
    if (size != 1 && isa<AffineConstantExpr>(expr))
      return false;
  return true;
}

/// Elements that instructions load. A register tile uses again what does not
/// depend on all of the domain.
static double loadedElements(graph::TensorOpInterface op, AffineMap map,
                             RankedTensorType type, double touched) {
  graph::IterationDomain domain = op.getIterationDomain();
  double points = distinctPoints(map, domain);
  if (multipliesAndAdds(op) && points < double(domain.size()))
    return std::max(touched, double(op.getCost().flops) / 2 / registerReuse);
  return saysWhere(map, type) ? points : double(domain.size());
}

/// What comes from outside of the group.
void WorkCounter::addReads(graph::TensorOpInterface op) {
  graph::IterationDomain domain = op.getIterationDomain();
  SmallVector<graph::Access> accesses = op.getAccesses();
  double bytes = 0;
  for (auto [operand, access] : llvm::zip(op->getOperands(), accesses)) {
    if (!isa<BlockArgument>(operand))
      continue;
    auto type = cast<RankedTensorType>(operand.getType());
    double touched = touchedElements(access.map, type, domain);
    bytes += touched * double(graph::elementBytes(type.getElementType()));
    work.accesses += loadedElements(op, access.map, type, touched);
  }
  work.bytesRead += std::min(bytes, double(op.getCost().bytesRead));
}

void WorkCounter::addSize(graph::TensorOpInterface op) {
  graph::IterationDomain domain = op.getIterationDomain();
  if (domain.size() <= mostPoints)
    return;
  mostPoints = domain.size();
  int64_t longest = 1, parallel = 1;
  for (const graph::IterationDim &dim : domain.dims) {
    longest = std::max(longest, dim.extent);
    parallel *= dim.reduction ? 1 : dim.extent;
  }
  work.lanes = longest;
  work.tiles = std::clamp<int64_t>(tile::ceilDiv(mostPoints, pointsPerTile), 1,
                                   std::max<int64_t>(1, parallel));
}

WorkCounter::WorkCounter(kernel::GroupOp group) {
  work.elementBytes = 1;
  auto widen = [&](Type type) {
    Type element = cast<RankedTensorType>(type).getElementType();
    work.elementBytes =
        std::max(work.elementBytes, graph::elementBytes(element));
  };
  llvm::for_each(group.getOperandTypes(), widen);
  for (auto op : group.getBlock().getOps<graph::TensorOpInterface>()) {
    addComputation(op);
    addReads(op);
    addSize(op);
  }
  for (Type type : group.getResultTypes()) {
    widen(type);
    work.accesses += double(cast<RankedTensorType>(type).getNumElements());
    work.bytesWritten += double(graph::tensorBytes(type));
  }
}

cost::StageWork codegen::workOf(kernel::GroupOp group) {
  return WorkCounter(group).work;
}
