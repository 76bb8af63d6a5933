//===- Graph.cpp - a graph that grows -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/fuzz/Graph.h"

#include <algorithm>
#include <set>

using namespace tenon::fuzz;
using onnx::AttributeProto;

//===-- Attributes --------------------------------------------------------===//

static AttributeProto named(const char *name,
                            AttributeProto::AttributeType type) {
  AttributeProto attribute;
  attribute.set_name(name);
  attribute.set_type(type);
  return attribute;
}

AttributeProto tenon::fuzz::attribute(const char *name, int64_t value) {
  AttributeProto made = named(name, AttributeProto::INT);
  made.set_i(value);
  return made;
}

AttributeProto tenon::fuzz::attribute(const char *name, float value) {
  AttributeProto made = named(name, AttributeProto::FLOAT);
  made.set_f(value);
  return made;
}

AttributeProto tenon::fuzz::attribute(const char *name, const char *value) {
  AttributeProto made = named(name, AttributeProto::STRING);
  made.set_s(value);
  return made;
}

AttributeProto tenon::fuzz::attribute(const char *name, const Ints &values) {
  AttributeProto made = named(name, AttributeProto::INTS);
  for (int64_t value : values)
    made.add_ints(value);
  return made;
}

AttributeProto tenon::fuzz::attribute(const char *name,
                                      const onnx::GraphProto &graph) {
  AttributeProto made = named(name, AttributeProto::GRAPH);
  *made.mutable_g() = graph;
  return made;
}

//===-- The model ---------------------------------------------------------===//

Graph::Graph(uint64_t seed) : random(seed), seed(seed) {
  model.set_ir_version(10);
  model.add_opset_import()->set_version(
      random.any<int64_t>({12, 18, 18, 21, 22, 24, 27, 27}));
  graph = model.mutable_graph();
  graph->set_name("graph");
  made.seed = seed;
  drawSymbols();
}

/// Numbers around those where code changes what it does.
void Graph::drawSymbols() {
  static const char *const names[] = {"batch", "n", "m", "k"};
  const std::vector<int64_t> primes = {2, 3, 5, 7, 11, 13};
  const std::vector<int64_t> edges = {1, 4, 7, 8, 9, 15, 16, 17, 31, 32, 33};
  int64_t count = random.between(1, 4), zero = -1;
  if (random.chance(35))
    zero = random.below(count);
  for (int64_t i = 0; i < count; ++i) {
    PerRun at;
    at[0] = random.any(primes);
    at[1] = random.chance(30) ? 1 : random.any(edges);
    at[2] = i == zero ? 0 : random.any(random.chance(50) ? primes : edges);
    at[3] = random.any(edges);
    at[4] = random.chance(50) ? 1 : random.any(primes);
    symbols.push_back(Extent::named(names[i], at));
    made.symbols[names[i]] = at;
  }
}

onnx::NodeProto &Graph::node(const char *op, const Names &operands,
                             const Attributes &attributes) {
  onnx::NodeProto &node = *graph->add_node();
  node.set_op_type(op);
  node.set_name(std::string(op) + "_" + std::to_string(serial++));
  for (const std::string &operand : operands)
    node.add_input(operand);
  for (const AttributeProto &attribute : attributes)
    *node.add_attribute() = attribute;
  return node;
}

std::vector<Value> Graph::addAll(const char *op, const Names &operands,
                                 std::vector<Value> results,
                                 const Attributes &attributes) {
  onnx::NodeProto &made = node(op, operands, attributes);
  for (Value &result : results) {
    result.name = fresh();
    made.add_output(result.name);
    values.push_back(result);
    allValues[result.name] = result;
  }
  return results;
}

Value Graph::add(const char *op, const Names &operands, int32_t kind,
                 Shape shape, double bound, const Attributes &attributes) {
  return addAll(op, operands, {{"", kind, std::move(shape), bound}}, attributes)
      .front();
}

std::string Graph::helper(const char *op, const Names &operands,
                          const Attributes &attributes) {
  return helpers(op, operands, 1, attributes).front();
}

Names Graph::helpers(const char *op, const Names &operands, size_t count,
                     const Attributes &attributes) {
  onnx::NodeProto &made = node(op, operands, attributes);
  Names names;
  for (size_t i = 0; i < count; ++i) {
    names.push_back(fresh());
    made.add_output(names.back());
  }
  return names;
}

Value Graph::publish(const std::string &name, int32_t kind, Shape shape,
                     double bound) {
  values.push_back({name, kind, std::move(shape), bound});
  allValues[name] = values.back();
  return values.back();
}

//===-- Bodies ------------------------------------------------------------===//

