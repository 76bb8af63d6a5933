//===- TensorAccess.h - what epilogues read and write -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_CODEGENGPU_BUILDER_TENSORACCESS_H
#define TENON_PASSES_CODEGENGPU_BUILDER_TENSORACCESS_H

#include "passes/Codegen/Bodies/Epilogue.h"

namespace tenon::gpu {

/// Neighbours that a thread has of a tensor along the result's last dimension.
struct TensorAccess {
  int64_t lanes;
  int64_t stride;    ///< elements between them; 0: all are the same
  int64_t alignment; ///< of the address of the first one, in bytes, if they lie
                     ///< together

  /// `offset` counts elements, i64.
  mlir::Value load(codegen::KernelBuilder &kernel,
                   const codegen::IndexedTensor &tensor,
                   mlir::Value offset) const;
  void store(codegen::KernelBuilder &kernel,
             const codegen::IndexedTensor &tensor, mlir::Value offset,
             mlir::Value value) const;
};

} // namespace tenon::gpu

#endif // TENON_PASSES_CODEGENGPU_BUILDER_TENSORACCESS_H
