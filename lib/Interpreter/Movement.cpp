//===- Movement.cpp - constants, views and data movement ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file says what operations that only move elements do. They copy bytes
// and never look at numbers.
//===----------------------------------------------------------------------===//
#include "lib/Interpreter/Call.h"

#include "dialects/Graph/Graph.h"

#include <cstring>

using namespace mlir;
using namespace tenon;
using namespace tenon::interp;

static LogicalResult constant(Call &call) {
  auto op = cast<graph::ConstantOp>(call.op);
  FailureOr<Tensor> value =
      Tensor::viewElements(cast<ElementsAttr>(op.getValue()));
  if (failed(value))
    return call.fail("holds a value that cannot be read");
  call.result() = value->withType(call.result().getType());
  return call.result() ? success() : call.fail("differs from its type");
}

static LogicalResult iota(Call &call) {
  auto op = cast<graph::IotaOp>(call.op);
  Tensor &result = call.result();
  int64_t axis = op.getAxis();
  if (axis < 0 || axis >= result.getRank())
    return call.fail("has an axis outside of its result");
  double start = op.getStart().convertToDouble();
  double step = op.getStep().convertToDouble();
  Strides strides = stridesOf(result.getShape());
  int64_t extent = result.getShape()[axis];
  std::vector<double> numbers(result.size());
  for (size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = start + step * double(int64_t(i) / strides[axis] % extent);
  storeAll(result, numbers);
  return success();
}

static LogicalResult sizes(Call &call) {
  std::vector<int64_t> numbers;
  for (Attribute dim : cast<graph::SizesOp>(call.op).getDims().getDims()) {
    auto number = dyn_cast<IntegerAttr>(dim);
    if (!number)
      return call.fail("has a symbol without a size");
    numbers.push_back(number.getInt());
  }
  storeAll(call.result(), numbers);
  return success();
}

static LogicalResult reshape(Call &call) {
  call.result() = call.operands[0].withType(call.result().getType());
  return call.result() ? success() : call.fail("changes the element count");
}

static LogicalResult bitcast(Call &call) {
  call.result() = call.operands[0].withType(call.result().getType());
  return call.result() ? success() : call.fail("changes the element size");
}

static LogicalResult broadcast(Call &call) {
  Tensor &result = call.result();
  const Tensor &input = call.operands[0];
  copyStrided(result, input, 0,
              broadcastStrides(input.getShape(), result.getRank()));
  return success();
}

static LogicalResult transpose(Call &call) {
  auto op = cast<graph::TransposeOp>(call.op);
  Strides all = stridesOf(call.operands[0].getShape()), strides;
  for (int64_t dim : op.getPermutation())
    strides.push_back(all[dim]);
  copyStrided(call.result(), call.operands[0], 0, strides);
  return success();
}

static LogicalResult slice(Call &call) {
  auto op = cast<graph::SliceOp>(call.op);
  const Tensor &input = call.operands[0];
  Strides strides = stridesOf(input.getShape());
  int64_t offset = 0;
  for (auto [dim, extent] : llvm::enumerate(input.getShape())) {
    int64_t start = op.getStarts()[dim], size = op.getSizes()[dim];
    int64_t last = start + (size - 1) * op.getSteps()[dim];
    if (size > 0 &&
        (std::min(start, last) < 0 || std::max(start, last) >= extent))
      return call.fail("reaches outside of its operand");
    offset += start * strides[dim];
    strides[dim] *= op.getSteps()[dim];
  }
  copyStrided(call.result(), input, offset, strides);
  return success();
}

/// Bytes of a slab: everything from dimension `axis` on.
static int64_t slabBytes(const Tensor &tensor, int64_t axis) {
  return product(tensor.getShape().drop_front(axis)) *
         *elementSize(tensor.getElementType());
}

static LogicalResult concat(Call &call) {
  int64_t axis = cast<graph::ConcatOp>(call.op).getAxis();
  Tensor &result = call.result();
  if (axis < 0 || axis >= result.getRank())
    return call.fail("has an axis outside of its result");
  int64_t outer = product(result.getShape().take_front(axis)), done = 0;
  int64_t pitch = slabBytes(result, axis);
  for (const Tensor &operand : call.operands) {
    int64_t slab = slabBytes(operand, axis);
    if (done + slab > pitch)
      return call.fail("has operands larger than its result");
    for (int64_t i = 0; slab > 0 && i < outer; ++i)
      std::memcpy(result.mutableBytes().data() + i * pitch + done,
                  operand.bytes().data() + i * slab, slab);
    done += slab;
  }
  return success();
}

//===-- pad ---------------------------------------------------------------===//

/// Remainder that is never negative.
static int64_t wrap(int64_t position, int64_t extent) {
  return ((position % extent) + extent) % extent;
}

/// Which element of a dimension stands at a position; -1: the pad value.
static int64_t padSource(graph::PadMode mode, int64_t position,
                         int64_t extent) {
  if (position >= 0 && position < extent)
    return position;
  if (mode == graph::PadMode::Constant)
    return -1;
  if (mode == graph::PadMode::Edge)
    return position < 0 ? 0 : extent - 1;
  if (mode == graph::PadMode::Wrap)
    return wrap(position, extent);
  if (extent == 1)
    return 0;
  int64_t period = 2 * (extent - 1), place = wrap(position, period);
  return place < extent ? place : period - place;
}

/// For each index of a result dimension the source index or -1.
static SmallVector<std::vector<int64_t>>
padTables(graph::PadOp op, const Tensor &result, Shape input) {
  SmallVector<std::vector<int64_t>> tables(input.size());
  for (size_t dim = 0; dim < input.size(); ++dim)
    for (int64_t i = 0; i < result.getShape()[dim]; ++i)
      tables[dim].push_back(
          padSource(op.getMode(), i - op.getLow()[dim], input[dim]));
  return tables;
}

/// Offset of the source of result element `position`, -1 for the pad value.
static int64_t tableSource(ArrayRef<std::vector<int64_t>> tables, Shape input,
                           int64_t position) {
  int64_t offset = 0, step = 1;
  for (size_t dim = tables.size(); dim-- > 0; step *= input[dim]) {
    int64_t extent = tables[dim].size();
    int64_t source = tables[dim][position % extent];
    if (source < 0)
      return -1;
    offset += source * step;
    position /= extent;
  }
  return offset;
}

static LogicalResult pad(Call &call) {
  auto op = cast<graph::PadOp>(call.op);
  const Tensor &input = call.operands[0];
  Tensor &result = call.result();
  if (input.size() == 0 && result.size() != 0 &&
      op.getMode() != graph::PadMode::Constant)
    return call.fail("has nothing to repeat");
  auto tables = padTables(op, result, input.getShape());
  size_t size = *elementSize(result.getElementType());
  const char zeros[8] = {};
  const char *value = op.getValue() ? call.operands[1].bytes().data() : zeros;
  char *to = result.mutableBytes().data();
  for (int64_t i = 0, e = result.size(); i < e; ++i) {
    int64_t source = tableSource(tables, input.getShape(), i);
    std::memcpy(to + i * size,
                source < 0 ? value : input.bytes().data() + source * size,
                size);
  }
  return success();
}

static const Entry kEntries[] = {
    {"graph.constant", constant},   {"graph.iota", iota},
    {"graph.reshape", reshape},     {"graph.broadcast", broadcast},
    {"graph.transpose", transpose}, {"graph.slice", slice},
    {"graph.concat", concat},       {"graph.pad", pad},
    {"graph.bitcast", bitcast},     {"graph.sizes", sizes},
};

ArrayRef<Entry> tenon::interp::movementEntries() { return kEntries; }
