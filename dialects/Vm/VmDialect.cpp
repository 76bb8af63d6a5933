//===- VmDialect.cpp - bytecode as operations -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file registers the vm dialect and checks calls and returns.
//===----------------------------------------------------------------------===//
#include "dialects/Vm/Vm.h"

#include "dialects/Control/FunctionForm.h"
#include "dialects/Control/Primitives.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::vm;

#include "dialects/Vm/VmDialect.cpp.inc"
#define GET_OP_CLASSES
#include "dialects/Vm/VmOps.cpp.inc"

void VmDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "dialects/Vm/VmOps.cpp.inc"
      >();
}

//===-- Functions ---------------------------------------------------------===//

FuncOp FuncOp::create(OpBuilder &builder, Location location, StringRef name,
                      FunctionType type) {
  return control::createFunction<FuncOp>(builder, location, name, type);
}

ParseResult FuncOp::parse(OpAsmParser &parser, OperationState &result) {
  return control::parseFunction<FuncOp>(parser, result);
}

void FuncOp::print(OpAsmPrinter &printer) {
  control::printFunction(*this, printer);
}

LogicalResult ReturnOp::verify() {
  auto function = cast<FuncOp>((*this)->getParentOp());
  if (!control::areCompatible(getOperandTypes(), function.getResultTypes()))
    return emitOpError("its values are not what the function gives");
  return success();
}

//===-- Calls -------------------------------------------------------------===//

StringRef CallOp::getPrimitive() {
  auto name = dyn_cast<StringAttr>(getCallee());
  return name ? name.getValue() : StringRef();
}

FlatSymbolRefAttr CallOp::getFunction() {
  return dyn_cast<FlatSymbolRefAttr>(getCallee());
}

LogicalResult CallOp::verify() {
  if (getFunction())
    return success();
  if (getPrimitive() == "constant" && getValue())
    return success();
  if (!isa<StringAttr>(getCallee()))
    return emitOpError("calls neither a function nor a primitive");
  return control::verifyPrimitive(*this, getPrimitive(), getArguments().size(),
                                  getIntegers().size(), getNumResults());
}

LogicalResult CallOp::verifySymbolUses(SymbolTableCollection &symbols) {
  if (!getFunction())
    return success();
  auto function = symbols.lookupNearestSymbolFrom<FunctionOpInterface>(
      *this, getFunction());
  if (!function)
    return emitOpError("there is no function ") << getFunction();
  if (!control::takes(function, getArguments().getTypes()) ||
      !control::gives(function, getResultTypes()))
    return emitOpError() << getFunction() << " is of another type";
  return success();
}

//===-- Branches ----------------------------------------------------------===//

SuccessorOperands GotoOp::getSuccessorOperands(unsigned) {
  return SuccessorOperands(getOperandsMutable());
}

bool GotoOp::areTypesCompatible(Type from, Type to) {
  return control::isCompatible(from, to);
}

SuccessorOperands IfOp::getSuccessorOperands(unsigned) {
  return SuccessorOperands(MutableOperandRange(*this, 0, 0));
}
