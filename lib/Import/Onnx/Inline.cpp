//===- Inline.cpp - functions replaced by their nodes ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file inlines model-local functions, in branches too.
//===----------------------------------------------------------------------===//
#include "lib/Import/Onnx/Inline.h"
#include "dialects/Onnx/Onnx.h"
#include "lib/Import/Onnx/Session.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tenon::onnximport;
using proto::AttributeProto;
using proto::FunctionProto;
using proto::GraphProto;
using proto::NodeProto;

/// Functions that nest deeper, or give more nodes, are refused.
static constexpr unsigned maxDepth = 256;
static constexpr uint64_t maxNodes = 1'000'000;

std::string NameSource::unique(const std::string &base) {
  auto [known, isNew] = next.try_emplace(base, 1);
  auto &entry = *known;
  std::string name = base;
  while (!isNew) {
    name = base + "_" + std::to_string(entry.second++);
    isNew = next.try_emplace(name, 1).second;
  }
  return name;
}

namespace {
/// Refuses what cannot be inlined: functions that call themselves, and too many
/// or too deeply nested calls.
class CallCheck {
public:
  CallCheck(Session &session, const FunctionMap &functions)
      : session(session), functions(functions) {}
  LogicalResult run();

private:
  LogicalResult visit(const NodeList &nodes, uint64_t &size, unsigned depth);
  LogicalResult visitCall(const FunctionProto &function, uint64_t &size,
                          unsigned depth);

  Session &session;
  const FunctionMap &functions;
  /// The number of nodes after inlining, saturating; none in a visit.
  std::map<const FunctionProto *, std::optional<uint64_t>> sizes;
};

using Attributes = std::map<std::string, AttributeProto>;

/// What names mean in the graph, in one call of a function, or in a subgraph.
struct Frame {
  const Frame *outer; ///< around a subgraph
  OpsetMap opsets;
  const Attributes *attributes; ///< of the call; null outside of functions
  std::string prefix;           ///< of new names
  llvm::StringMap<std::string> names; ///< -> in the model; "" for absent ones

  const std::string *find(const std::string &name) const {
    auto found = names.find(name);
    if (found != names.end())
      return &found->second;
    return outer ? outer->find(name) : nullptr;
  }
};

class Inliner {
public:
  Inliner(Session &session, NameSource &names, NodeReceiver &receiver)
      : session(session), functions(functionsOf(session.model)), names(names),
        receiver(receiver) {}
  LogicalResult run(GraphProto &target);

private:
  LogicalResult visit(const NodeProto &node, Frame &frame, GraphProto &target);
  LogicalResult call(const NodeProto &node, const FunctionProto &function,
                     Frame &frame, GraphProto &target,
                     const Frame *outer = nullptr);
  LogicalResult expand(const NodeProto &node, Frame &frame, GraphProto &target);
  LogicalResult returnValues(const NodeProto &node,
                             const FunctionProto &function, const Frame &inner,
                             Frame &frame, GraphProto &target);
  LogicalResult resolveAttributes(NodeProto &node, const Frame &frame);
  LogicalResult resolveInputs(NodeProto &node, const Frame &frame);
  LogicalResult rebuild(const NodeProto &node, GraphProto &graph,
                        const Frame &frame);
  const std::string &define(const std::string &name, Frame &frame);

  Session &session;
  FunctionMap functions;
  NameSource &names;
  NodeReceiver &receiver;
};
} // namespace

LogicalResult CallCheck::run() {
  uint64_t size = 0;
  return visit(session.model.graph().node(), size, 0);
}

LogicalResult CallCheck::visit(const NodeList &nodes, uint64_t &size,
                               unsigned depth) {
  for (const NodeProto &node : nodes) {
    size = llvm::SaturatingAdd<uint64_t>(size, 1);
    LogicalResult result = success();
    forEachSubgraph(node, [&](const GraphProto &graph) {
      if (succeeded(result))
        result = visit(graph.node(), size, depth);
    });
    auto function = functions.find(idOf(node));
    if (succeeded(result) && function != functions.end())
      result = visitCall(*function->second, size, depth + 1);
    if (failed(result))
      return failure();
    if (size > maxNodes)
      return session.error() << "inlining its functions would give more than "
                             << maxNodes << " nodes";
  }
  return success();
}

LogicalResult CallCheck::visitCall(const FunctionProto &function,
                                   uint64_t &size, unsigned depth) {
  if (depth > maxDepth)
    return session.error() << "calls of functions nest deeper than "
                           << maxDepth;
  auto [known, isNew] = sizes.try_emplace(&function);
  if (isNew) {
    uint64_t own = 0;
    if (failed(visit(function.node(), own, depth)))
      return failure();
    known->second = own;
  }
  if (!known->second)
    return session.error() << "function '" << function.name()
                           << "' calls itself";
  size = llvm::SaturatingAdd(size, *known->second);
  return success();
}

