//===- LivePeak.h - an estimate of the arena --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the measure by which layouts that share storage are
// judged: shared storage lives from its first part's producer to its last
// user, which may be long. A skip connection of a U-shaped network would hold
// its whole concatenation through the network.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGEN_LAYOUT_LIVEPEAK_H
#define TENON_PASSES_CODEGEN_LAYOUT_LIVEPEAK_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tenon::codegen {

/// What a layout says: which value's allocation holds `value`, and its size.
struct StorageModel {
  llvm::function_ref<mlir::Value(mlir::Value value)> storageOf;
  llvm::function_ref<int64_t(mlir::Value storage)> bytesOf;
};

/// The most bytes that live at once when groups run in program order. Graph
/// inputs, outputs and constants are not in the arena. Linear but for a sort.
int64_t livePeak(mlir::func::FuncOp function, StorageModel model);

/// How far the peak may grow for the sake of fewer copies: by an eighth.
inline int64_t memoryAllowance(int64_t peak) { return peak + peak / 8; }

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGEN_LAYOUT_LIVEPEAK_H
