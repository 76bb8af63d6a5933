//===- States.cpp - what a run leaves for the next one --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Graph/States.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tenon::graph;

static constexpr llvm::StringLiteral kAttribute = "graph.states";

static bool isState(Attribute attribute) {
  auto fields = dyn_cast<DictionaryAttr>(attribute);
  if (!fields || !fields.getAs<StringAttr>("input"))
    return false;
  for (StringRef text : {"output", "program"})
    if (fields.contains(text) && !fields.getAs<StringAttr>(text))
      return false;
  if (!fields.contains("output") && !fields.contains("program"))
    return false;
  if (fields.contains("first") && !fields.getAs<ElementsAttr>("first"))
    return false;
  auto role = fields.getAs<IntegerAttr>("role");
  if (fields.contains("role") && (!role || role.getInt() < 0 ||
                                  role.getInt() > int64_t(StateRole::Skipped)))
    return false;
  if (fields.contains("updated") &&
      (!fields.getAs<UnitAttr>("updated") || !fields.contains("output") ||
       fields.contains("axis")))
    return false;
  auto axis = fields.getAs<IntegerAttr>("axis");
  if (!fields.contains("axis") && !fields.contains("room"))
    return true;
  return axis && axis.getInt() >= 0 && fields.getAs<StringAttr>("room");
}

bool tenon::graph::isStates(Attribute attribute) {
  auto list = dyn_cast<ArrayAttr>(attribute);
  return list && llvm::all_of(list, isState);
}

SmallVector<State> tenon::graph::statesOf(ModuleOp module) {
  SmallVector<State> states;
  auto list = module->getAttrOfType<ArrayAttr>(kAttribute);
  if (!list)
    return states;
  for (auto fields : list.getAsRange<DictionaryAttr>()) {
    State state{fields.getAs<StringAttr>("input"),
                fields.getAs<StringAttr>("output")};
    if (auto axis = fields.getAs<IntegerAttr>("axis")) {
      state.axis = axis.getInt();
      state.room = fields.getAs<StringAttr>("room");
    }
    state.program = fields.getAs<StringAttr>("program");
    state.first = fields.getAs<ElementsAttr>("first");
    if (auto role = fields.getAs<IntegerAttr>("role"))
      state.role = StateRole(role.getInt());
    state.isUpdated = fields.contains("updated");
    states.push_back(state);
  }
  return states;
}

SmallVector<State> tenon::graph::statesOf(FunctionOpInterface program) {
  SmallVector<State> states = statesOf(program->getParentOfType<ModuleOp>());
  llvm::erase_if(states, [&](const State &state) {
    return state.program && state.program.getValue() != program.getName();
  });
  return states;
}

void tenon::graph::setStates(ModuleOp module, ArrayRef<State> states) {
  Builder b(module.getContext());
  SmallVector<Attribute> list;
  for (const State &state : states) {
    NamedAttrList fields;
    fields.set("input", state.input);
    if (state.output)
      fields.set("output", state.output);
    if (state.program)
      fields.set("program", state.program);
    if (state.first)
      fields.set("first", state.first);
    if (state.role != StateRole::Other)
      fields.set("role", b.getI64IntegerAttr(int64_t(state.role)));
    if (state.isUpdated)
      fields.set("updated", b.getUnitAttr());
    if (state.axis) {
      fields.set("axis", b.getI64IntegerAttr(*state.axis));
      fields.set("room", state.room);
    }
    list.push_back(fields.getDictionary(module.getContext()));
  }
  module->setAttr(kAttribute, b.getArrayAttr(list));
}

template <typename NameOf>
static std::optional<unsigned> find(unsigned count, StringRef name,
                                    NameOf nameOf) {
  for (unsigned i = 0; i < count; ++i) {
    auto known = dyn_cast_or_null<StringAttr>(nameOf(i));
    if (known && known.getValue() == name)
      return i;
  }
  return std::nullopt;
}

std::optional<unsigned> tenon::graph::findInput(FunctionOpInterface program,
                                                StringRef name) {
  return find(program.getNumArguments(), name,
              [&](unsigned i) { return program.getArgAttr(i, "onnx.name"); });
}

std::optional<unsigned> tenon::graph::findOutput(FunctionOpInterface program,
                                                 StringRef name) {
  return find(program.getNumResults(), name, [&](unsigned i) {
    return program.getResultAttr(i, "onnx.name");
  });
}
