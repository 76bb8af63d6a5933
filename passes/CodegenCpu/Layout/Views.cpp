//===- Views.cpp - tensors that are parts of other tensors' storage -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenCpu/Layout/Views.h"

#include "dialects/Graph/Graph.h"
#include "dialects/Graph/Symbols.h"
#include "passes/CodegenCpu/Strategy.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;
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

/// The dimensions that have more than one index.
static SmallVector<size_t> realDims(ArrayRef<int64_t> shape) {
  SmallVector<size_t> dims;
  for (size_t i = 0; i < shape.size(); ++i)
    if (shape[i] != 1)
      dims.push_back(i);
  return dims;
}

/// Whether dimensions `dims` are walked as one loop.
static bool isOneLoop(ArrayRef<size_t> dims, ArrayRef<int64_t> shape,
                      ArrayRef<int64_t> strides) {
  for (size_t i = 1; i < dims.size(); ++i)
    if (strides[dims[i - 1]] != strides[dims[i]] * shape[dims[i]])
      return false;
  return true;
}

/// Strides of the same elements in another shape. Both shapes are cut into the
/// shortest pieces of equally many elements; a piece must be one loop.
static std::optional<SmallVector<int64_t>> reshaped(ArrayRef<int64_t> from,
                                                    ArrayRef<int64_t> strides,
                                                    ArrayRef<int64_t> to) {
  if (llvm::is_contained(from, 0))
    return SmallVector<int64_t>(to.size(), 0); // nothing is ever walked
  SmallVector<size_t> dims = realDims(from), newDims = realDims(to);
  SmallVector<int64_t> result(to.size(), 1);
  for (size_t i = 0, k = 0; i < dims.size() && k < newDims.size();) {
    size_t firstDim = i, firstNew = k;
    int64_t left = from[dims[i++]], right = to[newDims[k++]];
    while (left != right) {
      bool isLeftSmaller = left < right;
      if (isLeftSmaller ? i == dims.size() : k == newDims.size())
        return std::nullopt;
      isLeftSmaller ? left *= from[dims[i++]] : right *= to[newDims[k++]];
    }
    if (!isOneLoop(ArrayRef(dims).slice(firstDim, i - firstDim), from, strides))
      return std::nullopt;
    int64_t step = strides[dims[i - 1]];
    for (size_t dim :
         llvm::reverse(ArrayRef(newDims).slice(firstNew, k - firstNew))) {
      result[dim] = step;
      step *= to[dim];
    }
  }
  // Dimensions of one index: as if row-major, so that equal places look equal.
  for (size_t i = to.size(); i-- > 0;)
    if (to[i] == 1 && i + 1 < to.size())
      result[i] = result[i + 1] * to[i + 1];
  return result;
}

static std::optional<TensorPlace> reshapedPlace(Value from, Value to,
                                                const TensorPlace &place) {
  auto strides =
      reshaped(typeOf(from).getShape(), place.strides, typeOf(to).getShape());
  if (!strides)
    return std::nullopt;
  return TensorPlace{place.first, std::move(*strides)};
}

static std::optional<TensorPlace> slicedPlace(graph::SliceOp op,
                                              const TensorPlace &source) {
  TensorPlace place = source;
  for (size_t i = 0; i < place.strides.size(); ++i) {
    if (op.getSteps()[i] < 1)
      return std::nullopt;
    place.first += op.getStarts()[i] * source.strides[i];
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
    place.first +=
        typeOf(concat->getOperand(i)).getDimSize(axis) * result.strides[axis];
  return place;
}

PlacedBuffer codegen::bufferAt(RankedTensorType tensor,
                               const TensorPlace &place, ArrayRef<int64_t> low,
                               ArrayRef<int64_t> high) {
  if (tensor.getNumElements() == 0)
    return {BufferType::getDense(tensor), 0};
  int64_t offset = 0, last = 0;
  for (auto [i, stride] : llvm::enumerate(place.strides)) {
    offset += low.empty() ? 0 : low[i] * stride;
    int64_t beyond = high.empty() ? 0 : high[i];
    last += (tensor.getDimSize(i) - 1 + beyond) * stride;
  }
  int64_t element = graph::elementBytes(tensor.getElementType());
  auto type = BufferType::get(tensor.getContext(), tensor, place.strides,
                              offset, (offset + last + 1) * element);
  return {type, (place.first - offset) * element};
}

namespace {
/// Neighbouring elements, and the distance to the next run of them.
struct Run {
  int64_t length = 1, distance = 1;
};
} // namespace

static Run innermostRun(ArrayRef<int64_t> shape, ArrayRef<int64_t> strides) {
  Run run;
  for (size_t i = shape.size(); i-- > 0;) {
    if (shape[i] != 1 && strides[i] != run.length)
      return {run.length, strides[i]};
    run.length *= shape[i];
  }
  return {run.length, run.length};
}

bool codegen::hasLongRows(RankedTensorType tensor, const TensorPlace &place) {
  // Shorter rows cost more in every kernel than one copy does.
  constexpr int64_t minRowBytes = 32;
  int64_t run = innermostRun(tensor.getShape(), place.strides).length;
  return run == tensor.getNumElements() ||
         run * graph::elementBytes(tensor.getElementType()) >= minRowBytes;
}

bool codegen::isSparse(RankedTensorType tensor, const TensorPlace &place) {
  Run run = innermostRun(tensor.getShape(), place.strides);
  return 2 * run.length < run.distance;
}

//===-- Users -------------------------------------------------------------===//

static bool accepts(OpOperand &use, const TensorPlace &place) {
  Operation *user = use.getOwner();
  if (auto group = dyn_cast<kernel::GroupOp>(user)) {
    BufferType type = bufferAt(typeOf(use.get()), place).type;
    const Strategy *strategy = strategyOf(group);
    if (graph::lacksSize(group))
      return type.isDense();
    return strategy &&
           strategy->canAddress(group, use.getOperandNumber(), type);
  }
  if (!isView(user))
    return false;
  std::optional<TensorPlace> next = placeThrough(user, place);
  return next && usersAccept(user->getResult(0), *next);
}

bool codegen::usersAccept(Value value, const TensorPlace &place) {
  return llvm::all_of(value.getUses(),
                      [&](OpOperand &use) { return accepts(use, place); });
}
