//===- Evaluate.cpp - one operation on values -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file finds the function of an operation and calls it.
//===----------------------------------------------------------------------===//
#include "lib/Interpreter/Call.h"
#include "lib/Interpreter/Symbols.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace tenon::interp;

static llvm::StringMap<Function> buildTable() {
  llvm::StringMap<Function> table;
  for (ArrayRef<Entry> family :
       {elementwiseEntries(), contractionEntries(), reductionEntries(),
        windowEntries(), movementEntries(), packEntries(), pickingEntries(),
        resizeEntries(), selectionEntries(), recurrentEntries()})
    for (const Entry &entry : family)
      table[entry.name] = entry.function;
  return table;
}

static Function lookup(StringRef name) {
  static const llvm::StringMap<Function> table = buildTable();
  return table.lookup(name);
}

bool tenon::interp::hasSemantics(StringRef operationName) {
  return lookup(operationName) != nullptr;
}

/// Whether the values are what the operation was typed for; the functions rely
/// on it.
static LogicalResult checkOperands(Call &call) {
  if (call.operands.size() != call.op->getNumOperands())
    return call.fail("needs one value per operand");
  for (auto [value, type] :
       llvm::zip(call.operands, call.op->getOperandTypes())) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!value || !tensor || value.getShape() != tensor.getShape() ||
        value.getElementType() != tensor.getElementType())
      return call.fail("a value differs from its operand's type");
  }
  return success();
}

static LogicalResult allocateResults(Call &call) {
  for (Type type : call.op->getResultTypes()) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || !tensor.hasStaticShape())
      return call.fail("has a result without static shape");
    call.results.push_back(Tensor::allocate(tensor));
    if (!call.results.back())
      return call.fail("has a result of unknown element type or too large");
  }
  return success();
}

static LogicalResult run(Call &call) {
  Function function = lookup(call.op->getName().getStringRef());
  if (!function)
    return call.fail("has no semantics in the interpreter");
  if (Symbols::isSymbolic(call.op))
    return call.fail("has a dimension without a size");
  if (failed(checkOperands(call)) || failed(allocateResults(call)))
    return failure();
  return function(call);
}

FailureOr<SmallVector<Tensor>>
tenon::interp::evaluate(Operation *op, ArrayRef<Tensor> operands,
                        std::string *reason) {
  Call call{op, operands, {}, {}};
  if (succeeded(run(call)))
    return std::move(call.results);
  if (reason)
    *reason = call.reason;
  return failure();
}

FailureOr<SmallVector<ElementsAttr>>
tenon::interp::evaluate(Operation *op, ArrayRef<ElementsAttr> operands,
                        std::string *reason) {
  SmallVector<Tensor> values;
  for (ElementsAttr operand : operands) {
    FailureOr<Tensor> value =
        operand ? Tensor::viewElements(operand) : FailureOr<Tensor>(failure());
    if (failed(value)) {
      if (reason)
        *reason = "an operand is not a tensor that the interpreter reads";
      return failure();
    }
    values.push_back(*value);
  }
  FailureOr<SmallVector<Tensor>> tensors = evaluate(op, values, reason);
  if (failed(tensors))
    return failure();
  SmallVector<ElementsAttr> results;
  for (const Tensor &tensor : *tensors)
    results.push_back(tensor.toElements());
  return results;
}
