//===- Lrn.cpp - local response normalisation of an element ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Codegen/Bodies/Lrn.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

/// base ^ -beta: roots where they do, which are exact and a third of the work.
static Num inversePower(Num base, double beta) {
  if (beta == 1.0)
    return 1.0 / base;
  if (beta == 0.5)
    return 1.0 / sqrt(base);
  if (beta != 0.75)
    return exp(log(base) * -beta);
  Num root = sqrt(base);
  return 1.0 / (root * sqrt(root));
}

Num codegen::lrnFactor(graph::LrnOp lrn, Num squares) {
  double beta = lrn.getBeta().convertToDouble();
  double scale = lrn.getAlpha().convertToDouble() / double(lrn.getSize());
  Num base = squares * scale + lrn.getBias().convertToDouble();
  return inversePower(base, beta);
}
