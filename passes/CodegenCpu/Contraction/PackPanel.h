//===- PackPanel.h - packing a panel in the kernel --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_CODEGENCPU_CONTRACTION_PACKPANEL_H
#define TENON_PASSES_CODEGENCPU_CONTRACTION_PACKPANEL_H

#include "passes/Codegen/Builder/KernelBuilder.h"

namespace tenon::codegen {

/// Copies `B[k][column]`, whose columns are not contiguous, into `[K][pitch]`
/// with contiguous columns; lanes that do not exist become zero, or hold
/// anything where only the run knows which do.
struct PanelPacking {
  struct Dim {
    Size extent, stride;
  };
  llvm::SmallVector<Dim> k; ///< outer to inner
  Size columnStride;
  int64_t vectors, lanes, lastLanes, pitch;
  Type element;
  Value
      live; ///< how many columns exist, one or more; null: as `lastLanes` says

  /// `count` iterations of the outermost k dimension.
  void emit(KernelBuilder &b, Value from, Value to, Value count) const;

private:
  void nest(KernelBuilder &b, unsigned depth, Value from, Value to,
            Value count) const;
  void innermost(KernelBuilder &b, Value from, Value to, Value count) const;
  Value columnAt(KernelBuilder &b, Value from, int64_t number) const;
  Value gather(KernelBuilder &b, Value from, int64_t first) const;
  void row(KernelBuilder &b, Value from, Value to) const;
  void transpose(KernelBuilder &b, Value from, Value to, int64_t steps) const;
};

/// Transposes as many vectors as they have lanes (a power of two) in registers.
void transposeSquare(KernelBuilder &b, llvm::SmallVector<Value> &rows);

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGENCPU_CONTRACTION_PACKPANEL_H
