//===- Views.cpp - tensors that are parts of other tensors' storage -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Codegen/Layout/Views.h"

#include "dialects/Graph/Graph.h"
#include "dialects/Graph/Shapes.h"
#include "dialects/Graph/Symbols.h"
#include "dialects/Graph/TypicalSizes.h"
#include "passes/Codegen/Groups/EachIndex.h"
#include "passes/Codegen/Strategy.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;
using graph::Size;
using graph::Sizes;
using memory::BufferType;

static RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

bool codegen::isView(Operation *op) {
  return isa_and_nonnull<graph::ReshapeOp, graph::BitcastOp, graph::SliceOp,
                         graph::TransposeOp>(op);
}

Value codegen::viewedTensor(Value value) {
  while (isView(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  return value;
}

//===-- Places ------------------------------------------------------------===//

/// The dimensions that may have more than one index.
static SmallVector<size_t> realDims(ArrayRef<Size> shape) {
  SmallVector<size_t> dims;
  for (size_t i = 0; i < shape.size(); ++i)
    if (!shape[i].is(1))
      dims.push_back(i);
  return dims;
}

/// Whether dimensions `dims` are walked as one loop.
static bool isOneLoop(ArrayRef<size_t> dims, ArrayRef<Size> shape,
                      ArrayRef<Size> strides) {
  for (size_t i = 1; i < dims.size(); ++i)
    if (strides[dims[i - 1]] != strides[dims[i]] * shape[dims[i]])
      return false;
  return true;
}

/// Whether `left` has to grow to become `right`; none if neither divides the
/// other.
static std::optional<bool> isSmaller(const Size &left, const Size &right) {
  if (left.isFixed() && right.isFixed())
    return left.fixed() < right.fixed();
  if (graph::quotientOf(right, left))
    return true;
  return graph::quotientOf(left, right) ? std::optional(false) : std::nullopt;
}

/// Strides of the same elements in another shape. Both shapes are cut into the
/// shortest pieces of equally many elements; a piece must be one loop.
static std::optional<Sizes>
reshaped(ArrayRef<Size> from, ArrayRef<Size> strides, ArrayRef<Size> to) {
  if (llvm::is_contained(from, Size(0)))
    return Sizes(to.size(), 0); // nothing is ever walked
  SmallVector<size_t> dims = realDims(from), newDims = realDims(to);
  Sizes result(to.size(), 1);
  size_t i = 0, k = 0;
  while (i < dims.size() && k < newDims.size()) {
    size_t firstDim = i, firstNew = k;
    Size left = from[dims[i++]], right = to[newDims[k++]];
    while (left != right) {
      std::optional<bool> isLeft = isSmaller(left, right);
      if (!isLeft || (*isLeft ? i == dims.size() : k == newDims.size()))
        return std::nullopt;
      *isLeft ? left *= from[dims[i++]] : right *= to[newDims[k++]];
    }
    if (!isOneLoop(ArrayRef(dims).slice(firstDim, i - firstDim), from, strides))
      return std::nullopt;
    Size step = strides[dims[i - 1]];
    for (size_t dim :
         llvm::reverse(ArrayRef(newDims).slice(firstNew, k - firstNew))) {
      result[dim] = step;
      step *= to[dim];
    }
  }
  bool isComplete = i == dims.size() && k == newDims.size();
  if (!isComplete)
    return std::nullopt;
  // Dimensions of one index: as if row-major, so that equal places look equal.
  for (size_t d = to.size(); d-- > 0;)
    if (to[d].is(1) && d + 1 < to.size())
      result[d] = result[d + 1] * to[d + 1];
  return result;
}

static std::optional<TensorPlace> reshapedPlace(Value from, Value to,
                                                const TensorPlace &place) {
  Sizes shape = graph::sizesOf(typeOf(from)),
        wanted = graph::sizesOf(typeOf(to));
  // What lies dense is dense in any shape, whatever can be said of its pieces.
  bool isOpen = graph::lacksSize(typeOf(from)) || graph::lacksSize(typeOf(to));
  if (place.strides == graph::denseStrides(shape) && isOpen)
    return TensorPlace{place.first, graph::denseStrides(wanted)};
  auto strides = reshaped(shape, place.strides, wanted);
  if (!strides)
    return std::nullopt;
  return TensorPlace{place.first, std::move(*strides)};
}

static std::optional<TensorPlace> slicedPlace(graph::SliceOp op,
                                              const TensorPlace &source) {
  TensorPlace place = source;
  SmallVector<Attribute> starts = op.startDims();
  for (size_t i = 0; i < place.strides.size(); ++i) {
    if (op.getSteps()[i] < 1)
      return std::nullopt;
    place.first += source.strides[i] * Size(starts[i]);
    place.strides[i] *= op.getSteps()[i];
  }
  return place;
}

std::optional<TensorPlace> codegen::placeThrough(Operation *view,
                                                 const TensorPlace &source) {
  if (auto slice = dyn_cast<graph::SliceOp>(view))
    return slicedPlace(slice, source);
  if (isa<graph::ReshapeOp>(view))
    return reshapedPlace(view->getOperand(0), view->getResult(0), source);
  if (isa<graph::BitcastOp>(view))
    return source;
  TensorPlace place{source.first, {}};
  for (int64_t from : cast<graph::TransposeOp>(view).getPermutation())
    place.strides.push_back(source.strides[from]);
  return place;
}

std::optional<TensorPlace> codegen::placeBefore(Operation *view,
                                                const TensorPlace &result) {
  if (isa<graph::SliceOp>(view))
    return std::nullopt;
  if (isa<graph::ReshapeOp>(view))
    return reshapedPlace(view->getResult(0), view->getOperand(0), result);
  if (isa<graph::BitcastOp>(view))
    return result;
  TensorPlace place = result;
  ArrayRef<int64_t> order = cast<graph::TransposeOp>(view).getPermutation();
  for (auto [i, from] : llvm::enumerate(order))
    place.strides[from] = result.strides[i];
  return place;
}

TensorPlace codegen::placeOfPart(Operation *concat, unsigned index,
                                 const TensorPlace &result) {
  int64_t axis = cast<graph::ConcatOp>(concat).getAxis();
  TensorPlace place = result;
  for (unsigned i = 0; i < index; ++i)
    place.first += graph::sizesOf(typeOf(concat->getOperand(i)))[axis] *
                   result.strides[axis];
  return place;
}

Operation *codegen::concatIn(kernel::GroupOp group) {
  auto concat = dyn_cast<graph::ConcatOp>(group.getBlock().front());
  bool isAlone = concat && isa<kernel::YieldOp>(concat->getNextNode());
  return isAlone && group.getNumResults() == 1 ? concat : graph::ConcatOp();
}

BufferType codegen::withRoom(RankedTensorType tensor, int64_t axis,
                             const Size &room) {
  Sizes shape = graph::sizesOf(tensor);
  shape[axis] += room;
  return kernel::bufferOf(tensor, graph::denseStrides(shape), 0,
                          graph::productOf(shape) *
                              graph::elementBytes(tensor.getElementType()));
}

PlacedBuffer codegen::bufferAt(RankedTensorType tensor,
                               const TensorPlace &place, ArrayRef<int64_t> low,
                               ArrayRef<int64_t> high) {
  if (graph::isEmpty(tensor))
    return {BufferType::getDense(tensor), 0};
  Sizes shape = graph::sizesOf(tensor);
  Size offset = 0, last = 0;
  for (auto [i, stride] : llvm::enumerate(place.strides)) {
    offset += low.empty() ? Size(0) : stride * low[i];
    last += (shape[i] + ((high.empty() ? 0 : high[i]) - 1)) * stride;
  }
  int64_t element = graph::elementBytes(tensor.getElementType());
  // A view begins at a number: what sizes say is the type's.
  if (!(place.first - offset).isFixed())
    offset = place.first;
  BufferType type = kernel::bufferOf(tensor, place.strides, offset,
                                     (offset + last + 1) * element);
  return {type, (place.first - offset).fixed() * element};
}

namespace {
/// Neighbouring elements, and the distance to the next run of them.
struct Run {
  int64_t length = 1, distance = 1;
};
} // namespace

static Run innermostRun(RankedTensorType tensor, ArrayRef<Size> strides,
                        const graph::TypicalSizes &typical) {
  Sizes shape = graph::sizesOf(tensor);
  Size length = 1;
  for (size_t i = shape.size(); i-- > 0;) {
    if (!shape[i].is(1) && strides[i] != length)
      return {typical.of(length), typical.of(strides[i])};
    length *= shape[i];
  }
  return {typical.of(length), typical.of(length)};
}

bool codegen::hasLongRows(RankedTensorType tensor, const TensorPlace &place,
                          const graph::TypicalSizes &sizes) {
  // Shorter rows cost more in every kernel than one copy does.
  constexpr int64_t minRowBytes = 32;
  int64_t run = innermostRun(tensor, place.strides, sizes).length;
  return run == sizes.of(graph::productOf(graph::sizesOf(tensor))) ||
         run * graph::elementBytes(tensor.getElementType()) >= minRowBytes;
}

bool codegen::isSparse(RankedTensorType tensor, const TensorPlace &place,
                       const graph::TypicalSizes &sizes) {
  Run run = innermostRun(tensor, place.strides, sizes);
  return 2 * run.length < run.distance;
}

//===-- Users -------------------------------------------------------------===//

bool codegen::groupAccepts(kernel::GroupOp group, unsigned index,
                           RankedTensorType tensor, const TensorPlace &place) {
  PlacedBuffer buffer = bufferAt(tensor, place);
  if (!group.getEach())
    return canAddressBuffer(group, index, buffer);
  std::optional<BufferType> part = partOfOneIndex(buffer.type);
  GroupInstance one = instanceOfOneIndex(group);
  return part && canAddressBuffer(one.get(), index, {*part, buffer.byteOffset});
}

static bool accepts(OpOperand &use, const TensorPlace &place) {
  Operation *user = use.getOwner();
  if (auto group = dyn_cast<kernel::GroupOp>(user))
    return groupAccepts(group, use.getOperandNumber(), typeOf(use.get()),
                        place);
  if (!isView(user))
    return false;
  std::optional<TensorPlace> next = placeThrough(user, place);
  return next && usersAccept(user->getResult(0), *next);
}

bool codegen::usersAccept(Value value, const TensorPlace &place) {
  return llvm::all_of(value.getUses(),
                      [&](OpOperand &use) { return accepts(use, place); });
}