void Graph::enter(onnx::GraphProto &body) {
  outer.push_back({graph, values.size()});
  body.set_name("body_" + std::to_string(serial++));
  graph = &body;
}

void Graph::leave() {
  graph = outer.back().graph;
  values.erase(values.begin() + int64_t(outer.back().values), values.end());
  outer.pop_back();
}

void tenon::fuzz::describe(const Value &value, onnx::ValueInfoProto &info) {
  info.set_name(value.name);
  auto &type = *info.mutable_type()->mutable_tensor_type();
  type.set_elem_type(value.kind);
  type.mutable_shape();
  for (const Extent &extent : value.shape) {
    auto &dim = *type.mutable_shape()->add_dim();
    if (auto number = extent.constant())
      dim.set_dim_value(*number);
    else if (auto name = extent.name();
             name && name->find_first_of("?(") == std::string::npos)
      dim.set_dim_param(*name);
  }
}

Value Graph::formal(onnx::GraphProto &body, int32_t kind, Shape shape,
                    double bound) {
  Value value{fresh(), kind, std::move(shape), bound};
  describe(value, *body.add_input());
  values.push_back(value);
  return value;
}

void Graph::yield(onnx::GraphProto &body, const std::string &name, int32_t kind,
                  int64_t rank) {
  onnx::ValueInfoProto &info = *body.add_output();
  info.set_name(name);
  auto &type = *info.mutable_type()->mutable_tensor_type();
  type.set_elem_type(kind);
  type.mutable_shape();
  for (int64_t i = 0; i < rank; ++i)
    type.mutable_shape()->add_dim();
}

//===-- The end -----------------------------------------------------------===//

static void addReads(const onnx::GraphProto &graph,
                     std::set<std::string> &names) {
  for (const onnx::NodeProto &node : graph.node()) {
    names.insert(node.input().begin(), node.input().end());
    for (const AttributeProto &attribute : node.attribute())
      if (attribute.has_g())
        addReads(attribute.g(), names);
  }
  for (const onnx::ValueInfoProto &output : graph.output())
    names.insert(output.name());
}

std::vector<std::string> tenon::fuzz::unread(const onnx::GraphProto &graph) {
  std::set<std::string> read;
  addReads(graph, read);
  std::vector<std::string> names;
  for (const onnx::NodeProto &node : graph.node())
    for (const std::string &result : node.output())
      if (!read.count(result))
        names.push_back(result);
  return names;
}

static void addOperators(const onnx::GraphProto &graph, Case &made) {
  for (const onnx::NodeProto &node : graph.node()) {
    made.operators[node.name()] = node.op_type();
    for (const AttributeProto &attribute : node.attribute())
      if (attribute.has_g())
        addOperators(attribute.g(), made);
  }
}

/// Removes the inputs, and the symbols, that no node reads.
static void dropUnreadInputs(onnx::GraphProto &graph, Case &made) {
  std::set<std::string> read;
  addReads(graph, read);
  auto isUnread = [&](const auto &input) { return !read.count(input.name()); };
  graph.mutable_input()->erase(std::remove_if(graph.mutable_input()->begin(),
                                              graph.mutable_input()->end(),
                                              isUnread),
                               graph.mutable_input()->end());
  std::erase_if(made.inputs, [&](const CaseInput &input) {
    return !read.count(input.name);
  });
  std::set<std::string> symbols;
  for (const onnx::ValueInfoProto &input : graph.input())
    for (const auto &dim : input.type().tensor_type().shape().dim())
      symbols.insert(dim.dim_param());
  std::erase_if(made.symbols, [&](const auto &symbol) {
    return !symbols.count(symbol.first);
  });
}

std::optional<Case> Graph::finish() {
  std::vector<std::string> names = unread(*graph);
  std::erase_if(
      names, [&](const std::string &name) { return !allValues.count(name); });
  if (names.empty())
    return std::nullopt;
  for (const Value &value : values)
    if (random.chance(10) && allValues.count(value.name) &&
        std::find(names.begin(), names.end(), value.name) == names.end())
      names.push_back(value.name);
  for (const std::string &name : names) {
    const Value &value = allValues.at(name);
    if (random.chance(50))
      describe(value, *graph->add_output());
    else
      yield(*graph, name, value.kind, value.rank());
  }
  pack(std::move(model), made);
  return made;
}

void tenon::fuzz::pack(onnx::ModelProto model, Case &made) {
  dropUnreadInputs(*model.mutable_graph(), made);
  made.operators.clear();
  addOperators(model.graph(), made);
  made.model = model.SerializeAsString();
}
