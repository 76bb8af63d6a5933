//===- Columns.cpp - pools combine columns, then pixels -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenCpu/Window/Columns.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

WindowColumns::WindowColumns(const WindowNest &nest, const WindowTaps &taps,
                             const WindowTile &tile)
    : nest(nest), taps(taps), tile(tile) {
  const WindowDim &width = nest.dims[2];
  for (int64_t column : usedColumns(width, tile.pixels, width.kernel))
    if (tile.firstColumn <= column && column < tile.endColumn)
      columns.push_back(column);
}

SmallVector<size_t> WindowColumns::columnsOf(int64_t pixel) const {
  const WindowDim &width = nest.dims[2];
  SmallVector<size_t> result;
  for (auto [i, column] : llvm::enumerate(columns)) {
    int64_t tap = column - pixel * width.stride;
    if (tap >= 0 && tap % width.dilation == 0 &&
        tap / width.dilation < width.kernel)
      result.push_back(i);
  }
  return result;
}

//===-- Sharing -----------------------------------------------------------===//

using Indices = SmallVector<size_t>;

/// Splits what `first` and `second` use into what both do and the rest.
static Indices splitShared(Indices &first, Indices &second) {
  Indices shared;
  llvm::copy_if(first, std::back_inserter(shared),
                [&](size_t i) { return llvm::is_contained(second, i); });
  auto isShared = [&](size_t i) { return llvm::is_contained(shared, i); };
  llvm::erase_if(first, isShared);
  llvm::erase_if(second, isShared);
  return shared;
}

/// Calls `done` for the sums of the elements that each of `uses` lists. `join`
/// adds an element to a sum that may be absent. What two neighbours
/// share is summed once.
static void sumUses(ArrayRef<Indices> uses,
                    function_ref<Value(Value sum, size_t i)> join,
                    function_ref<void(Value sum)> done) {
  auto addAll = [&](Value sum, ArrayRef<size_t> some) {
    for (size_t i : some)
      sum = join(sum, i);
    return sum;
  };
  for (size_t i = 0; i < uses.size(); i += 2) {
    Indices first = uses[i], second, shared;
    if (i + 1 < uses.size()) {
      second = uses[i + 1];
      shared = splitShared(first, second);
    }
    Value both = addAll({}, shared);
    done(addAll(both, first));
    if (i + 1 < uses.size())
      done(addAll(both, second));
  }
}

//===-- Rows of a column --------------------------------------------------===//

Value WindowColumns::load(Value base, size_t column) const {
  Size at = nest.dims[2].pitch * (columns[column] - origin());
  return taps.loadInput(base, at, tile.last);
}

/// A maximum starts from an element only after that lost to nothing: it may be
/// no number.
Value WindowColumns::join(Value sum, Value value) const {
  if (!sum && taps.startsFromElement())
    return value;
  return taps.combine(sum ? sum : taps.initial(), value);
}

Values WindowColumns::initial() const {
  return Values(columns.size(), taps.initial());
}

Values WindowColumns::addRow(Value base, ValueRange sums) const {
  Values next;
  for (auto [i, sum] : llvm::enumerate(sums))
    next.push_back(join(sum, load(base, i)));
  return next;
}

//===-- Columns of a pixel ------------------------------------------------===//

Values WindowColumns::combine(ValueRange sums) const {
  SmallVector<Indices> uses;
  for (int64_t p = 0; p < tile.pixels; ++p)
    uses.push_back(columnsOf(p));
  Values pixels;
  sumUses(
      uses,
      [&](Value sum, size_t i) {
        return sum ? taps.combine(sum, sums[i]) : sums[i];
      },
      [&](Value sum) { pixels.push_back(sum ? sum : taps.initial()); });
  return pixels;
}

Values WindowColumns::combineRows(ValueRange bases,
                                  ArrayRef<Indices> uses) const {
  SmallVector<Values> rows(uses.size());
  for (size_t column = 0; column < columns.size(); ++column) {
    Values loaded;
    for (Value base : bases)
      loaded.push_back(load(base, column));
    auto row = rows.begin();
    sumUses(
        uses, [&](Value sum, size_t i) { return join(sum, loaded[i]); },
        [&](Value sum) { (row++)->push_back(sum); });
  }
  Values pixels;
  for (const Values &row : rows)
    pixels.append(combine(row));
  return pixels;
}
