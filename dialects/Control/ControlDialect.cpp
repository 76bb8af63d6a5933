//===- ControlDialect.cpp - types and operations --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file registers the control dialect and checks what needs no other
// function.
//===----------------------------------------------------------------------===//
#include "dialects/Control/Control.h"
#include "dialects/Control/FunctionForm.h"
#include "dialects/Control/Primitives.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tenon::control;

#include "dialects/Control/ControlDialect.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "dialects/Control/ControlTypes.cpp.inc"
#define GET_OP_CLASSES
#include "dialects/Control/ControlOps.cpp.inc"

void ControlDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialects/Control/ControlTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Control/ControlOps.cpp.inc"
      >();
}

//===-- Functions ---------------------------------------------------------===//

FuncOp FuncOp::create(OpBuilder &builder, Location location, StringRef name,
                      FunctionType type) {
  return createFunction<FuncOp>(builder, location, name, type);
}

ParseResult FuncOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseFunction<FuncOp>(parser, result);
}

void FuncOp::print(OpAsmPrinter &printer) { printFunction(*this, printer); }

LogicalResult ReturnOp::verify() {
  auto function = cast<FuncOp>((*this)->getParentOp());
  if (!areCompatible(getOperandTypes(), function.getResultTypes()))
    return emitOpError("its values are not what the function gives");
  return success();
}

//===-- Operations --------------------------------------------------------===//

StringRef CallOp::getPrimitive() {
  auto name = dyn_cast<StringAttr>(getCallee());
  return name ? name.getValue() : StringRef();
}

FlatSymbolRefAttr CallOp::getFunction() {
  return dyn_cast<FlatSymbolRefAttr>(getCallee());
}

LogicalResult CallOp::verify() {
  if (getFunction())
    return getIntegers().empty() ? success()
                                 : emitOpError("only primitives take integers");
  if (!isa<StringAttr>(getCallee()))
    return emitOpError("calls neither a function nor a primitive");
  return verifyPrimitive(*this, getPrimitive(), getArguments().size(),
                         getIntegers().size(), getNumResults());
}

//===-- Types -------------------------------------------------------------===//

static bool areShapesCompatible(ShapedType from, ShapedType to) {
  if (from.getElementType() != to.getElementType())
    return false;
  return !from.hasRank() || !to.hasRank() ||
         succeeded(verifyCompatibleShape(from.getShape(), to.getShape()));
}

bool tenon::control::isCompatible(Type from, Type to) {
  if (from == to)
    return true;
  if (auto tensor = dyn_cast<ShapedType>(from)) {
    auto other = dyn_cast<ShapedType>(to);
    return other && areShapesCompatible(tensor, other);
  }
  if (auto sequence = dyn_cast<SequenceType>(from)) {
    auto other = dyn_cast<SequenceType>(to);
    return other && isCompatible(sequence.getElement(), other.getElement());
  }
  if (auto optional = dyn_cast<OptionalType>(from)) {
    auto other = dyn_cast<OptionalType>(to);
    return other && isCompatible(optional.getElement(), other.getElement());
  }
  return false;
}

bool tenon::control::areCompatible(TypeRange from, TypeRange to) {
  return from.size() == to.size() &&
         llvm::all_of(llvm::zip(from, to), [](auto pair) {
           return isCompatible(std::get<0>(pair), std::get<1>(pair));
         });
}

//===-- Bodies ------------------------------------------------------------===//

static constexpr llvm::StringLiteral bodyAttr = "control.body";

void tenon::control::markBody(FunctionOpInterface function) {
  function->setAttr(bodyAttr, UnitAttr::get(function.getContext()));
}

bool tenon::control::isBody(FunctionOpInterface function) {
  return function->hasAttr(bodyAttr);
}
