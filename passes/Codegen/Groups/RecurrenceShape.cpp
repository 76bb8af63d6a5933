//===- RecurrenceShape.cpp - the extents of a recurrence ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Codegen/Groups/RecurrenceShape.h"

#include "passes/Codegen/Groups/ContractionNest.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

RecurrenceShape::RecurrenceShape(graph::RecurrenceOp op) {
  RankedTensorType type = op.getGates().getType();
  Sizes sizes = graph::sizesOf(type);
  steps = sizes[0];
  directions = type.getDimSize(1);
  batch = sizes[2];
  hidden = op.getRecurrence().getType().getDimSize(1);
  gates = hidden ? type.getDimSize(3) / hidden : 1;
  bool isLstm = op.getCell() == graph::Cell::Lstm;
  phases =
      op.getCell() == graph::Cell::Gru && !op.getLinearBeforeReset() ? 2 : 1;
  sections = phases == 2 ? 4 : isLstm ? 3 : 2;
  element = type.getElementType();
  work = accumulatorType(element);
}

tile::RecurrenceProblem RecurrenceShape::problem() const {
  int64_t sequences = batch.isFixed() ? batch.fixed() : 1;
  return {directions,
          sequences,
          gates,
          hidden,
          graph::elementBytes(element),
          graph::elementBytes(work)};
}

Size RecurrenceShape::stateRows(const tile::RecurrencePlan &plan) const {
  return batch.isFixed() ? batch : batch.ceilDiv(plan.rows) * plan.rows;
}

Size RecurrenceShape::stateBytes(const tile::RecurrencePlan &plan) const {
  return stateRows(plan) * (sections * directions * plan.panels(problem()) *
                            plan.panel() * graph::elementBytes(work));
}
