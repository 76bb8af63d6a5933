//===- KnownNumbers.h - numbers that were made symbols ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares how the same number is known again, so that it has the
// same symbol wherever it is a size.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_NORMALIZE_KNOWNNUMBERS_H
#define TENON_PASSES_NORMALIZE_KNOWNNUMBERS_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"

#include <map>
#include <vector>

namespace tenon::normalize {

class KnownNumbers {
public:
  /// Values have the same identity if they are computed alike from the same.
  unsigned identify(mlir::Value value);
  std::vector<unsigned> identify(llvm::ArrayRef<mlir::Value> values);

  /// The symbols of numbers, by their identity behind those of what was checked
  /// beside them.
  std::map<std::vector<unsigned>, mlir::Attribute> symbols;

private:
  llvm::DenseMap<mlir::Value, unsigned> ids;
  std::map<std::vector<const void *>, unsigned> computed;
  unsigned numIds = 0;
};

} // namespace tenon::normalize

#endif // TENON_PASSES_NORMALIZE_KNOWNNUMBERS_H