/// The name in the model of a value that is made in `frame`.
const std::string &Inliner::define(const std::string &name, Frame &frame) {
  auto [known, isNew] = frame.names.try_emplace(name);
  if (isNew && !name.empty())
    known->second = names.unique(frame.prefix + name);
  return known->second;
}

LogicalResult Inliner::resolveAttributes(NodeProto &node, const Frame &frame) {
  NodeProto old;
  old.mutable_attribute()->Swap(node.mutable_attribute());
  for (AttributeProto &attribute : *old.mutable_attribute()) {
    if (attribute.ref_attr_name().empty()) {
      node.add_attribute()->Swap(&attribute);
      continue;
    }
    if (!frame.attributes)
      return session.error(node)
             << "attribute '" << attribute.name()
             << "' refers to one of a function, but the node is in none";
    auto given = frame.attributes->find(attribute.ref_attr_name());
    if (given == frame.attributes->end())
      continue;
    AttributeProto &resolved = *node.add_attribute();
    resolved = given->second;
    resolved.set_name(attribute.name());
  }
  return success();
}

LogicalResult Inliner::resolveInputs(NodeProto &node, const Frame &frame) {
  for (std::string &input : *node.mutable_input()) {
    const std::string *name = input.empty() ? &input : frame.find(input);
    if (!name)
      return session.error(node)
             << "its input '" << input << "' is not made by any node";
    input = *name;
  }
  return success();
}

/// Brings the nodes of a subgraph of `node` into their final form.
LogicalResult Inliner::rebuild(const NodeProto &node, GraphProto &graph,
                               const Frame &frame) {
  GraphProto old;
  old.Swap(&graph);
  Frame inner{&frame, frame.opsets, frame.attributes, frame.prefix, {}};
  graph.mutable_input()->Swap(old.mutable_input());
  for (proto::ValueInfoProto &input : *graph.mutable_input())
    input.set_name(define(input.name(), inner));
  receiver.enter(node, graph);
  for (proto::TensorProto &tensor : *old.mutable_initializer()) {
    // The default of an input, which always has a value.
    if (inner.names.contains(tensor.name()))
      continue;
    NodeProto constant;
    constant.set_op_type("Constant");
    constant.add_output(tensor.name());
    AttributeProto &value = *constant.add_attribute();
    value.set_name("value");
    value.set_type(AttributeProto::TENSOR);
    value.mutable_t()->Swap(&tensor);
    if (failed(visit(constant, inner, graph)))
      return failure();
  }
  for (const NodeProto &inside : old.node())
    if (failed(visit(inside, inner, graph)))
      return failure();
  for (proto::ValueInfoProto &output : *old.mutable_output()) {
    const std::string *name = inner.find(output.name());
    if (!name || name->empty())
      return session.error(node) << "nothing makes output '" << output.name()
                                 << "' of one of its subgraphs";
    output.set_name(*name);
  }
  graph.set_name(old.name());
  graph.mutable_output()->Swap(old.mutable_output());
  return success();
}

/// Operators that take a graph, but for those that stay.
static bool isDefinedByFunction(const NodeProto &node) {
  static constexpr StringRef own[] = {"If", "Loop", "Scan"};
  if (node.domain().empty() && llvm::is_contained(own, node.op_type()))
    return false;
  return llvm::any_of(node.attribute(), [](const AttributeProto &attribute) {
    return attribute.has_g() || attribute.graphs_size() != 0;
  });
}

/// The graphs that `node` takes may read what is around it.
LogicalResult Inliner::expand(const NodeProto &node, Frame &frame,
                              GraphProto &target) {
  int64_t opset = opsetOf(frame.opsets, node.domain());
  FailureOr<FunctionProto> function =
      defineByFunction(session, node, opset, receiver);
  if (failed(function))
    return failure();
  for (const auto &[domain, version] : frame.opsets)
    if (llvm::none_of(function->opset_import(), [&](const auto &known) {
          return known.domain() == domain;
        })) {
      auto *import = function->add_opset_import();
      import->set_domain(domain);
      import->set_version(version);
    }
  return call(node, *function, frame, target, &frame);
}

