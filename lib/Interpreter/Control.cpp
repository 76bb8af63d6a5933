//===- Control.cpp - branches, loops and calls ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file executes the control dialect.
//===----------------------------------------------------------------------===//
#include "lib/Interpreter/Arrays.h"
#include "lib/Interpreter/Execution.h"
#include "lib/Interpreter/Primitive.h"

#include "dialects/Graph/Instances.h"
#include "dialects/Graph/Shapes.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::interp;

/// Deeper nests of calls are refused: they take the machine's stack.
static constexpr size_t kMaxDepth = 1000;

FailureOr<Data> Execution::callFunction(Operation *caller,
                                        FlatSymbolRefAttr callee,
                                        ArrayRef<Datum> arguments) {
  auto function =
      table.lookupNearestSymbolFrom<FunctionOpInterface>(caller, callee);
  if (!function)
    return caller->emitError("there is no function ") << callee;
  if (llvm::is_contained(active, function.getOperation()))
    return caller->emitError("calls ") << callee << " while it runs";
  if (active.size() >= kMaxDepth)
    return caller->emitError("calls nest too deep");
  auto results = run(function, arguments);
  if (failed(results))
    return failure();
  if (results->size() != caller->getNumResults() &&
      !isa<control::LoopOp>(caller))
    return caller->emitError()
           << callee << " gives " << results->size() << " results";
  return results;
}

LogicalResult Execution::bindResults(Operation *op, ArrayRef<Datum> results,
                                     Symbols &symbols) {
  std::string reason;
  for (auto [index, result] : llvm::enumerate(results)) {
    Type type = op->getResultTypes()[index];
    if (!result.isOf(type))
      return op->emitError("result ") << index << " is " << result.describe()
                                      << ", which is no " << type;
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (tensor && failed(symbols.bind(tensor, result.getShape(), reason)))
      return op->emitError("result ") << index << ": " << reason;
  }
  if (failed(symbols.check(constraints, reason)))
    return op->emitError("dimension ") << reason;
  return success();
}

FailureOr<Data> Execution::branch(control::IfOp op, ArrayRef<Datum> operands) {
  std::optional<int64_t> condition = oneNumber(operands.front());
  if (!condition)
    return op.emitError("the condition is ")
           << operands.front().describe() << ", not one element";
  return callFunction(
      op, *condition ? op.getThenFunctionAttr() : op.getElseFunctionAttr(),
      operands.drop_front());
}

//===-- Loops -------------------------------------------------------------===//

namespace {
/// The state of a loop between iterations.
struct Iterations {
  std::optional<int64_t> trip;
  bool condition = true;
  int64_t number = 0;
  Data carried;
  std::vector<std::vector<Datum>> scans;

  bool goOn() const { return condition && (!trip || number < *trip); }
};
} // namespace

/// What bounds the loop; an error where it is not one number.
static LogicalResult readBounds(control::LoopOp op, ArrayRef<Datum> operands,
                                Iterations &loop) {
  if (op.getTrip()) {
    loop.trip = oneNumber(operands.front());
    if (!loop.trip)
      return op.emitError("the trip count is ")
             << operands.front().describe() << ", not one number";
    operands = operands.drop_front();
  }
  if (!op.getCondition())
    return success();
  std::optional<int64_t> condition = oneNumber(operands.front());
  if (!condition)
    return op.emitError("the condition is ")
           << operands.front().describe() << ", not one element";
  loop.condition = *condition != 0;
  return success();
}

/// Takes the results of an iteration apart.
static LogicalResult endIteration(control::LoopOp op, Data results,
                                  Iterations &loop) {
  size_t numCarried = op.getCarried().size();
  if (results.size() != 1 + op.getNumResults())
    return op.emitError() << op.getBodyAttr() << " gives " << results.size()
                          << " results";
  std::optional<int64_t> condition = oneNumber(results.front());
  if (!condition)
    return op.emitError("the next condition is ")
           << results.front().describe() << ", not one element";
  loop.condition = *condition != 0;
  loop.carried.assign(results.begin() + 1, results.begin() + 1 + numCarried);
  for (auto [scan, result] :
       llvm::zip(loop.scans, ArrayRef(results).drop_front(1 + numCarried)))
    scan.push_back(result);
  ++loop.number;
  return success();
}

