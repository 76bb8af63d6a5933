//===- MissingSizes.h - nodes that wait for sizes ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the one error about nodes that cannot be lowered as long
// as dimensions have no size.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_NORMALIZE_MISSINGSIZES_H
#define TENON_PASSES_NORMALIZE_MISSINGSIZES_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/SetVector.h"

#include <string>

namespace tenon::normalize {

/// Gathers nodes that wait for sizes of their own operands.
class MissingSizes {
public:
  /// `op` is in the function body of `node`, or the same; `operands` are what
  /// was made for those of `op`, null where they are absent.
  void add(mlir::Operation *op, mlir::Operation *node,
           llvm::ArrayRef<mlir::Value> operands, llvm::StringRef reason);

  /// An error if there are nodes that results need: it names the first of them
  /// that waits, says what gives the sizes, and names the others.
  mlir::LogicalResult
  emit(mlir::FunctionOpInterface function,
       const llvm::SetVector<mlir::Operation *> &needed) const;

private:
  struct Entry {
    mlir::Operation *op, *node;
    llvm::SmallVector<mlir::Value> operands;
    std::string reason;

    std::string text() const;
  };

  llvm::SmallVector<const Entry *>
  among(const llvm::SetVector<mlir::Operation *> &needed) const;

  llvm::SmallVector<Entry> entries;
};

} // namespace tenon::normalize

#endif // TENON_PASSES_NORMALIZE_MISSINGSIZES_H
