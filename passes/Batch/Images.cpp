//===- Images.cpp - what a program does image by image --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Batch/Images.h"

#include "dialects/Graph/Graph.h"
#include "dialects/Graph/GraphSteps.h"
#include "dialects/Graph/Shapes.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::batch;

/// The first extent of a tensor; 0 where it has none, or its size is unknown.
static int64_t rowsOf(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  bool hasRows = type && type.hasStaticShape() && type.getRank() > 0;
  return hasRows ? type.getDimSize(0) : 0;
}

Images::Images(func::FuncOp program) {
  if (program.getNumArguments() > 0)
    images = std::max<int64_t>(rowsOf(program.getArgument(0)), 1);
  if (images == 1)
    return;
  for (Value argument : program.getArguments())
    if (rowsOf(argument) == images)
      holders.insert(argument);
  for (Operation &op : program.getOps())
    if (works(&op)) {
      split.insert(&op);
      holders.insert(op.result_begin(), op.result_end());
    }
}

Type Images::typeFor(Value value, int64_t count) const {
  if (!areIn(value) || count == images)
    return value.getType();
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape.front() = shape.front() / images * count;
  return graph::withShape(type, shape);
}

/// Whether a point touches rows of its own, and other dimensions whatever row
/// it is in.
static bool isByRow(AffineMap map) {
  if (map.getNumResults() == 0 || map.getNumDims() == 0)
    return false;
  bool isFirst = map.getResult(0) == getAffineDimExpr(0, map.getContext());
  return isFirst &&
         llvm::none_of(map.getResults().drop_front(),
                       [](AffineExpr expr) { return expr.isFunctionOfDim(0); });
}

static bool dependsOnRow(AffineMap map) {
  return map.getNumDims() > 0 && map.isFunctionOfDim(0);
}

/// Row-major order keeps images apart, whatever shape they have.
static bool keepsOrder(Operation *op) {
  return isa<graph::ReshapeOp, graph::BitcastOp>(op);
}

bool Images::works(Operation *op) const {
  auto tensorOp = dyn_cast<graph::TensorOpInterface>(op);
  // A scatter's indices count the rows of the whole batch.
  if (!tensorOp || isa<graph::StepsOp, graph::ScatterOp>(op) ||
      llvm::none_of(op->getOperands(),
                    [&](Value operand) { return areIn(operand); }))
    return false;
  for (Value result : op->getResults())
    if (rowsOf(result) == 0 || rowsOf(result) % images != 0)
      return false;
  if (keepsOrder(op))
    return true;
  graph::IterationDomain domain = tensorOp.getIterationDomain();
  if (domain.dims.empty() || domain.dims[0].kind != graph::DimKind::Parallel)
    return false;
  int64_t rows = graph::sizeOf(domain.dims[0].extent);
  return llvm::all_of(tensorOp.getAccesses(), [&](const graph::Access &access) {
    Value value = access.valueIn(op);
    if (access.writes || access.ofResult || areIn(value))
      return rowsOf(value) == rows && isByRow(access.map);
    return !dependsOnRow(access.map);
  });
}
