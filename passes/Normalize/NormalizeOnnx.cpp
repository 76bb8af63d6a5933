//===- NormalizeOnnx.cpp - from onnx to graph -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file runs a walk over each program.
//===----------------------------------------------------------------------===//
#include "dialects/Control/Control.h"
#include "dialects/Graph/Programs.h"
#include "passes/Normalize/Passes.h"
#include "passes/Normalize/Training/Training.h"
#include "passes/Normalize/Walk.h"

namespace tenon {
#define GEN_PASS_DEF_NORMALIZEONNXPASS
#include "passes/Normalize/Passes.h.inc"
} // namespace tenon

using namespace mlir;
using namespace tenon;
using namespace tenon::normalize;

LoweringTable normalize::allLowerings() {
  LoweringTable table;
  populateElementwiseLowerings(table);
  populateContractionLowerings(table);
  populateReductionLowerings(table);
  populateNormalizationLowerings(table);
  populateWindowLowerings(table);
  populateMovementLowerings(table);
  populateShapeLowerings(table);
  populateRecurrentLowerings(table);
  populateQuantizationLowerings(table);
  populateSignalLowerings(table);
  populateSelectionLowerings(table);
  populateTrainingLowerings(table);
  populateRandomLowerings(table);
  // Last: some of its lowerings are for strings, and leave the rest to others.
  populateControlLowerings(table);
  return table;
}

namespace {
class NormalizeOnnxPass
    : public tenon::impl::NormalizeOnnxPassBase<NormalizeOnnxPass> {
public:
  void runOnOperation() override {
    auto programs = graph::requirePrograms(getOperation());
    if (failed(programs))
      return signalPassFailure();
    for (func::FuncOp program : *programs)
      if (failed(normalize(program)))
        return signalPassFailure();
  }

  LogicalResult normalize(func::FuncOp program) {
    if (!llvm::hasSingleElement(program.getBody()))
      return program.emitError("expected a program of one block");
    Model model(getOperation());
    if (failed(Walk(program, model).run()))
      return failure();
    numLowered += model.lowered;
    numEvaluated += model.evaluated;
    numExpanded += model.expanded;
    return success();
  }
};
} // namespace
