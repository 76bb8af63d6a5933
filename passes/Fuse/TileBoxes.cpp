//===- TileBoxes.cpp - the boxes of tiles of any size ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Fuse/TileBoxes.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::fuse;
using kernel::BoxMap;
using kernel::StageFootprint;

static ArrayRef<int64_t> shapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

/// Results that no stage reads.
static SmallVector<Value> lastResults(kernel::GroupOp group) {
  SmallVector<Value> values;
  for (Value yielded : group.getBlock().getTerminator()->getOperands())
    if (yielded.hasOneUse())
      values.push_back(yielded);
  return values;
}

TileBoxes::TileBoxes(kernel::GroupOp group)
    : group(group), extents(shapeOf(lastResults(group).front())) {}

static std::vector<int64_t> cutDims(const TileSizes &sizes,
                                    ArrayRef<int64_t> extents) {
  std::vector<int64_t> dims;
  for (size_t dim = 0; dim < sizes.size(); ++dim)
    if (sizes[dim] < extents[dim])
      dims.push_back(int64_t(dim));
  return dims;
}

kernel::TileAttr TileBoxes::attrOf(const TileSizes &sizes) const {
  SmallVector<int64_t> by;
  std::vector<int64_t> dims = cutDims(sizes, extents);
  for (int64_t dim : dims)
    by.push_back(sizes[dim]);
  return kernel::TileAttr::get(group.getContext(), dims, by);
}

int64_t TileBoxes::tiles(const TileSizes &sizes) const {
  int64_t tiles = 1;
  for (auto [size, extent] : llvm::zip_equal(sizes, extents))
    tiles *= int64_t(llvm::divideCeil(extent, size));
  return tiles;
}

double TileBoxes::wholeTiles(const TileSizes &sizes) const {
  double tiles = 1;
  for (auto [size, extent] : llvm::zip_equal(sizes, extents))
    tiles *= double(extent) / double(size);
  return tiles;
}

/// Whether all results that no stage reads can be cut along `dims`.
bool TileBoxes::cutsAll(ArrayRef<int64_t> dims) const {
  for (Value result : lastResults(group)) {
    ArrayRef<int64_t> shape = shapeOf(result);
    for (int64_t dim : dims)
      if (dim >= int64_t(shape.size()) || shape[dim] != extents[dim])
        return false;
  }
  return true;
}

std::optional<TileBoxes::Boxes> TileBoxes::find(ArrayRef<int64_t> dims,
                                                ArrayRef<int64_t> sizes) {
  SmallVector<int64_t> origins;
  for (auto [dim, size] : llvm::zip_equal(dims, sizes))
    origins.push_back(extents[dim] / size / 2 * size);
  group.setTileAttr(kernel::TileAttr::get(group.getContext(), dims, sizes));
  ScopedDiagnosticHandler silent(group.getContext(),
                                 [](Diagnostic &) { return success(); });
  std::string why;
  auto any = kernel::footprintsOf(group, why);
  if (failed(any))
    return std::nullopt;
  auto one = kernel::footprintsOf(group, origins, sizes);
  if (failed(one))
    return std::nullopt;
  return Boxes{std::move(*any), std::move(*one)};
}

/// Most stages can be computed in parts of any size; some in multiples only.
const std::optional<TileBoxes::Boxes> &TileBoxes::find(const TileSizes &sizes) {
  std::vector<int64_t> dims = cutDims(sizes, extents);
  auto [small, isNew] = known.try_emplace({dims, {}});
  if (isNew && cutsAll(dims))
    small->second = find(dims, SmallVector<int64_t>(dims.size(), 1));
  if (small->second || !cutsAll(dims))
    return small->second;
  std::vector<int64_t> cut;
  for (int64_t dim : dims)
    cut.push_back(sizes[dim]);
  auto [found, isFirst] = known.try_emplace({dims, cut});
  if (isFirst)
    found->second = find(dims, cut);
  return found->second;
}

/// A dimension that follows the tile grows with it; of others, what lies in the
/// tensor is known.
static BoxMap grown(const BoxMap &any, const BoxMap &one,
                    ArrayRef<int64_t> sizes, ArrayRef<int64_t> dims) {
  BoxMap box(one);
  for (auto [dim, general] : llvm::zip_equal(box, any))
    if (general.tileDim >= 0)
      dim.span =
          general.scale * (sizes[dims[general.tileDim]] - 1) + general.span;
  return box;
}

static void clip(BoxMap &box, Value value) {
  for (auto [dim, extent] : llvm::zip_equal(box, shapeOf(value)))
    dim.span = std::min(dim.span, extent);
}

std::optional<SmallVector<StageFootprint>>
TileBoxes::at(const TileSizes &sizes) {
  const std::optional<Boxes> &found = find(sizes);
  if (!found)
    return std::nullopt;
  std::vector<int64_t> dims = cutDims(sizes, extents);
  SmallVector<StageFootprint> boxes;
  auto stages = group.getBlock().getOps<kernel::StageOp>();
  for (auto [stage, any, one] :
       llvm::zip_equal(stages, found->any, found->one)) {
    StageFootprint box;
    box.needed = grown(any.needed, one.needed, sizes, dims);
    box.result = grown(any.result, one.result, sizes, dims);
    clip(box.result, stage.getResult());
    for (auto [general, operand] : llvm::zip_equal(any.operands, one.operands))
      box.operands.push_back(grown(general, operand, sizes, dims));
    boxes.push_back(std::move(box));
  }
  return boxes;
}

void TileBoxes::addValues(unsigned stage, const TileSizes &sizes,
                          StageFootprint &boxes) {
  const std::optional<Boxes> &found = find(sizes);
  std::vector<int64_t> dims = cutDims(sizes, extents);
  for (const auto &[value, one] : found->one[stage].values) {
    const BoxMap &any = found->any[stage].values.at(value);
    BoxMap box = grown(any, one, sizes, dims);
    // What stages read may hang over.
    if (!isa<BlockArgument>(value))
      clip(box, value);
    boxes.values[value] = std::move(box);
  }
}
