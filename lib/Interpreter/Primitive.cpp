//===- Primitive.cpp - primitives being called ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file finds the function of a primitive, and says what the machine's own
// ones mean.
//===----------------------------------------------------------------------===//
#include "lib/Interpreter/Primitive.h"

#include "dialects/Control/Control.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::interp;

//===-- Operands ----------------------------------------------------------===//

const Tensor *PrimitiveCall::tensor(unsigned index) {
  const Datum *datum = array(index);
  if (datum && datum->tensor())
    return datum->tensor();
  reason = "wants a tensor of numbers as operand " + std::to_string(index);
  return nullptr;
}

const Strings *PrimitiveCall::strings(unsigned index) {
  const Datum *datum = array(index);
  if (datum && datum->strings())
    return datum->strings();
  reason = "wants strings as operand " + std::to_string(index);
  return nullptr;
}

const Datum *PrimitiveCall::array(unsigned index) {
  if (index < operands.size() && operands[index].arrayType())
    return &operands[index];
  reason = "wants a tensor as operand " + std::to_string(index);
  return nullptr;
}

const std::vector<Datum> *PrimitiveCall::sequence(unsigned index) {
  if (index < operands.size() && operands[index].sequence())
    return operands[index].sequence();
  reason = "wants a sequence as operand " + std::to_string(index);
  return nullptr;
}

LogicalResult PrimitiveCall::give(Datum result) {
  if (!result)
    return fail("has a result that is too large");
  results.push_back(std::move(result));
  return success();
}

std::optional<int64_t> tenon::interp::axisOf(int64_t axis, int64_t rank) {
  if (axis < -rank || axis >= rank)
    return std::nullopt;
  return axis < 0 ? axis + rank : axis;
}

//===-- The machine's -----------------------------------------------------===//

static LogicalResult copy(PrimitiveCall &call) {
  return call.give(call.operands[0]);
}

static LogicalResult kill(PrimitiveCall &) { return success(); }

/// A number where one is expected.
static LogicalResult readNumber(PrimitiveCall &call, unsigned index,
                                int64_t &number) {
  std::optional<int64_t> read = oneNumber(call.operand(index));
  if (!read)
    return call.fail("wants one number as operand " + Twine(index));
  number = *read;
  return success();
}

static LogicalResult loopTest(PrimitiveCall &call) {
  int64_t iteration, trip = std::numeric_limits<int64_t>::max(), condition = 1;
  if (failed(readNumber(call, 0, iteration)) ||
      (call.operand(1) && failed(readNumber(call, 1, trip))) ||
      (call.operand(2) && failed(readNumber(call, 2, condition))))
    return failure();
  return call.give(truthOf(call.context(), iteration < trip && condition));
}

static LogicalResult increment(PrimitiveCall &call) {
  int64_t number;
  if (failed(readNumber(call, 0, number)))
    return failure();
  return call.give(numberOf(call.context(), int64_t(uint64_t(number) + 1)));
}

/// Its integers are code and bits of the elements, then the extents of each; a
/// second operand has those that are not known.
static LogicalResult stack(PrimitiveCall &call) {
  const std::vector<Datum> *list = call.sequence(0);
  if (!list)
    return failure();
  if (list->empty()) {
    auto type = dyn_cast<RankedTensorType>(call.op->getResultTypes().front());
    if (!type)
      return call.fail("has a result without a rank");
    SmallVector<int64_t> shape = {0}, sizes;
    if (call.operands.size() > 1) {
      const Tensor *vector = call.tensor(1);
      if (!vector)
        return failure();
      llvm::append_range(sizes, loadAll<int64_t>(*vector));
    }
    ArrayRef<int64_t> extents = call.integers.drop_front(2);
    sizes.resize(extents.size());
    for (auto [extent, size] : llvm::zip(extents, sizes))
      shape.push_back(std::max<int64_t>(extent < 0 ? size : extent, 0));
    return call.give(
        emptyArray(RankedTensorType::get(shape, type.getElementType())));
  }
  Datum stacked = join(*list, 0, /*isNewAxis=*/true, call.reason);
  return stacked ? call.give(stacked) : failure();
}

static LogicalResult extents(PrimitiveCall &call) {
  const Tensor *vector = call.tensor(0);
  if (!vector)
    return failure();
  SmallVector<int64_t> shape;
  size_t sizes = call.integers.empty() ? SIZE_MAX : size_t(call.integers[0]);
  for (int64_t extent : loadAll<int64_t>(*vector)) {
    if (extent < 0)
      return call.fail((shape.size() < sizes ? "has a negative extent, "
                                             : "leaves of a limit ") +
                       Twine(extent));
    shape.push_back(extent);
  }
  shape.push_back(0);
  return call.give(emptyArray(
      RankedTensorType::get(shape, IntegerType::get(call.context(), 8))));
}

static const PrimitiveEntry kEntries[] = {
    {"copy", copy},           {"kill", kill},   {"loop_test", loopTest},
    {"increment", increment}, {"stack", stack}, {"extents", extents},
};

ArrayRef<PrimitiveEntry> tenon::interp::basicPrimitives() { return kEntries; }

//===-- Calls -------------------------------------------------------------===//

static PrimitiveFunction lookup(StringRef name) {
  static const llvm::StringMap<PrimitiveFunction> table = [] {
    llvm::StringMap<PrimitiveFunction> table;
    for (ArrayRef<PrimitiveEntry> family :
         {basicPrimitives(), findingPrimitives(), boxPrimitives(),
          sequencePrimitives(), stringPrimitives()})
      for (const PrimitiveEntry &entry : family)
        table[entry.name] = entry.function;
    return table;
  }();
  return table.lookup(name);
}

bool tenon::interp::hasPrimitive(StringRef name) {
  return lookup(name) != nullptr;
}

LogicalResult tenon::interp::runPrimitive(PrimitiveCall &call) {
  PrimitiveFunction function =
      lookup(cast<control::CallOp>(call.op).getPrimitive());
  if (!function)
    return call.fail("has no semantics in the interpreter");
  return function(call);
}
