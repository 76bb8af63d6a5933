//===- Pack.cpp - executes graph.pack on bytes ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Emit/Pack.h"

#include "dialects/Graph/Graph.h"
#include "lib/Support/NarrowFloat.h"
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
/// Moves elements, each through a function.
template <typename From, typename To, typename Convert> struct Mover {
  const From *source;
  To *target;
  Convert convert;

  void run(ArrayRef<int64_t> batches, ArrayRef<int64_t> ks,
           ArrayRef<int64_t> ns, int64_t panel, int64_t groups) {
    size_t size = ns.size() / groups;
    for (int64_t batch : batches)
      for (int64_t group = 0; group < groups; ++group)
        for (size_t first = 0; first < size; first += panel)
          move(batch, ks, ns.slice(group * size, size).drop_front(first),
               panel);
  }

private:
  /// One panel, of the first columns in `ns`.
  void move(int64_t batch, ArrayRef<int64_t> ks, ArrayRef<int64_t> ns,
            size_t panel) {
    for (int64_t k : ks)
      for (size_t lane = 0; lane < panel; ++lane)
        *target++ =
            lane < ns.size() ? convert(source[batch + k + ns[lane]]) : To(0);
  }
};

/// The order that a pack asks for.
struct Order {
  std::vector<int64_t> batches, ks, ns;
  int64_t panel, groups;

  template <typename From, typename To, typename Convert>
  void move(ArrayRef<char> source, MutableArrayRef<char> target,
            Convert convert) const {
    Mover<From, To, Convert>{reinterpret_cast<const From *>(source.data()),
                             reinterpret_cast<To *>(target.data()), convert}
        .run(batches, ks, ns, panel, groups);
  }

  template <typename Word>
  void copy(ArrayRef<char> source, MutableArrayRef<char> target) const {
    move<Word, Word>(source, target, [](Word word) { return word; });
  }
};
} // namespace

static void packElements(RankedTensorType type, DictionaryAttr attributes,
                         ArrayRef<char> source, MutableArrayRef<char> target) {
  ArrayRef<int64_t> shape = type.getShape();
  Order order;
  order.batches = offsetsOver(listOf(attributes, "batch_dims"), shape);
  order.ks = offsetsOver(listOf(attributes, "k_dims"), shape);
  order.ns = offsetsOver(listOf(attributes, "n_dims"), shape);
  order.panel = attributes.getAs<IntegerAttr>("panel").getInt();
  auto groups = attributes.getAs<IntegerAttr>("groups");
  order.groups = groups ? groups.getInt() : 1;
  if (auto element = attributes.getAs<TypeAttr>("element"))
    return element.getValue().isF16()
               ? order.move<float, uint16_t>(source, target, HalfFloat::narrow)
               : order.move<float, uint16_t>(source, target,
                                             BrainFloat::narrow);
  switch (graph::elementBytes(type.getElementType())) {
  case 1:
    return order.copy<uint8_t>(source, target);
  case 2:
    return order.copy<uint16_t>(source, target);
  case 4:
    return order.copy<uint32_t>(source, target);
  default:
    return order.copy<uint64_t>(source, target);
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
