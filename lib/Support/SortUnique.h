//===- SortUnique.h - a set in a vector -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_SUPPORT_SORTUNIQUE_H
#define TENON_LIB_SUPPORT_SORTUNIQUE_H

#include "llvm/ADT/STLExtras.h"

namespace tenon {

/// Sorts a vector and keeps each value once.
template <typename Vector> void sortUnique(Vector &values) {
  llvm::sort(values);
  values.erase(llvm::unique(values), values.end());
}

} // namespace tenon

#endif // TENON_LIB_SUPPORT_SORTUNIQUE_H
