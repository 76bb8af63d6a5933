//===- Work.cpp - what a group does, as plain numbers ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Codegen/Groups/Work.h"

#include "dialects/Graph/Graph.h"
#include "lib/Tile/Rows.h"
#include "passes/Codegen/Builder/ElementwiseOps.h"

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

static double pointsOf(graph::TensorOpInterface op) {
  return double(op.getIterationDomain().size().value_or(0));
}

void WorkCounter::addComputation(graph::TensorOpInterface op) {
  auto flops = double(op.getCost().flops.value_or(0));
  if (multipliesAndAdds(op)) {
    work.fma += flops / 2;
    return;
  }
  if (!isElementwise(op)) {
    work.plain += flops;
    return;
  }
  int64_t perElement = elementwiseCost(op);
  auto total = pointsOf(op) * double(perElement);
  if (perElement < exponentialCost)
    work.plain += total;
  else
    work.transcendental += total / exponentialCost;
}

/// Shapes are static here.
static int64_t extentOf(const graph::IterationDim &dim) {
  return cast<IntegerAttr>(dim.extent).getInt();
}

/// The product of the domain's extents that `map` depends on.
static double distinctPoints(AffineMap map,
                             const graph::IterationDomain &domain) {
  double points = 1;
  for (auto [index, dim] : llvm::enumerate(domain.dims))
    if (map.isFunctionOfDim(unsigned(index)))
      points *= double(extentOf(dim));
  return points;
}

/// Elements of a tensor that an operation touches: no more than there are, and
/// all of a dimension whose index it does not say.
static double touchedElements(AffineMap map, RankedTensorType type,
                              const graph::IterationDomain &domain) {
  double elements = distinctPoints(map, domain);
  for (auto [expr, size] : llvm::zip(map.getResults(), type.getShape()))
    if (isa<AffineSymbolExpr>(expr))
      elements *= double(size);
  return std::min(elements, double(type.getNumElements()));
}

/// Whether the operation says of each index of the tensor which one it is.
static bool saysWhere(AffineMap map, RankedTensorType type) {
  for (auto [expr, size] : llvm::zip(map.getResults(), type.getShape()))
    if (size != 1 && isa<AffineSymbolExpr>(expr))
      return false;
  return true;
}

/// Elements that instructions load. A register tile uses again what does not
/// depend on all of the domain.
static double loadedElements(graph::TensorOpInterface op, AffineMap map,
                             RankedTensorType type, double touched) {
  double points = distinctPoints(map, op.getIterationDomain());
  if (multipliesAndAdds(op) && points < pointsOf(op))
    return std::max(touched,
                    double(op.getCost().flops.value_or(0)) / 2 / registerReuse);
  return saysWhere(map, type) ? points : pointsOf(op);
}

/// What comes from outside of the group.
void WorkCounter::addReads(graph::TensorOpInterface op) {
  graph::IterationDomain domain = op.getIterationDomain();
  double bytes = 0;
  for (const graph::Access &access : op.getAccesses()) {
    Value operand = access.writes ? Value() : access.valueIn(op);
    if (!isa_and_nonnull<BlockArgument>(operand))
      continue;
    auto type = cast<RankedTensorType>(operand.getType());
    double touched = touchedElements(access.map, type, domain);
    bytes += touched * double(graph::elementBytes(type.getElementType()));
    work.accesses += loadedElements(op, access.map, type, touched);
  }
  work.bytesRead += std::min(bytes, double(op.getCost().bytesRead.value_or(0)));
}

void WorkCounter::addSize(graph::TensorOpInterface op) {
  graph::IterationDomain domain = op.getIterationDomain();
  int64_t points = domain.size().value_or(0);
  if (points <= mostPoints)
    return;
  mostPoints = points;
  int64_t longest = 1, parallel = 1;
  for (const graph::IterationDim &dim : domain.dims) {
    longest = std::max(longest, extentOf(dim));
    parallel *= dim.isReduction() ? 1 : extentOf(dim);
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
    work.bytesWritten += double(graph::tensorBytes(type).value_or(0));
  }
}

cost::StageWork codegen::workOf(kernel::GroupOp group) {
  return WorkCounter(group).work;
}