LogicalResult Inliner::visit(const NodeProto &original, Frame &frame,
                             GraphProto &target) {
  NodeProto node = original;
  if (failed(resolveAttributes(node, frame)) ||
      failed(resolveInputs(node, frame)))
    return failure();
  if (!frame.prefix.empty())
    node.set_name(frame.prefix +
                  (node.name().empty() ? node.op_type() : node.name()));
  auto function = functions.find(idOf(node));
  if (function != functions.end())
    return call(node, *function->second, frame, target);
  if (isDefinedByFunction(node))
    return expand(node, frame, target);
  for (std::string &output : *node.mutable_output())
    output = define(output, frame);
  LogicalResult result = success();
  forEachSubgraph(node, [&](GraphProto &graph) {
    if (succeeded(result))
      result = rebuild(node, graph, frame);
  });
  if (failed(result))
    return failure();
  int64_t opset = opsetOf(frame.opsets, node.domain());
  return receiver.add(std::move(node), opset, target);
}

/// The values of the function's attributes in a call by `node`.
static Attributes bind(const NodeProto &node, const FunctionProto &function) {
  Attributes given;
  for (const AttributeProto &attribute : function.attribute_proto())
    given[attribute.name()] = attribute;
  for (const AttributeProto &attribute : node.attribute())
    if (given.count(attribute.name()) ||
        llvm::is_contained(function.attribute(), attribute.name()))
      given[attribute.name()] = attribute;
  return given;
}

/// `node` is the call, with names of the model as operands and those of `frame`
/// as results.
LogicalResult Inliner::call(const NodeProto &node,
                            const FunctionProto &function, Frame &frame,
                            GraphProto &target, const Frame *outer) {
  if (node.input_size() > function.input_size() ||
      node.output_size() > function.output_size())
    return session.error(node)
           << "has " << node.input_size() << " inputs and "
           << node.output_size() << " outputs, but its function takes "
           << function.input_size() << " and makes " << function.output_size();
  Attributes attributes = bind(node, function);
  // Graphs that the node takes may refer to those of the function around it.
  if (outer && outer->attributes)
    attributes.insert(outer->attributes->begin(), outer->attributes->end());
  std::string prefix = node.name().empty() ? node.op_type() : node.name();
  Frame inner{
      outer, opsetsOf(function.opset_import()), &attributes, prefix + "/", {}};
  for (auto [index, input] : llvm::enumerate(function.input()))
    inner.names[input] =
        int(index) < node.input_size() ? node.input(index) : std::string();
  for (auto [formal, actual] : llvm::zip(function.output(), node.output()))
    if (!actual.empty() && !inner.names.contains(formal))
      inner.names[formal] = define(actual, frame);
  for (const NodeProto &inside : function.node())
    if (failed(visit(inside, inner, target)))
      return failure();
  return returnValues(node, function, inner, frame, target);
}

/// Gives results their values where no node of the body makes them under that
/// name: it is an operand, or the value of two results.
LogicalResult Inliner::returnValues(const NodeProto &node,
                                    const FunctionProto &function,
                                    const Frame &inner, Frame &frame,
                                    GraphProto &target) {
  for (auto [formal, actual] : llvm::zip(function.output(), node.output())) {
    if (actual.empty())
      continue;
    const std::string *value = inner.find(formal);
    if (!value)
      return session.error(node)
             << "its function does not make output '" << formal << "'";
    if (frame.find(actual) && *frame.find(actual) == *value)
      continue;
    if (value->empty()) {
      frame.names[actual].clear();
      continue;
    }
    NodeProto copy;
    copy.set_op_type("Identity");
    copy.set_name(node.name());
    copy.add_input(*value);
    copy.add_output(define(actual, frame));
    if (failed(
            receiver.add(std::move(copy), tenon::onnx::newestOpset(), target)))
      return failure();
  }
  return success();
}

LogicalResult Inliner::run(GraphProto &target) {
  const GraphProto &graph = session.model.graph();
  if (failed(CallCheck(session, functions).run()))
    return failure();
  Frame frame{nullptr, opsetsOf(session.model.opset_import()), nullptr, "", {}};
  auto keep = [&](const std::string &name) {
    names.take(name);
    frame.names[name] = name;
  };
  for (const proto::ValueInfoProto &input : graph.input())
    keep(input.name());
  for (const proto::TensorProto &tensor : graph.initializer())
    keep(tensor.name());
  for (const NodeProto &node : graph.node())
    llvm::for_each(node.output(), keep);
  for (const NodeProto &node : graph.node())
    if (failed(visit(node, frame, target)))
      return failure();
  return success();
}

LogicalResult tenon::onnximport::inlineFunctions(Session &session,
                                                 NameSource &names,
                                                 GraphProto &target,
                                                 NodeReceiver &receiver) {
  return Inliner(session, names, receiver).run(target);
}
