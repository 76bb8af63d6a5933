//===- RowFactors.h - what a row multiplies vectors of B by -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares how the lanes of a vector get their A. All of one row get
// one element, or the same folded steps. Where several groups share the vector,
// theirs are blended.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGENCPU_CONTRACTION_ROWFACTORS_H
#define TENON_PASSES_CODEGENCPU_CONTRACTION_ROWFACTORS_H

#include "passes/CodegenCpu/Contraction/MicroKernel.h"
#include <map>

namespace tenon::codegen {

/// The factors of one row in one step of k.
class RowFactors {
public:
  /// `row`: the row's A at that step.
  RowFactors(KernelBuilder &b, const MicroKernel &kernel, Value row)
      : b(b), kernel(kernel), row(row) {}

  Value at(const ColumnVector &column);

private:
  Value broadcast(int64_t displacement);

  KernelBuilder &b;
  const MicroKernel &kernel;
  Value row;
  std::map<int64_t, Value> broadcasts; ///< by displacement
};

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGENCPU_CONTRACTION_ROWFACTORS_H
