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

static DictionaryAttr named(OpBuilder &builder, StringRef name) {
  return builder.getDictionaryAttr(
      builder.getNamedAttr("onnx.name", builder.getStringAttr(name)));
}

BlockArgument Step::addInput(StringRef name, RankedTensorType type) {
  if (graph::findInput(program, name)) {
    refuse() << "the model has an input '" << name << "' already";
    hasClash = true;
  }
  unsigned number = program.getNumArguments();
  (void)program.insertArgument(number, type, named(builder, name), loc);
  return program.getArgument(number);
}

void Step::addResult(StringRef name, Value value) {
  if (graph::findOutput(program, name)) {
    refuse() << "the model has an output '" << name << "' already";
    hasClash = true;
  }
  unsigned number = program.getNumResults();
  (void)program.insertResult(number, value.getType(), named(builder, name));
  program.front().getTerminator()->insertOperands(number, value);
}

std::string Step::nextName(Value state) {
  return (nameOf(cast<BlockArgument>(state)) + ".next").str();
}

void Step::keep(Value state, Value next, graph::StateRole role,
                ElementsAttr first) {
  addResult(nextName(state), next);
  follow(state, role, first);
}

void Step::change(Value state, Value next, graph::StateRole role,
                  ElementsAttr first) {
  keep(state, updates && next != state ? select(updates, next, state) : next,
       role, first);
}

void Step::follow(Value state, graph::StateRole role, ElementsAttr first) {
  read(state, role, first);
  states.back().output = builder.getStringAttr(nextName(state));
}

void Step::read(Value state, graph::StateRole role, ElementsAttr first) {
  graph::State bound;
  bound.input = builder.getStringAttr(nameOf(cast<BlockArgument>(state)));
  bound.program = builder.getStringAttr(program.getName());
  bound.first = first;
  bound.role = role;
  states.push_back(bound);
}
