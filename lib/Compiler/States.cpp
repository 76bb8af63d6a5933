//===- States.cpp - which outputs are inputs of the next run --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Compiler/States.h"

#include "dialects/Graph/Programs.h"
#include "dialects/Graph/States.h"
#include "dialects/Graph/Symbols.h"

using namespace mlir;
using namespace tenon;

bool tenon::addState(StringRef text, std::vector<StatePair> &states,
                     std::string &error) {
  auto [input, output] = text.split('=');
  bool isPair = !input.empty() && !output.empty() && !output.contains('=');
  if (!isPair || input.count('*') > 1 ||
      input.count('*') != output.count('*')) {
    error = ("expected INPUT=OUTPUT, with one '*' in both or in none, got '" +
             text + "'")
                .str();
    return false;
  }
  states.emplace_back(input.str(), output.str());
  return true;
}

/// What the `*` of a pattern stands for in a name; none where the name is
/// another. A pattern without one is its only name.
static std::optional<StringRef> matched(StringRef pattern, StringRef name) {
  if (!pattern.contains('*'))
    return pattern == name ? std::optional(StringRef()) : std::nullopt;
  auto [before, after] = pattern.split('*');
  if (name.size() < before.size() + after.size() || !name.starts_with(before) ||
      !name.ends_with(after))
    return std::nullopt;
  return name.drop_front(before.size()).drop_back(after.size());
}

static std::string filled(StringRef pattern, StringRef text) {
  if (!pattern.contains('*'))
    return pattern.str();
  auto [before, after] = pattern.split('*');
  return (before + text + after).str();
}

/// Adds the states that one pair of names or patterns stands for.
static LogicalResult addStates(FunctionOpInterface program,
                               const StatePair &pair,
                               SmallVectorImpl<graph::State> &states) {
  Builder b(program->getContext());
  size_t before = states.size();
  for (unsigned i = 0; i < program.getNumArguments(); ++i) {
    auto name = program.getArgAttrOfType<StringAttr>(i, "onnx.name");
    auto text = name ? matched(pair.first, name.getValue()) : std::nullopt;
    if (!text)
      continue;
    std::string output = filled(pair.second, *text);
    if (!graph::findOutput(program, output))
      return emitError(graph::modelLoc(program))
             << "--state: the model has no output '" << output
             << "' for its input '" << name.getValue() << "'";
    states.push_back({name, b.getStringAttr(output)});
  }
  if (states.size() > before)
    return success();
  return emitError(graph::modelLoc(program))
         << "--state: the model has no input '" << pair.first << "'";
}

/// That no input and no output belongs to two states.
static LogicalResult checkDistinct(FunctionOpInterface program,
                                   ArrayRef<graph::State> states) {
  llvm::DenseSet<Attribute> inputs, outputs;
  for (const graph::State &state : states) {
    bool isNew = inputs.insert(state.input).second;
    if (isNew && outputs.insert(state.output).second)
      continue;
    return emitError(graph::modelLoc(program))
           << "--state: '" << (isNew ? state.output : state.input).getValue()
           << "' belongs to two states";
  }
  return success();
}

LogicalResult tenon::bindStates(ModuleOp module, ArrayRef<StatePair> pairs) {
  if (pairs.empty())
    return success();
  FailureOr<func::FuncOp> program = graph::requireProgram(module);
  if (failed(program))
    return failure();
  SmallVector<graph::State> states;
  for (const StatePair &pair : pairs)
    if (failed(addStates(*program, pair, states)))
      return failure();
  if (failed(checkDistinct(*program, states)))
    return failure();
  graph::setStates(module, states);
  return success();
}
