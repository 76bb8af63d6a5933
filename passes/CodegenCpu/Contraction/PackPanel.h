//===- PackPanel.h - packing a panel in the kernel --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_CODEGENCPU_CONTRACTION_PACKPANEL_H
#define TENON_PASSES_CODEGENCPU_CONTRACTION_PACKPANEL_H

#include "passes/CodegenCpu/Builder/KernelBuilder.h"

namespace tenon::codegen {

/// Copies `B[k][column]`, whose columns are not contiguous, into `[K][pitch]`
/// with contiguous columns; lanes that do not exist become zero.
struct PanelPacking {
  struct Dim {
    int64_t extent, stride;
  };
  llvm::SmallVector<Dim> k; ///< outer to inner
  int64_t columnStride, vectors, lanes, lastLanes, pitch;
  Type element;

  /// `count` iterations of the outermost k dimension.
  void emit(KernelBuilder &b, Value from, Value to, Value count) const;

private:
  void nest(KernelBuilder &b, unsigned depth, Value from, Value to,
            Value count) const;
  void row(KernelBuilder &b, Value from, Value to) const;
  void transpose(KernelBuilder &b, Value from, Value to, int64_t steps) const;
};

/// Transposes as many vectors as they have lanes (a power of two) in registers.
void transposeSquare(KernelBuilder &b, llvm::SmallVector<Value> &rows);

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGENCPU_CONTRACTION_PACKPANEL_H
