//===- Pack.cpp - executes graph.pack on bytes ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Emit/Pack.h"

#include "dialects/Graph/Graph.h"
#include "dialects/Graph/Planes.h"
#include "lib/Pack/Fragments.h"
#include "lib/Pack/WinogradMatrices.h"
#include "lib/Support/NarrowFloat.h"

#include <array>
#include <cstring>

using namespace mlir;
using namespace tenon;
using emit::ByteSink;

namespace {
/// Collects elements and sends them on while they are in the cache.
template <typename To> class Pieces {
public:
  Pieces(ByteSink sink, size_t largest)
      : sink(sink), buffer(std::max(largest, pieceBytes / sizeof(To))) {}
  ~Pieces() { flush(); }

  /// Room for the next `count` elements.
  To *take(size_t count) {
    if (used + count > buffer.size())
      flush();
    used += count;
    return buffer.data() + used - count;
  }

private:
  static constexpr size_t pieceBytes = 128 << 10;

  void flush() {
    sink({reinterpret_cast<const char *>(buffer.data()), used * sizeof(To)});
    used = 0;
  }

  ByteSink sink;
  std::vector<To> buffer;
  size_t used = 0;
};

/// Element offsets in the order that a pack asks for.
struct Order {
  std::vector<int64_t> batches, ks, ns;
  size_t panel, groups;
};

/// Sends elements on, each through a function.
template <typename From, typename To, typename Convert> class Mover {
public:
  Mover(const Order &order, ArrayRef<char> source, ByteSink sink,
        Convert convert)
      : order(order), source(source.data()), pieces(sink, order.panel),
        convert(convert) {}

  void run() {
    ArrayRef<int64_t> ns = order.ns;
    size_t size = ns.size() / order.groups;
    for (int64_t batch : order.batches)
      for (size_t group = 0; group < order.groups; ++group)
        for (size_t first = 0; first < size; first += order.panel)
          movePanel(batch, ns.slice(group * size + first,
                                    std::min(order.panel, size - first)));
  }

private:
  /// One panel, of the columns `ns`.
  void movePanel(int64_t batch, ArrayRef<int64_t> ns) {
    bool isRun =
        ns.back() - ns.front() == int64_t(ns.size()) - 1 && llvm::is_sorted(ns);
    for (int64_t k : order.ks) {
      To *target = pieces.take(order.panel);
      const char *row = source + (batch + k) * sizeof(From);
      if (isRun && std::is_same_v<From, To>)
        std::memcpy(target, row + ns[0] * sizeof(From), ns.size() * sizeof(To));
      else
        gatherRow(target, row, ns);
      std::fill(target + ns.size(), target + order.panel, To(0));
    }
  }

  void gatherRow(To *target, const char *row, ArrayRef<int64_t> ns) {
    for (int64_t n : ns) {
      From element;
      std::memcpy(&element, row + n * sizeof(From), sizeof element);
      *target++ = convert(element);
    }
  }

  const Order &order;
  const char *source;
  Pieces<To> pieces;
  Convert convert;
};
} // namespace

template <typename From, typename To, typename Convert>
static void move(const Order &order, ArrayRef<char> source, ByteSink sink,
                 Convert convert) {
  Mover<From, To, Convert>(order, source, sink, convert).run();
}

template <typename Word>
static void copy(const Order &order, ArrayRef<char> source, ByteSink sink) {
  move<Word, Word>(order, source, sink, [](Word word) { return word; });
}

