//===- Cuts.cpp - how work is cut that only the run can measure -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Codegen/Builder/Cuts.h"

#include "dialects/Graph/TypicalSizes.h"
#include "lib/Tile/Pieces.h"

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
  // A border takes many threads longer to share out than to clear.
  constexpr int64_t ofMany = 16;
  const tile::Target &target = b.target();
  int64_t each = target.tileWork * (tile::hasManyThreads(target) ? ofMany : 1);
  return std::max<int64_t>(
      1, tile::launchTiles(about(b, rows), about(b, bytes) / each));
}

void codegen::forShares(KernelBuilder &b, int64_t parts,
                        llvm::function_ref<void(Interval)> body) {
  Interval call{b.tileBegin(), b.tileEnd()};
  if (parts == 1)
    return body(call);
  // The whole shares are [wholes.begin, wholes.end), which may be nothing.
  Interval wholes;
  wholes.begin =
      b.min(b.mul(b.div(b.add(call.begin, parts - 1), parts), parts), call.end);
  wholes.end = b.max(b.mul(b.div(call.end, parts), parts), wholes.begin);
  b.loop(b.index(0), b.index(3), 1, [&](Value part) {
    Values bounds = b.select(
        b.equal(part, b.index(1)),
        [&] { return Values{wholes.begin, wholes.end}; },
        [&] {
          return b.select(
              b.equal(part, b.index(0)),
              [&] { return Values{call.begin, wholes.begin}; },
              [&] { return Values{wholes.end, call.end}; });
        });
    b.ifThen(b.less(bounds[0], bounds[1]),
             [&] { body({bounds[0], bounds[1]}); });
  });
}
