//===- Primitives.h - what the run time computes itself ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the primitives that `control.call` and `vm.call` name, as
// `runtime/include/tenon/primitives.def` lists them.
//===----------------------------------------------------------------------===//
#ifndef TENON_DIALECTS_CONTROL_PRIMITIVES_H
#define TENON_DIALECTS_CONTROL_PRIMITIVES_H

#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace tenon::control {

struct Primitive {
  llvm::StringRef name;
  uint32_t number;
  unsigned minOperands;
  unsigned maxOperands; ///< ~0u: any number
  unsigned numResults;
  /// What its integers are called, separated by blanks; "..." at the end: any
  /// number of the last one, or none.
  llvm::StringRef integers;
  llvm::StringRef summary;
};

/// All of them, by number.
llvm::ArrayRef<Primitive> primitives();

/// The one of that name; null where there is none.
const Primitive *findPrimitive(llvm::StringRef name);

/// Checks the counts of a call's operands, integers and results.
mlir::LogicalResult verifyPrimitive(mlir::Operation *op, llvm::StringRef name,
                                    size_t numOperands, size_t numIntegers,
                                    size_t numResults);

} // namespace tenon::control

#endif // TENON_DIALECTS_CONTROL_PRIMITIVES_H
