//===- Slices.cpp - a program on slices of the batch ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Kernel/Slices.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tenon::kernel;

#define GET_OP_CLASSES
#include "dialects/Kernel/Slices.cpp.inc"

SmallVector<func::FuncOp> tenon::kernel::calleesOf(SlicesOp slices) {
  SmallVector<func::FuncOp> callees;
  for (auto name : slices.getCallees().getAsRange<FlatSymbolRefAttr>())
    callees.push_back(
        SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(slices, name));
  return callees;
}

LogicalResult SlicesOp::verify() {
  if (getCallees().empty())
    return emitOpError("calls nothing");
  for (Type type : getOperation()->getOperandTypes())
    if (!cast<RankedTensorType>(type).hasStaticShape())
      return emitOpError("has an operand of unknown size");
  return success();
}

/// The rows that a value of type `part` has, where it is rows of `whole`.
static std::optional<int64_t> rowsOf(Type part, RankedTensorType whole) {
  auto type = dyn_cast<RankedTensorType>(part);
  bool areRows = type && type.getRank() == whole.getRank() &&
                 type.getRank() > 0 && type.hasStaticShape() &&
                 type.getElementType() == whole.getElementType() &&
                 type.getShape().drop_front() == whole.getShape().drop_front();
  if (!areRows)
    return std::nullopt;
  return type.getDimSize(0);
}

/// Whether values of the types `parts` are all rows of `whole`, in turn.
static bool cover(ArrayRef<Type> parts, Type whole) {
  auto type = cast<RankedTensorType>(whole);
  int64_t rows = 0;
  for (Type part : parts) {
    std::optional<int64_t> some = rowsOf(part, type);
    if (!some)
      return false;
    rows += *some;
  }
  return rows == type.getDimSize(0);
}

LogicalResult SlicesOp::verifySymbolUses(SymbolTableCollection &table) {
  SmallVector<SmallVector<Type>> takes(getInputs().size()),
      gives(getNumResults());
  for (auto name : getCallees().getAsRange<FlatSymbolRefAttr>()) {
    auto callee = table.lookupNearestSymbolFrom<func::FuncOp>(*this, name);
    if (!callee)
      return emitOpError("there is no function ") << name;
    if (callee.getNumArguments() != takes.size() ||
        callee.getNumResults() != gives.size())
      return emitOpError("has other operands or results than ") << name;
    for (auto [types, type] : llvm::zip(takes, callee.getArgumentTypes()))
      types.push_back(type);
    for (auto [types, type] : llvm::zip(gives, callee.getResultTypes()))
      types.push_back(type);
  }
  for (auto [types, input] : llvm::zip(takes, getInputs()))
    if (!(llvm::all_equal(types) && types.front() == input.getType()) &&
        !cover(types, input.getType()))
      return emitOpError("does not fit what its callees take");
  for (auto [types, result] : llvm::zip(gives, getResults()))
    if (!(types.size() == 1 && types.front() == result.getType()) &&
        !cover(types, result.getType()))
      return emitOpError("does not fit what its callees give");
  return success();
}
