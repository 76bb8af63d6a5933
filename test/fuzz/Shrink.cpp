//===- Shrink.cpp - the smallest graph that is still wrong ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/fuzz/Shrink.h"
#include "test/fuzz/Graph.h"

#include <algorithm>
#include <set>

using namespace tenon;
using namespace tenon::fuzz;

static onnx::ModelProto modelOf(const Case &given) {
  onnx::ModelProto model;
  model.ParseFromString(given.model);
  return model;
}

static void collectReads(const onnx::NodeProto &node,
                         std::set<std::string> &names) {
  names.insert(node.input().begin(), node.input().end());
  for (const onnx::AttributeProto &attribute : node.attribute())
    if (attribute.has_g()) {
      for (const onnx::NodeProto &inner : attribute.g().node())
        collectReads(inner, names);
      for (const onnx::ValueInfoProto &output : attribute.g().output())
        names.insert(output.name());
    }
}

/// Removes nodes that no output needs, and constants that no node reads.
static void prune(onnx::GraphProto &graph) {
  std::set<std::string> needed;
  for (const onnx::ValueInfoProto &output : graph.output())
    needed.insert(output.name());
  for (int i = graph.node_size() - 1; i >= 0; --i) {
    const onnx::NodeProto &node = graph.node(i);
    bool isNeeded = std::any_of(
        node.output().begin(), node.output().end(),
        [&](const std::string &name) { return needed.count(name); });
    if (isNeeded)
      collectReads(node, needed);
    else
      graph.mutable_node()->DeleteSubrange(i, 1);
  }
  for (int i = graph.initializer_size() - 1; i >= 0; --i)
    if (!needed.count(graph.initializer(i).name()))
      graph.mutable_initializer()->DeleteSubrange(i, 1);
}

/// The case with another model.
static Case with(const Case &given, onnx::ModelProto model) {
  Case other = given;
  prune(*model.mutable_graph());
  pack(std::move(model), other);
  return other;
}

static void setOutputs(onnx::GraphProto &graph, const Names &names) {
  graph.clear_output();
  for (const std::string &name : names)
    graph.add_output()->set_name(name);
}

//===-- Values that become inputs -----------------------------------------===//

static int32_t kindOf(const tenon_dtype &type) {
  switch (type.code) {
  case TENON_BOOL:
    return Bool;
  case TENON_INT:
    return type.bits == 32 ? I32 : I64;
  default:
    return type.bits == 16 ? F16 : F32;
  }
}

/// The inputs that stand for `names`; false where the interpreter fails.
static bool valuesOf(const Case &given, const Names &names,
                     const ShrinkWith &with, std::vector<CaseInput> &values) {
  onnx::ModelProto model = modelOf(given);
  setOutputs(*model.mutable_graph(), names);
  Case asked = ::with(given, model);
  for (unsigned data = 0; data <= runCount; ++data) {
    auto outputs = with.interpret(asked, data % runCount, data);
    if (!outputs || outputs->size() != names.size())
      return false;
    values.resize(names.size());
    for (size_t i = 0; i < names.size(); ++i) {
      const run::Tensor &tensor = (*outputs)[i];
      values[i].name = names[i];
      values[i].kind = kindOf(tensor.spec.type);
      if (data < runCount)
        values[i].shapes[data] = tensor.spec.shape;
      else if (tensor.spec.shape != values[i].shapes[0])
        return false;
      values[i].data[data].assign(reinterpret_cast<const char *>(tensor.data()),
                                  tensor.byteSize());
    }
  }
  return true;
}

/// An extent: a number where it is one in all runs, a symbol that is the same,
/// or a new one.
static void describeExtent(const PerRun &at, Case &given,
                           onnx::TensorShapeProto &shape) {
  auto &dim = *shape.add_dim();
  for (const auto &[name, sizes] : given.symbols)
    if (sizes == at)
      return dim.set_dim_param(name);
  if (std::all_of(at.begin(), at.end(),
                  [&](int64_t size) { return size == at[0]; }))
    return dim.set_dim_value(at[0]);
  std::string name = "d" + std::to_string(given.symbols.size());
  given.symbols[name] = at;
  dim.set_dim_param(name);
}

