//===- UnitTerms.cpp - products of fragments ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenGpu/Contraction/UnitTerms.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::gpu;
using tile::Precision;

Fragment tenon::gpu::fragmentOf(ThreadBuilder &t, Precision unit,
                                Values words) {
  if (unit == Precision::TF32)
    for (Value &word : words)
      word = t.toTf32(word);
  if (unit != Precision::F32)
    return {words};
  Fragment split(2);
  for (Value word : words) {
    auto [large, rest] = t.splitTf32(word);
    split[0].push_back(large);
    split[1].push_back(rest);
  }
  return split;
}

void tenon::gpu::addProducts(ThreadBuilder &t, Precision unit,
                             ArrayRef<Fragment> rows,
                             ArrayRef<Fragment> columns,
                             MutableArrayRef<Value> sums) {
  // The smallest products first.
  SmallVector<std::pair<size_t, size_t>> terms = {{0, 0}};
  if (unit == Precision::F32)
    terms = {{1, 0}, {0, 1}, {0, 0}};
  size_t across = columns.size() * 2;
  for (auto [u, v] : terms)
    for (size_t m = 0; m < rows.size(); ++m)
      for (size_t n = 0; n < across; ++n) {
        MutableArrayRef<Value> own = sums.slice((m * across + n) * 4, 4);
        ValueRange column = columns[n / 2][v];
        Values next =
            t.multiply(unit, rows[m][u], column.slice(n % 2 * 2, 2), own);
        llvm::copy(next, own.begin());
      }
}
