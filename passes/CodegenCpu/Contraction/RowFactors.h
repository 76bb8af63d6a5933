//===- RowFactors.h - what a row multiplies vectors of B by -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares how the lanes of a vector get their A. All of one row get
// one element. Where several rows or groups share the vector, their elements
// are blended; or four steps' elements of each are loaded at once, next to each
// other, and every step spreads its own:
//
//     | a0[k..k+3] | a0[k..k+3] | a1[k..k+3] | a1[k..k+3] |
//
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGENCPU_CONTRACTION_ROWFACTORS_H
#define TENON_PASSES_CODEGENCPU_CONTRACTION_ROWFACTORS_H

#include "passes/CodegenCpu/Contraction/MicroKernel.h"
#include <map>

namespace tenon::codegen {

/// The factors of one row in some steps of k.
class RowFactors {
public:
  /// `row`: the row's A at step 0.
  RowFactors(KernelBuilder &b, const MicroKernel &kernel, Value row)
      : b(b), kernel(kernel), row(row) {}

  Value at(const ColumnVector &column, int64_t step);

private:
  Value broadcast(const LaneSource &source, int64_t step);
  Value blend(const ColumnVector &column, int64_t step);
  Value loadQuads(const ColumnVector &column, int64_t first);
  Value fromQuads(const ColumnVector &column, int64_t step);

  KernelBuilder &b;
  const MicroKernel &kernel;
  Value row;
  /// By displacement and step.
  std::map<std::pair<int64_t, int64_t>, Value> broadcasts, quads;
};

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGENCPU_CONTRACTION_ROWFACTORS_H
