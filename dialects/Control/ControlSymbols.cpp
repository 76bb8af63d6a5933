//===- ControlSymbols.cpp - calls and what they call ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file checks that functions that are called exist, take what they are
// given, and give what is expected of them.
//===----------------------------------------------------------------------===//
#include "dialects/Control/Control.h"

using namespace mlir;
using namespace tenon::control;

/// The function of that name; reports where there is none.
static FunctionOpInterface find(Operation *user, FlatSymbolRefAttr name,
                                SymbolTableCollection &symbols) {
  auto function =
      symbols.lookupNearestSymbolFrom<FunctionOpInterface>(user, name);
  if (!function)
    user->emitOpError("there is no function ") << name;
  return function;
}

static bool hasBuffers(FunctionOpInterface function) {
  return function->hasAttr("memory.inputs");
}

bool tenon::control::takes(FunctionOpInterface function, TypeRange arguments) {
  return hasBuffers(function) ||
         areCompatible(arguments, function.getArgumentTypes());
}

bool tenon::control::gives(FunctionOpInterface function, TypeRange results) {
  return hasBuffers(function) ||
         areCompatible(function.getResultTypes(), results);
}

static LogicalResult verifyTypes(Operation *user, FlatSymbolRefAttr callee,
                                 SymbolTableCollection &symbols,
                                 TypeRange arguments, TypeRange results) {
  FunctionOpInterface function = find(user, callee, symbols);
  if (!function)
    return failure();
  if (!takes(function, arguments))
    return user->emitOpError() << callee << " does not take these arguments";
  if (!gives(function, results))
    return user->emitOpError() << callee << " does not give these results";
  return success();
}

LogicalResult CallOp::verifySymbolUses(SymbolTableCollection &symbols) {
  if (!getFunction())
    return success();
  return verifyTypes(*this, getFunction(), symbols, getArguments().getTypes(),
                     getResultTypes());
}

LogicalResult IfOp::verifySymbolUses(SymbolTableCollection &symbols) {
  for (FlatSymbolRefAttr branch :
       {getThenFunctionAttr(), getElseFunctionAttr()})
    if (failed(verifyTypes(*this, branch, symbols, getArguments().getTypes(),
                           getResultTypes())))
      return failure();
  return success();
}

/// What an iteration gives for a result of the loop that stacks it.
static Type elementOf(Type stacked) {
  auto tensor = dyn_cast<RankedTensorType>(stacked);
  if (!tensor || tensor.getRank() == 0)
    return stacked;
  return RankedTensorType::get(tensor.getShape().drop_front(),
                               tensor.getElementType());
}

LogicalResult LoopOp::verifySymbolUses(SymbolTableCollection &symbols) {
  size_t numCarried = getCarried().size();
  if (getNumResults() < numCarried)
    return emitOpError("has fewer results than it carries");
  if (!getSizes().empty() && getSizes().size() != getNumScans())
    return emitOpError("has sizes of some scan outputs only");
  auto number = RankedTensorType::get({}, IntegerType::get(getContext(), 64));
  auto condition = RankedTensorType::get({}, IntegerType::get(getContext(), 1));
  SmallVector<Type> arguments = {number, condition}, results = {condition};
  llvm::append_range(arguments, getCarried().getTypes());
  llvm::append_range(arguments, getInvariants().getTypes());
  llvm::append_range(results, getResults().take_front(numCarried).getTypes());
  for (Type scan : getResults().drop_front(numCarried).getTypes())
    results.push_back(elementOf(scan));
  return verifyTypes(*this, getBodyAttr(), symbols, arguments, results);
}
