//===- Sequences.cpp - lists of tensors, and values that may be absent ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file says what the primitives of sequences and optionals do.
//===----------------------------------------------------------------------===//
#include "lib/Interpreter/Primitive.h"

using namespace mlir;
using namespace tenon::interp;

static LogicalResult construct(PrimitiveCall &call) {
  return call.give(
      Datum::sequence({call.operands.begin(), call.operands.end()}));
}

/// The position that an operand says, from 0 to `last`; `otherwise` where it is
/// left out. Negative ones count from the end, the length of the sequence.
static LogicalResult readPosition(PrimitiveCall &call, unsigned index,
                                  int64_t length, int64_t last,
                                  int64_t otherwise, int64_t &position) {
  position = otherwise;
  if (Datum operand = call.operand(index)) {
    std::optional<int64_t> number = oneNumber(operand);
    if (!number)
      return call.fail("wants one number as the position, not " +
                       operand.describe());
    position = *number;
  }
  if (position < -length || position > last)
    return call.fail("has position " + Twine(position) + " in a sequence of " +
                     Twine(length));
  position += position < 0 ? length : 0;
  return success();
}

static LogicalResult insert(PrimitiveCall &call) {
  const std::vector<Datum> *list = call.sequence(0);
  const Datum *added = call.array(1);
  if (!list || !added)
    return failure();
  int64_t length = list->size(), position;
  if (failed(readPosition(call, 2, length, length, length, position)))
    return failure();
  std::vector<Datum> longer = *list;
  longer.insert(longer.begin() + position, *added);
  return call.give(Datum::sequence(std::move(longer)));
}

static LogicalResult erase(PrimitiveCall &call) {
  const std::vector<Datum> *list = call.sequence(0);
  if (!list)
    return failure();
  int64_t length = list->size(), position;
  if (failed(readPosition(call, 1, length, length - 1, -1, position)))
    return failure();
  std::vector<Datum> shorter = *list;
  shorter.erase(shorter.begin() + position);
  return call.give(Datum::sequence(std::move(shorter)));
}

static LogicalResult at(PrimitiveCall &call) {
  const std::vector<Datum> *list = call.sequence(0);
  if (!list)
    return failure();
  int64_t length = list->size(), position;
  if (failed(readPosition(call, 1, length, length - 1, 0, position)))
    return failure();
  return call.give((*list)[position]);
}

static LogicalResult length(PrimitiveCall &call) {
  const std::vector<Datum> *list = call.sequence(0);
  if (!list)
    return failure();
  return call.give(numberOf(call.context(), list->size()));
}

static LogicalResult concat(PrimitiveCall &call) {
  const std::vector<Datum> *list = call.sequence(0);
  if (!list)
    return failure();
  if (list->empty())
    return call.fail("has an empty sequence");
  bool isNewAxis = call.integers[1] != 0;
  int64_t rank = list->front().getShape().size() + isNewAxis;
  std::optional<int64_t> axis = axisOf(call.integers[0], rank);
  if (!axis)
    return call.fail("has no axis " + Twine(call.integers[0]) +
                     " in tensors like " + list->front().describe());
  Datum joined = join(*list, *axis, isNewAxis, call.reason);
  return joined ? call.give(joined) : failure();
}

//===-- Splitting ---------------------------------------------------------===//

/// How long the pieces of `extent` are: 1 where nothing says so, all alike for
/// one number, else as the vector says.
static LogicalResult readPieces(PrimitiveCall &call, int64_t extent,
                                std::vector<int64_t> &pieces) {
  Datum split = call.operand(1);
  if (split && !split.tensor())
    return call.fail("wants numbers as lengths of pieces");
  if (split && split.tensor()->getRank() == 1) {
    pieces = loadAll<int64_t>(*split.tensor());
    int64_t rest = extent;
    for (int64_t piece : pieces) {
      if (piece < 0 || piece > rest)
        return call.fail("has pieces that do not make up " + Twine(extent));
      rest -= piece;
    }
    if (rest != 0)
      return call.fail("has pieces that do not make up " + Twine(extent));
    return success();
  }
  int64_t piece = split ? oneNumber(split).value_or(0) : 1;
  if (piece <= 0)
    return call.fail("has pieces that are not longer than 0");
  for (int64_t rest = extent; rest > 0; rest -= piece)
    pieces.push_back(std::min(piece, rest));
  return success();
}

static LogicalResult split(PrimitiveCall &call) {
  const Datum *array = call.array(0);
  if (!array)
    return failure();
  SmallVector<int64_t> shape(array->getShape());
  std::optional<int64_t> axis = axisOf(call.integers[0], shape.size());
  if (!axis)
    return call.fail("has no axis " + Twine(call.integers[0]) + " in " +
                     array->describe());
  std::vector<int64_t> pieces;
  if (failed(readPieces(call, shape[*axis], pieces)))
    return failure();
  bool dropsAxis = !call.operand(1) && !call.integers[1];
  SmallVector<int64_t> dropped = shape;
  dropped.erase(dropped.begin() + *axis);
  std::vector<Datum> list;
  int64_t begin = 0;
  for (int64_t piece : pieces) {
    auto indices = llvm::to_vector(llvm::seq(begin, begin + piece));
    Datum slice = pickSlices(*array, *axis, indices);
    list.push_back(dropsAxis ? reshaped(slice, dropped) : slice);
    begin += piece;
  }
  return call.give(Datum::sequence(std::move(list)));
}

//===-- Optionals ---------------------------------------------------------===//

static LogicalResult optional(PrimitiveCall &call) {
  return call.give(Datum::optional(call.operand(0)));
}

static LogicalResult has(PrimitiveCall &call) {
  return call.give(truthOf(call.context(), bool(call.operand(0))));
}

static LogicalResult get(PrimitiveCall &call) {
  Datum element = call.operand(0);
  if (!element)
    return call.fail("has an optional that is empty");
  return call.give(element);
}

static const PrimitiveEntry kEntries[] = {
    {"sequence_construct", construct},
    {"sequence_insert", insert},
    {"sequence_erase", erase},
    {"sequence_at", at},
    {"sequence_length", length},
    {"sequence_concat", concat},
    {"split_to_sequence", split},
    {"optional", optional},
    {"optional_has", has},
    {"optional_get", get},
};

ArrayRef<PrimitiveEntry> tenon::interp::sequencePrimitives() {
  return kEntries;
}