/// What all iterations gave for a result. Of none, the extents are those that
/// the type knows, else zero.
static FailureOr<Datum> stackScans(control::LoopOp op, Type type,
                                   ArrayRef<Datum> scans,
                                   const Symbols &symbols) {
  std::string reason;
  if (scans.empty()) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || tensor.getRank() == 0)
      return op.emitError("a scan output has no iteration, and no rank");
    SmallVector<int64_t> shape = symbols.shapeOf(tensor);
    for (int64_t &extent : shape)
      extent = std::max<int64_t>(extent, 0);
    shape.front() = 0;
    return emptyArray(RankedTensorType::get(shape, tensor.getElementType()));
  }
  Datum stacked = join(scans, 0, /*isNewAxis=*/true, reason);
  if (!stacked)
    return op.emitError("scan outputs of the iterations ") << reason;
  return stacked;
}

FailureOr<Data> Execution::repeat(control::LoopOp op, Data operands,
                                  const Symbols &symbols) {
  Iterations loop;
  if (failed(readBounds(op, operands, loop)))
    return failure();
  // The types say what `sizes` would.
  auto given = ArrayRef(operands).drop_back(op.getSizes().size());
  auto invariants = given.take_back(op.getInvariants().size());
  auto carried =
      given.drop_back(invariants.size()).take_back(op.getCarried().size());
  loop.carried.assign(carried.begin(), carried.end());
  loop.scans.resize(op.getNumScans());
  while (loop.goOn()) {
    Data arguments = {Datum(numberOf(op.getContext(), loop.number)),
                      Datum(truthOf(op.getContext(), loop.condition))};
    llvm::append_range(arguments, std::exchange(loop.carried, {}));
    llvm::append_range(arguments, invariants);
    auto results = callFunction(op, op.getBodyAttr(), arguments);
    if (failed(results) || failed(endIteration(op, std::move(*results), loop)))
      return failure();
  }
  Data results = std::move(loop.carried);
  for (auto [type, scan] : llvm::zip(
           op.getResults().drop_front(results.size()).getTypes(), loop.scans)) {
    auto stacked = stackScans(op, type, scan, symbols);
    if (failed(stacked))
      return failure();
    results.push_back(*stacked);
  }
  return results;
}

//===-- Operations --------------------------------------------------------===//

static FailureOr<Data> readConstant(control::ConstantOp op) {
  auto value = readElements(op.getValue());
  if (failed(value))
    return op.emitError("holds a value that cannot be read");
  return Data{*value};
}

static FailureOr<Data> callPrimitive(control::CallOp op,
                                     ArrayRef<Datum> operands) {
  PrimitiveCall call{op, operands, op.getIntegers(), {}, {}};
  if (failed(runPrimitive(call)))
    return op.emitError("'") << op.getPrimitive() << "' " << call.reason;
  return std::move(call.results);
}

FailureOr<Data> Execution::runControl(Operation *op, Data operands,
                                      Symbols &symbols) {
  FailureOr<Data> results = failure();
  if (auto constant = dyn_cast<control::ConstantOp>(op))
    results = readConstant(constant);
  else if (auto either = dyn_cast<control::IfOp>(op))
    results = branch(either, operands);
  else if (auto loop = dyn_cast<control::LoopOp>(op))
    results = repeat(loop, std::move(operands), symbols);
  else if (auto call = dyn_cast<control::CallOp>(op);
           call && call.getFunction())
    results = callFunction(op, call.getFunction(), operands);
  else if (call)
    results = callPrimitive(call, operands);
  else
    return op->emitError("cannot be interpreted");
  if (failed(results) || failed(bindResults(op, *results, symbols)))
    return failure();
  return results;
}
