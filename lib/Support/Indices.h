//===- Indices.h - lists that name elements of another ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_SUPPORT_INDICES_H
#define TENON_LIB_SUPPORT_INDICES_H

#include <algorithm>
#include <cstddef>
#include <vector>

namespace tenon {

/// Whether all indices are below `size` and none appears twice.
inline bool areIndices(std::vector<unsigned> list, size_t size) {
  std::sort(list.begin(), list.end());
  return (list.empty() || list.back() < size) &&
         std::adjacent_find(list.begin(), list.end()) == list.end();
}

} // namespace tenon

#endif // TENON_LIB_SUPPORT_INDICES_H
