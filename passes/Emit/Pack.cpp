//===- Pack.cpp - executes graph.pack on bytes ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Emit/Pack.h"

#include "dialects/Graph/Graph.h"
#include "lib/Tile/WinogradMatrices.h"

#include <cstring>

using namespace mlir;
using namespace tenon;

/// The points of each 3x3 window, of which a filter's last two dimensions hold
/// one each.
static std::vector<float>
transformWindows(ArrayRef<float> windows,
                 const tile::WinogradMatrices &matrices) {
  size_t points = size_t(matrices.points * matrices.points);
  std::vector<double> transformed(points);
  std::vector<float> result;
  result.reserve(windows.size() / 9 * points);
  for (size_t i = 0; i + 9 <= windows.size(); i += 9) {
    tile::transformFilter(matrices, &windows[i], transformed.data());
    result.insert(result.end(), transformed.begin(), transformed.end());
  }
  return result;
}

/// Element offsets of all indices over `dims`, in row-major order of `dims`.
static std::vector<int64_t> offsetsOver(ArrayRef<int64_t> dims,
                                        ArrayRef<int64_t> shape) {
  std::vector<int64_t> strides(shape.size(), 1);
  for (int64_t i = int64_t(shape.size()) - 2; i >= 0; --i)
    strides[i] = strides[i + 1] * shape[i + 1];
  std::vector<int64_t> offsets = {0};
  for (int64_t dim : dims) {
    std::vector<int64_t> next;
    next.reserve(offsets.size() * shape[dim]);
    for (int64_t base : offsets)
      for (int64_t i = 0; i < shape[dim]; ++i)
        next.push_back(base + i * strides[dim]);
    offsets = std::move(next);
  }
  return offsets;
}

static ArrayRef<int64_t> listOf(DictionaryAttr attributes, StringRef name) {
  auto list = attributes.getAs<DenseI64ArrayAttr>(name);
  return list ? list.asArrayRef() : ArrayRef<int64_t>();
}

namespace {
/// Moves elements of one size.
template <typename Word> struct Mover {
  const Word *source;
  Word *target;

  void run(ArrayRef<int64_t> batches, ArrayRef<int64_t> ks,
           ArrayRef<int64_t> ns, int64_t panel) {
    int64_t count = ns.size();
    for (int64_t batch : batches)
      for (int64_t first = 0; first < count; first += panel)
        for (int64_t k : ks)
          for (int64_t lane = 0; lane < panel; ++lane)
            *target++ = first + lane < count
                            ? source[batch + k + ns[first + lane]]
                            : Word(0);
  }
};
} // namespace

template <typename Word>
static void move(ArrayRef<char> source, MutableArrayRef<char> target,
                 ArrayRef<int64_t> batches, ArrayRef<int64_t> ks,
                 ArrayRef<int64_t> ns, int64_t panel) {
  Mover<Word>{reinterpret_cast<const Word *>(source.data()),
              reinterpret_cast<Word *>(target.data())}
      .run(batches, ks, ns, panel);
}

static void packElements(RankedTensorType type, DictionaryAttr attributes,
                         ArrayRef<char> source, MutableArrayRef<char> target) {
  ArrayRef<int64_t> shape = type.getShape();
  auto batches = offsetsOver(listOf(attributes, "batch_dims"), shape);
  auto ks = offsetsOver(listOf(attributes, "k_dims"), shape);
  auto ns = offsetsOver(listOf(attributes, "n_dims"), shape);
  int64_t panel = attributes.getAs<IntegerAttr>("panel").getInt();
  switch (graph::elementBytes(type.getElementType())) {
  case 1:
    return move<uint8_t>(source, target, batches, ks, ns, panel);
  case 2:
    return move<uint16_t>(source, target, batches, ks, ns, panel);
  case 4:
    return move<uint32_t>(source, target, batches, ks, ns, panel);
  default:
    return move<uint64_t>(source, target, batches, ks, ns, panel);
  }
}

void emit::pack(RankedTensorType type, DictionaryAttr attributes,
                ArrayRef<char> source, MutableArrayRef<char> target) {
  auto winograd = attributes.getAs<IntegerAttr>("winograd");
  if (!winograd)
    return packElements(type, attributes, source, target);
  tile::WinogradMatrices matrices = tile::winogradMatrices(winograd.getInt());
  ArrayRef<float> filter(reinterpret_cast<const float *>(source.data()),
                         source.size() / sizeof(float));
  std::vector<float> points = transformWindows(filter, matrices);
  auto transformed =
      RankedTensorType::get({type.getDimSize(0), type.getDimSize(1),
                             matrices.points, matrices.points},
                            type.getElementType());
  ArrayRef<char> bytes(reinterpret_cast<const char *>(points.data()),
                       points.size() * sizeof(float));
  packElements(transformed, attributes, bytes, target);
}
