//===- Cuts.cpp - how work is cut that only the run can measure -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Codegen/Builder/Cuts.h"

#include "dialects/Graph/TypicalSizes.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

static int64_t about(KernelBuilder &b, const Size &size) {
  if (size.isFixed())
    return size.fixed();
  Operation *around = b.builder().getInsertionBlock()->getParentOp();
  return graph::TypicalSizes::around(around).of(size);
}

int64_t codegen::rowsOfTile(KernelBuilder &b, const Size &rows,
                            const Size &elements) {
  int64_t each = about(b, elements) / std::max<int64_t>(1, about(b, rows));
  return std::max<int64_t>(1, b.target().tileWork / std::max<int64_t>(1, each));
}

bool codegen::isWorthTiles(KernelBuilder &b, const Size &run) {
  return about(b, run) > 2 * b.target().tileWork;
}

int64_t codegen::sharesOf(KernelBuilder &b, const Size &items, const Size &work,
                          int64_t workPerShare, int64_t most) {
  int64_t wanted = std::min(about(b, items), about(b, work) / workPerShare);
  return std::clamp<int64_t>(wanted, 1, most);
}

int64_t codegen::borderTiles(KernelBuilder &b, const Size &rows,
                             const Size &bytes) {
  return std::max<int64_t>(
      1,
      tile::launchTiles(about(b, rows), about(b, bytes) / b.target().tileWork));
}
