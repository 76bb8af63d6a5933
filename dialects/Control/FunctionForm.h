//===- FunctionForm.h - functions of control and of bytecode ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file defines what `control.func` and `vm.func` have in common: how they
// are made, read and written.
//===----------------------------------------------------------------------===//
#ifndef TENON_DIALECTS_CONTROL_FUNCTIONFORM_H
#define TENON_DIALECTS_CONTROL_FUNCTIONFORM_H

#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionImplementation.h"

namespace tenon::control {

/// A function without a block.
template <typename FuncOp>
FuncOp createFunction(mlir::OpBuilder &builder, mlir::Location location,
                      llvm::StringRef name, mlir::FunctionType type) {
  mlir::OperationState state(location, FuncOp::getOperationName());
  state.addAttribute(mlir::SymbolTable::getSymbolAttrName(),
                     builder.getStringAttr(name));
  state.addAttribute(FuncOp::getFunctionTypeAttrName(state.name),
                     mlir::TypeAttr::get(type));
  state.addRegion();
  return llvm::cast<FuncOp>(builder.create(state));
}

template <typename FuncOp>
mlir::ParseResult parseFunction(mlir::OpAsmParser &parser,
                                mlir::OperationState &result) {
  using namespace mlir::function_interface_impl;
  auto type = [](mlir::Builder &builder, llvm::ArrayRef<mlir::Type> arguments,
                 llvm::ArrayRef<mlir::Type> results, VariadicFlag,
                 std::string &) {
    return builder.getFunctionType(arguments, results);
  };
  return parseFunctionOp(parser, result, /*allowVariadic=*/false,
                         FuncOp::getFunctionTypeAttrName(result.name), type,
                         FuncOp::getArgAttrsAttrName(result.name),
                         FuncOp::getResAttrsAttrName(result.name));
}

template <typename FuncOp>
void printFunction(FuncOp function, mlir::OpAsmPrinter &printer) {
  mlir::function_interface_impl::printFunctionOp(
      printer, function, /*isVariadic=*/false,
      function.getFunctionTypeAttrName(), function.getArgAttrsAttrName(),
      function.getResAttrsAttrName());
}

} // namespace tenon::control

#endif // TENON_DIALECTS_CONTROL_FUNCTIONFORM_H