static void addInput(const CaseInput &value, Case &given,
                     onnx::GraphProto &graph) {
  onnx::ValueInfoProto &info = *graph.add_input();
  info.set_name(value.name);
  auto &type = *info.mutable_type()->mutable_tensor_type();
  type.set_elem_type(value.kind);
  type.mutable_shape();
  for (size_t i = 0; i < value.shapes[0].size(); ++i) {
    PerRun at;
    for (unsigned run = 0; run < runCount; ++run)
      at[run] = value.shapes[run][i];
    describeExtent(at, given, *type.mutable_shape());
  }
  given.inputs.push_back(value);
}

/// The case without node `index`, whose results are inputs.
static std::optional<Case> cut(const Case &given, int index,
                               const ShrinkWith &with) {
  onnx::ModelProto model = modelOf(given);
  onnx::GraphProto &graph = *model.mutable_graph();
  const onnx::NodeProto &node = graph.node(index);
  std::vector<CaseInput> values;
  if (!valuesOf(given, {node.output().begin(), node.output().end()}, with,
                values))
    return std::nullopt;
  Case other = given;
  graph.mutable_node()->DeleteSubrange(index, 1);
  for (const CaseInput &value : values)
    addInput(value, other, graph);
  return ::with(other, model);
}

//===-- The steps ---------------------------------------------------------===//

namespace {
class Shrinking {
public:
  Shrinking(Case given, const ShrinkWith &with)
      : best(std::move(given)), with(with) {}

  Case result() {
    while (takeOneOutput() || takeOperand() || takeInput() || takeBypass()) {
    }
    return best;
  }

private:
  bool takeOneOutput();
  bool takeOperand();
  bool takeInput();
  bool takeBypass();
  bool takeOutput(const std::string &name);
  bool isBetter(Case other) {
    if (!with.isWrong(other))
      return false;
    best = std::move(other);
    return true;
  }

  Case best;
  const ShrinkWith &with;
};
} // namespace

bool Shrinking::takeOutput(const std::string &name) {
  onnx::ModelProto model = modelOf(best);
  setOutputs(*model.mutable_graph(), {name});
  return isBetter(::with(best, model));
}

bool Shrinking::takeOneOutput() {
  onnx::ModelProto model = modelOf(best);
  if (model.graph().output_size() == 1)
    return false;
  for (const onnx::ValueInfoProto &output : model.graph().output())
    if (takeOutput(output.name()))
      return true;
  return false;
}

/// An operand of a node as the only output, in place of what it is read for.
bool Shrinking::takeOperand() {
  onnx::ModelProto model = modelOf(best);
  const onnx::GraphProto &graph = model.graph();
  std::set<std::string> tried;
  for (const onnx::ValueInfoProto &output : graph.output())
    tried.insert(output.name());
  for (int i = graph.node_size() - 1; i >= 0; --i)
    for (const std::string &made : graph.node(i).output())
      if (!made.empty() && tried.insert(made).second && takeOutput(made))
        return true;
  return false;
}

bool Shrinking::takeInput() {
  for (int i = modelOf(best).graph().node_size() - 1; i >= 0; --i)
    if (auto other = cut(best, i, with); other && isBetter(*other))
      return true;
  return false;
}

static void rename(onnx::GraphProto &graph, const std::string &from,
                   const std::string &to) {
  for (onnx::NodeProto &node : *graph.mutable_node()) {
    for (std::string &name : *node.mutable_input())
      if (name == from)
        name = to;
    for (onnx::AttributeProto &attribute : *node.mutable_attribute())
      if (attribute.has_g())
        rename(*attribute.mutable_g(), from, to);
  }
}

/// Readers of a result read the first operand instead. Where the types differ
/// the graph is no longer one, and not wrong in the same way.
bool Shrinking::takeBypass() {
  for (int i = modelOf(best).graph().node_size() - 1; i >= 0; --i) {
    onnx::ModelProto model = modelOf(best);
    onnx::NodeProto node = model.graph().node(i);
    if (node.input_size() == 0 || node.input(0).empty())
      continue;
    rename(*model.mutable_graph(), node.output(0), node.input(0));
    Case other = ::with(best, model);
    if (other.operators.size() < best.operators.size() && isBetter(other))
      return true;
  }
  return false;
}

Case tenon::fuzz::shrink(Case given, const ShrinkWith &with) {
  return Shrinking(std::move(given), with).result();
}
