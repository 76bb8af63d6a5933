//===- EraseDead.h - operations that nothing needs --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares how operations are erased whose results nothing uses.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_NORMALIZE_ERASEDEAD_H
#define TENON_PASSES_NORMALIZE_ERASEDEAD_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tenon::normalize {

/// Erases what is dead in a function of one block. A control operation is not
/// while something needs a symbol that its result has.
void eraseDead(mlir::func::FuncOp function);

} // namespace tenon::normalize

#endif // TENON_PASSES_NORMALIZE_ERASEDEAD_H
