//===- Step.cpp - a program that trains -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Differentiate/Step.h"

#include "dialects/Graph/Symbols.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::differentiate;

StringRef differentiate::nameOf(BlockArgument argument) {
  auto program = cast<func::FuncOp>(argument.getOwner()->getParentOp());
  auto name = program.getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                   "onnx.name");
  return name ? name.getValue() : StringRef();
}

InFlightDiagnostic Step::refuse() {
  return emitError(graph::modelLoc(program)) << "--train: ";
}

Value Step::addInput(StringRef name, RankedTensorType type) {
  if (graph::findInput(program, name)) {
    refuse() << "the model has an input '" << name << "' already";
    return nullptr;
  }
  unsigned number = program.getNumArguments();
  auto attributes = builder.getDictionaryAttr(
      builder.getNamedAttr("onnx.name", builder.getStringAttr(name)));
  (void)program.insertArgument(number, type, attributes, loc);
  return program.getArgument(number);
}

void Step::addResult(StringRef name, Value value) {
  unsigned number = program.getNumResults();
  auto attributes = builder.getDictionaryAttr(
      builder.getNamedAttr("onnx.name", builder.getStringAttr(name)));
  (void)program.insertResult(number, value.getType(), attributes);
  program.front().getTerminator()->insertOperands(number, value);
}

Value Step::addState(StringRef name, RankedTensorType type) {
  return addInput(name, type);
}

void Step::keep(Value state, Value next) {
  StringRef name = nameOf(cast<BlockArgument>(state));
  std::string after = (name + ".next").str();
  addResult(after, next);
  states.push_back({builder.getStringAttr(name), builder.getStringAttr(after)});
}