/// Element offsets of all indices over `dims`, in row-major order of `dims`.
static std::vector<int64_t> offsetsOver(ArrayRef<int64_t> dims,
                                        ArrayRef<int64_t> shape,
                                        ArrayRef<int64_t> strides) {
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

/// Each column becomes those of `fold` steps, which lie equally far apart
/// everywhere.
static void foldSteps(size_t fold, std::vector<int64_t> &ks,
                      std::vector<int64_t> &columns) {
  std::vector<int64_t> steps, folded;
  for (size_t i = 0; i < ks.size(); i += fold)
    steps.push_back(ks[i]);
  for (int64_t column : columns)
    for (size_t i = 0; i < fold; ++i)
      folded.push_back(column + ks[i] - ks[0]);
  ks = std::move(steps);
  columns = std::move(folded);
}

static Order orderOf(ArrayRef<int64_t> shape, DictionaryAttr attributes,
                     bool isSplat) {
  std::vector<int64_t> strides(shape.size(), isSplat ? 0 : 1);
  for (int64_t i = int64_t(shape.size()) - 2; i >= 0; --i)
    strides[i] = strides[i + 1] * shape[i + 1];
  auto offsets = [&](StringRef name) {
    return offsetsOver(listOf(attributes, name), shape, strides);
  };
  auto count = [&](StringRef name) {
    auto attribute = attributes.getAs<IntegerAttr>(name);
    return attribute ? size_t(attribute.getInt()) : 1;
  };
  std::vector<int64_t> ks = offsets("k_dims"), columns = offsets("n_dims");
  if (size_t fold = count("fold"); fold > 1)
    foldSteps(fold, ks, columns);
  return {offsets("batch_dims"), std::move(ks), std::move(columns),
          count("panel"), count("groups")};
}

static void packElements(RankedTensorType type, DictionaryAttr attributes,
                         ArrayRef<char> source, ByteSink sink) {
  size_t size = graph::elementBytes(type.getElementType());
  Order order = orderOf(type.getShape(), attributes, source.size() == size);
  auto element = attributes.getAs<TypeAttr>("element");
  if (element && element.getValue().isTF32())
    return move<float, uint32_t>(order, source, sink, roundToTf32);
  if (element)
    return element.getValue().isF16()
               ? move<float, uint16_t>(order, source, sink, HalfFloat::narrow)
               : move<float, uint16_t>(order, source, sink, BrainFloat::narrow);
  switch (size) {
  case 1:
    return copy<uint8_t>(order, source, sink);
  case 2:
    return copy<uint16_t>(order, source, sink);
  case 4:
    return copy<uint32_t>(order, source, sink);
  default:
    return copy<uint64_t>(order, source, sink);
  }
}

namespace {
/// The windows that a filter's taps along its last dimensions are cut into.
struct Windows {
  int64_t rank, side;
  tile::WinogradMatrices matrices;

  size_t taps() const { return tile::windowSize(side, rank); }
  int64_t count() const {
    return tile::windowSize(tile::windowsAlong(side, matrices.taps), rank);
  }
  int64_t points() const { return tile::windowSize(matrices.points, rank); }
};
} // namespace

static Windows windowsOf(RankedTensorType type, DictionaryAttr attributes,
                         int64_t m) {
  auto number = [&](StringRef name, int64_t otherwise) {
    auto attribute = attributes.getAs<IntegerAttr>(name);
    return attribute && attribute.getInt() ? attribute.getInt() : otherwise;
  };
  int64_t side = type.getDimSize(listOf(attributes, "k_dims").front());
  return {number("window_rank", 2), side,
          tile::winogradMatrices(m, number("window", side))};
}

/// `[..., windows, points]` of `[..., taps]`.
static std::vector<float> transformWindows(ArrayRef<char> filter,
                                           size_t elements,
                                           const Windows &windows) {
  size_t size = windows.taps();
  std::vector<float> taps(size);
  std::vector<double> transformed(windows.count() * windows.points());
  std::vector<float> result;
  result.reserve(elements / size * transformed.size());
  bool isSplat = filter.size() == sizeof(float);
  for (size_t first = 0; first < elements; first += size) {
    for (size_t tap = 0; tap < size; ++tap)
      std::memcpy(&taps[tap],
                  &filter[isSplat ? 0 : (first + tap) * sizeof(float)],
                  sizeof(float));
    tile::transformFilter(windows.matrices, windows.rank, windows.side,
                          taps.data(), transformed.data());
    result.insert(result.end(), transformed.begin(), transformed.end());
  }
  return result;
}

/// Without the dimensions of the windows.
static SmallVector<int64_t> movedDims(ArrayRef<int64_t> dims,
                                      ArrayRef<int64_t> windows) {
  SmallVector<int64_t> moved;
  for (int64_t dim : dims)
    moved.push_back(dim - llvm::count_if(windows, [&](int64_t window) {
                      return window < dim;
                    }));
  return moved;
}

/// How the transformed filter is packed: its points are the first of K, its
/// windows the next.
static DictionaryAttr packPoints(DictionaryAttr attributes, int64_t rank,
                                 int64_t windowsDim) {
  Builder b(attributes.getContext());
  ArrayRef<int64_t> k = listOf(attributes, "k_dims");
  ArrayRef<int64_t> windows = k.take_front(rank);
  auto moved = [&](ArrayRef<int64_t> dims) { return movedDims(dims, windows); };
  SmallVector<int64_t> newK = {windowsDim + 1, windowsDim};
  llvm::append_range(newK, moved(k.drop_front(rank)));
  NamedAttrList list(attributes);
  list.set("k_dims", b.getDenseI64ArrayAttr(newK));
  for (StringRef name : {"batch_dims", "n_dims"})
    list.set(name, b.getDenseI64ArrayAttr(moved(listOf(attributes, name))));
  return list.getDictionary(attributes.getContext());
}

/// The pieces of packed numbers, plane by plane.
static void packPlanes(RankedTensorType type, DictionaryAttr attributes,
                       int64_t planes, ArrayRef<char> source, ByteSink sink) {
  NamedAttrList order(attributes);
  order.erase("element");
  std::vector<float> numbers;
  numbers.reserve(size_t(type.getNumElements()));
  emit::pack(type, order.getDictionary(attributes.getContext()), source,
             [&](ArrayRef<char> bytes) {
               size_t before = numbers.size();
               numbers.resize(before + bytes.size() / sizeof(float));
               std::memcpy(&numbers[before], bytes.data(), bytes.size());
             });
  constexpr size_t together = 4096;
  std::array<uint16_t, together> pieces;
  for (int64_t plane = 0; plane < planes; ++plane)
    for (size_t first = 0; first < numbers.size(); first += together) {
      size_t count = std::min(numbers.size() - first, together);
      for (size_t i = 0; i < count; ++i) {
        // What a piece leaves is there for the next plane.
        float &number = numbers[tile::fragmentStep(int64_t(first + i))];
        pieces[i] = BrainFloat::narrow(number);
        number -= BrainFloat::widen(pieces[i]);
      }
      sink({reinterpret_cast<const char *>(pieces.data()),
            count * sizeof(uint16_t)});
    }
}

void emit::pack(RankedTensorType type, DictionaryAttr attributes,
                ArrayRef<char> source, ByteSink sink) {
  auto element = attributes.getAs<TypeAttr>("element");
  int64_t planes = element ? graph::packedPlanes(element.getValue()) : 1;
  if (planes > 1)
    return packPlanes(type, attributes, planes, source, sink);
  auto winograd = attributes.getAs<IntegerAttr>("winograd");
  if (!winograd)
    return packElements(type, attributes, source, sink);
  Windows windows = windowsOf(type, attributes, winograd.getInt());
  std::vector<float> points =
      transformWindows(source, type.getNumElements(), windows);
  ArrayRef<int64_t> dims =
      listOf(attributes, "k_dims").take_front(windows.rank);
  SmallVector<int64_t> shape;
  for (auto [dim, extent] : llvm::enumerate(type.getShape()))
    if (!llvm::is_contained(dims, dim))
      shape.push_back(extent);
  DictionaryAttr order = packPoints(attributes, windows.rank, shape.size());
  shape.append({windows.count(), windows.points()});
  auto transformed = RankedTensorType::get(shape, type.getElementType());
  ArrayRef<char> bytes(reinterpret_cast<const char *>(points.data()),
                       points.size() * sizeof(float));
  packElements(transformed, order, bytes, sink);
}
