//===- CheckStages.cpp - proof that a group is its operations -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Fuse/CheckStages.h"

#include "dialects/Kernel/Footprint.h"
#include "lib/Poly/Execute.h"
#include "passes/Fuse/ReadGroup.h"

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

namespace {
/// Holds the boxes that code is made for against what the program needs.
class BoxChecker {
public:
  BoxChecker(kernel::GroupOp group, const GroupStatements &read)
      : group(group), read(read),
        needed(poly::footprintOf(read.scop, read.group)), math(needed.tiles) {}

  /// In tiles at both ends of each dimension, and in the middle.
  LogicalResult check() {
    std::vector<int64_t> index;
    return checkFrom(index);
  }

private:
  LogicalResult checkFrom(std::vector<int64_t> &index) {
    if (index.size() == needed.tiles.size())
      return checkTile(index);
    int64_t count = needed.tiles[index.size()].count();
    for (int64_t tile :
         std::set<int64_t>{0, 1, count / 2, count - 2, count - 1}) {
      if (tile < 0 || tile >= count)
        continue;
      index.push_back(tile);
      if (failed(checkFrom(index)))
        return failure();
      index.pop_back();
    }
    return success();
  }

  LogicalResult checkTile(ArrayRef<int64_t> index) {
    SmallVector<int64_t> origins, extents;
    for (auto [tile, dim] : llvm::zip_equal(index, needed.tiles)) {
      origins.push_back(tile * dim.size);
      extents.push_back(std::min(dim.size, dim.extent - origins.back()));
    }
    auto computed = kernel::footprintsOf(group, origins, extents);
    if (failed(computed))
      return failure();
    llvm::DenseMap<Value, kernel::BoxMap> boxes;
    for (const kernel::StageFootprint &stage : *computed)
      boxes.insert(stage.values.begin(), stage.values.end());
    for (auto [number, op] : llvm::enumerate(read.operations))
      if (failed(checkBox(op, unsigned(number), boxes, index)))
        return failure();
    return success();
  }

  LogicalResult checkBox(Operation *op, unsigned number,
                         llvm::DenseMap<Value, kernel::BoxMap> &boxes,
                         ArrayRef<int64_t> index) {
    const std::optional<poly::Box> &domain = needed.domains[number];
    if (!domain)
      return success();
    const poly::Statement &statement = read.scop.statements[number];
    poly::Box elements = poly::imageOf(read.scop, statement, statement.write,
                                       *domain, needed.tiles);
    const kernel::BoxMap &box = boxes[op->getResult(0)];
    for (auto [dim, have] : llvm::zip_equal(elements.dims, box)) {
      int64_t tile = dim.tileDim < 0 ? 0 : index[dim.tileDim];
      poly::Range range = math.at(dim, tile);
      if (!range.empty() &&
          (range.low < have.offset || range.high >= have.offset + have.span))
        return op->emitError("in the tile at ")
               << llvm::interleaved_array(index) << " elements " << range.low
               << " to " << range.high << " of a dimension are needed, but "
               << have.span << " from " << have.offset << " on are computed";
    }
    return success();
  }

  kernel::GroupOp group;
  const GroupStatements &read;
  poly::Footprint needed;
  poly::BoxMath math;
};
} // namespace

//===-- The check ---------------------------------------------------------===//

LogicalResult StageChecker::check(kernel::GroupOp group) {
  if (!checked.insert(textOf(group)).second)
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
  return BoxChecker(group, *read).check();
}
