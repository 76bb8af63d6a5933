//===- CheckStages.cpp - proof that a group is its operations -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Fuse/CheckStages.h"

#include "lib/Poly/Execute.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/InterleavedRange.h"

#include <set>

using namespace mlir;
using namespace tenon;
using namespace tenon::fuse;

static std::string textOf(kernel::GroupOp group) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  group->print(stream,
               OpPrintingFlags().useLocalScope().elideLargeElementsAttrs());
  return text;
}

//===-- What is computed --------------------------------------------------===//

static LogicalResult checkBox(Operation *op, const poly::Box &needed,
                              const poly::BoxMath &math,
                              const kernel::BoxMap &computed,
                              ArrayRef<int64_t> index) {
  for (auto [dim, have] : llvm::zip_equal(needed.dims, computed)) {
    // More than is needed: channels of groups, what data pick.
    if (!dim.exact)
      continue;
    poly::Range range = math.at(dim, dim.tileDim < 0 ? 0 : index[dim.tileDim]);
    if (!range.empty() &&
        (range.low < have.offset || range.high >= have.offset + have.span))
      return op->emitError("in the tile at ")
             << llvm::interleaved_array(index) << " elements " << range.low
             << " to " << range.high << " of a dimension are needed, but "
             << have.span << " from " << have.offset << " on are computed";
  }
  return success();
}

LogicalResult fuse::checkBoxes(const GroupStatements &read,
                               const poly::Footprint &needed,
                               ArrayRef<int64_t> index, const Boxes &computed) {
  poly::BoxMath math(needed.tiles);
  for (auto [number, op] : llvm::enumerate(read.operations)) {
    const std::optional<poly::Box> &domain = needed.domains[number];
    if (!domain)
      continue;
    const poly::Statement &statement = read.scop.statements[number];
    poly::Box elements = poly::imageOf(read.scop, statement, statement.write,
                                       *domain, needed.tiles);
    if (failed(
            checkBox(op, elements, math, computed.at(op->getResult(0)), index)))
      return failure();
  }
  return success();
}

/// The boxes that code is made for in one tile.
static FailureOr<Boxes> computedBoxes(kernel::GroupOp group,
                                      ArrayRef<poly::TileDim> tiles,
                                      ArrayRef<int64_t> index) {
  SmallVector<int64_t> origins, extents;
  for (auto [tile, dim] : llvm::zip_equal(index, tiles)) {
    origins.push_back(tile * dim.size);
    extents.push_back(std::min(dim.size, dim.extent - origins.back()));
  }
  auto stages = kernel::footprintsOf(group, origins, extents);
  if (failed(stages))
    return failure();
  Boxes boxes;
  for (const kernel::StageFootprint &stage : *stages)
    boxes.insert(stage.values.begin(), stage.values.end());
  return boxes;
}

/// In tiles at both ends of each dimension, and in the middle; `index` has
/// those along the first dimensions.
static LogicalResult checkTiles(kernel::GroupOp group,
                                const GroupStatements &read,
                                const poly::Footprint &needed,
                                SmallVector<int64_t> &index) {
  if (index.size() == needed.tiles.size()) {
    FailureOr<Boxes> boxes = computedBoxes(group, needed.tiles, index);
    return failed(boxes) ? failure() : checkBoxes(read, needed, index, *boxes);
  }
  int64_t count = needed.tiles[index.size()].count();
  for (int64_t tile :
       std::set<int64_t>{0, 1, count / 2, count - 2, count - 1}) {
    if (tile < 0 || tile >= count)
      continue;
    index.push_back(tile);
    if (failed(checkTiles(group, read, needed, index)))
      return failure();
    index.pop_back();
  }
  return success();
}

//===-- The check ---------------------------------------------------------===//

LogicalResult StageChecker::check(kernel::GroupOp group) {
  std::string text = textOf(group);
  if (checked.contains(text))
    return success();
  std::optional<GroupStatements> read = readGroup(group);
  if (!read)
    return group.emitOpError("has stages that state no accesses");
  if (llvm::Error error = poly::check(read->scop))
    return group.emitOpError() << llvm::toString(std::move(error));
  if (llvm::Error error = poly::check(read->scop, read->group))
    return group.emitOpError() << llvm::toString(std::move(error));
  if (llvm::Error error = poly::validate(read->scop, read->group))
    return group.emitOpError("does not compute what its operations do: ")
           << llvm::toString(std::move(error));
  SmallVector<int64_t> index;
  if (failed(checkTiles(group, *read,
                        poly::footprintOf(read->scop, read->group), index)))
    return failure();
  checked.insert(text);
  return success();
}

bool StageChecker::accepts(kernel::GroupOp group) {
  ScopedDiagnosticHandler silent(group.getContext(),
                                 [](Diagnostic &) { return success(); });
  return succeeded(check(group));
}
