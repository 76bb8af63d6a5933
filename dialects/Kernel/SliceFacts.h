//===- SliceFacts.h - what runs slice by slice ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares what tenon-slice-batch leaves on a program for reports, as
// an attribute: slices are copies of launches later on.
//===----------------------------------------------------------------------===//
#ifndef TENON_DIALECTS_KERNEL_SLICEFACTS_H
#define TENON_DIALECTS_KERNEL_SLICEFACTS_H

#include "dialects/Kernel/ScheduleFacts.h"

namespace tenon::kernel {

/// Operations that follow each other, once for each slice of the batch.
struct SlicedRange {
  std::string first, last; ///< ONNX nodes, or kinds of operations without any
  int64_t operations = 0;
  int64_t slices = 0, images = 0; ///< of a slice; the last may have fewer
};

struct SliceFacts {
  int64_t images = 0; ///< of the batch
  std::vector<SlicedRange> ranges;
  /// With these slices and without any; none where nothing was priced.
  std::optional<Predicted> sliced = {}, whole = {};
};

void setSlices(mlir::func::FuncOp program, const SliceFacts &facts);

/// None of a program that takes all images at once.
std::optional<SliceFacts> slicesOf(mlir::func::FuncOp program);

/// Whether an attribute of a function is what setSlices() writes.
inline constexpr llvm::StringLiteral slicedAttr = "kernel.sliced";
mlir::LogicalResult verifySlices(mlir::Operation *op, mlir::Attribute slices);

} // namespace tenon::kernel

#endif // TENON_DIALECTS_KERNEL_SLICEFACTS_H
