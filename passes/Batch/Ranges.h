//===- Ranges.h - parts of a program as functions ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares how operations that follow each other become a function
// for some of the images that they work on.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_BATCH_RANGES_H
#define TENON_PASSES_BATCH_RANGES_H

#include "passes/Batch/Images.h"

namespace tenon::batch {

using Items = std::vector<mlir::Operation *>;

/// The operations of a program but its constants, in order.
Items itemsOf(mlir::func::FuncOp program);

/// Operations and what they have to do with the others.
class ItemRange {
public:
  explicit ItemRange(llvm::ArrayRef<mlir::Operation *> items);

  /// A private function at the end of `module` that computes `outputs` of so
  /// many images from `inputs`. Constants are in it.
  mlir::func::FuncOp outline(mlir::ModuleOp module, llvm::StringRef name,
                             const Images &images, int64_t count) const;

  llvm::ArrayRef<mlir::Operation *> items;
  llvm::SetVector<mlir::Value> inputs;    ///< no constants
  llvm::SmallVector<mlir::Value> outputs; ///< that others read

private:
  llvm::SetVector<mlir::Operation *> constants;
};

} // namespace tenon::batch

#endif // TENON_PASSES_BATCH_RANGES_H
