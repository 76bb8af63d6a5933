//===- Check.cpp - refusing models that cannot be imported ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file finds what can be refused before anything is converted.
//===----------------------------------------------------------------------===//
#include "dialects/Onnx/Onnx.h"
#include "dialects/Onnx/Refused.h"
#include "lib/Import/Onnx/Nodes.h"
#include "lib/Import/Onnx/Session.h"

using namespace mlir;
using namespace tenon::onnximport;
using proto::AttributeProto;
using proto::NodeProto;
using proto::OpSchema;
using proto::OpSchemaRegistry;

void tenon::onnximport::forEachNodeList(
    proto::ModelProto &model, llvm::function_ref<void(NodeList &)> visit) {
  auto visitGraph = [&](auto &graph, auto &again) -> void {
    NodeList &nodes = *graph.mutable_node();
    visit(nodes);
    for (NodeProto &node : nodes)
      forEachSubgraph(node,
                      [&](proto::GraphProto &inner) { again(inner, again); });
  };
  visitGraph(*model.mutable_graph(), visitGraph);
  for (proto::FunctionProto &function : *model.mutable_functions())
    visitGraph(function, visitGraph);
}

const OpSchema *tenon::onnximport::schemaOf(const NodeProto &node,
                                            int64_t opset) {
  if (opset < 1 || opset > INT_MAX)
    return nullptr;
  return OpSchemaRegistry::Schema(node.op_type(), int(opset), node.domain());
}

namespace {
/// Gathers all nodes that cannot be imported, for one error.
class Unsupported {
public:
  explicit Unsupported(Session &session)
      : session(session), functions(functionsOf(session.model)),
        values(session.model.graph()) {}
  LogicalResult run();

private:
  void noteTypes(proto::GraphProto &graph);
  void visitNodes(NodeList &nodes, const OpsetMap &opsets);
  void visitNode(NodeProto &node, const OpsetMap &opsets);
  void announce(NodeList &nodes);
  void add(const NodeProto &node, int64_t opset, StringRef reason);
  LogicalResult report() const;

  Session &session;
  FunctionMap functions;
  Inference values; ///< element types, to tell
  std::vector<std::string> lines;
  std::vector<tenon::onnx::RefusedNode> refused;
};
} // namespace

void Unsupported::noteTypes(proto::GraphProto &graph) {
  for (proto::ValueInfoProto &input : *graph.mutable_input())
    values.addInput(input);
  for (const proto::ValueInfoProto &info : graph.value_info())
    values.declare(info);
  for (const proto::TensorProto &tensor : graph.initializer())
    values.addConstant(tensor.name(), tensor);
}

void Unsupported::add(const NodeProto &node, int64_t opset, StringRef reason) {
  std::string line = describe(node);
  line += ", opset " + (opset < 0 ? "not imported" : std::to_string(opset));
  line += ", inputs (";
  for (auto [index, input] : llvm::enumerate(node.input())) {
    StringRef type = tenon::onnx::dataTypeName(values.elementType(input));
    line += (index ? ", " : "") + (type.empty() ? "?" : type.str());
  }
  lines.push_back(line + "): " + reason.str());
  refused.push_back({nameOf(node), qualifiedOp(node), reason.str()});
}

static bool hasSparse(const NodeProto &node) {
  return llvm::any_of(node.attribute(), [](const AttributeProto &attribute) {
    return attribute.has_sparse_tensor() ||
           attribute.sparse_tensors_size() != 0;
  });
}

/// Whether an operator is gone for good. GroupNormalization was deprecated only
/// until it came back in another form, and stays valid in between.
static bool isRemoved(const OpSchema &schema) {
  if (!schema.Deprecated())
    return false;
  const OpSchema *newest =
      OpSchemaRegistry::Schema(schema.Name(), schema.domain());
  return !newest || newest->Deprecated();
}

void Unsupported::visitNode(NodeProto &node, const OpsetMap &opsets) {
  int64_t opset = opsetOf(opsets, node.domain());
  if (functions.count(idOf(node)))
    return;
  if (opset < 0)
    return add(node, opset, "its domain has no opset import");
  if (node.domain().empty() && opset > tenon::onnx::newestOpset())
    return add(node, opset, "its opset is newer than those that are known");
  const OpSchema *schema = schemaOf(node, opset);
  if (!schema)
    return add(node, opset, "ONNX has no such operator");
  values.guessNode(node, *schema);
  if (isRemoved(*schema))
    return add(node, opset, "the operator is not part of this opset any more");
  if (hasSparse(node))
    add(node, opset, "sparse tensors are not supported");
  forEachSubgraph(node, [&](proto::GraphProto &graph) {
    noteTypes(graph);
    visitNodes(*graph.mutable_node(), opsets);
  });
}

void Unsupported::visitNodes(NodeList &nodes, const OpsetMap &opsets) {
  for (NodeProto &node : nodes)
    visitNode(node, opsets);
}

LogicalResult Unsupported::report() const {
  InFlightDiagnostic diagnostic = session.error();
  diagnostic << lines.size() << " node" << (lines.size() == 1 ? "" : "s")
             << " cannot be imported";
  for (const std::string &line : lines)
    diagnostic << "\n  " << line;
  tenon::onnx::addRefused(*diagnostic.getUnderlyingDiagnostic(),
                          &session.context, refused);
  return failure();
}

/// Says which nodes there are, those of subgraphs behind their node. All have
/// the name that was said from here on.
void Unsupported::announce(NodeList &nodes) {
  for (NodeProto &node : nodes) {
    node.set_name(nameOf(node));
    session.options.onNode(node.name(), qualifiedOp(node));
    forEachSubgraph(node, [&](proto::GraphProto &graph) {
      announce(*graph.mutable_node());
    });
  }
}

LogicalResult Unsupported::run() {
  proto::ModelProto &model = session.model;
  if (session.options.onNode)
    announce(*model.mutable_graph()->mutable_node());
  noteTypes(*model.mutable_graph());
  visitNodes(*model.mutable_graph()->mutable_node(),
             opsetsOf(model.opset_import()));
  for (proto::FunctionProto &function : *model.mutable_functions())
    visitNodes(*function.mutable_node(), opsetsOf(function.opset_import()));
  return lines.empty() ? success() : report();
}

/// Writes the default domain as "" everywhere.
static void normaliseDomains(proto::ModelProto &model) {
  auto fix = [](auto &message) {
    if (message.domain() == "ai.onnx")
      message.clear_domain();
  };
  auto fixAll = [&](auto *list) { llvm::for_each(*list, fix); };
  fixAll(model.mutable_opset_import());
  fixAll(model.mutable_functions());
  for (proto::FunctionProto &function : *model.mutable_functions())
    fixAll(function.mutable_opset_import());
  forEachNodeList(model, [&](NodeList &nodes) { fixAll(&nodes); });
}

static LogicalResult checkOpset(Session &session) {
  constexpr int64_t oldest = 1;
  int64_t newest = tenon::onnx::newestOpset();
  bool found = false;
  for (const auto &import : session.model.opset_import()) {
    if (!import.domain().empty())
      continue;
    if (found)
      return session.error() << "the opset of the default domain is imported "
                                "more than once";
    found = true;
    if (import.version() < oldest || import.version() > newest)
      return session.error()
             << "opset " << import.version() << " is not supported, only "
             << oldest << " to " << newest;
  }
  if (!found && session.model.opset_import_size() != 0) {
    // Only operators of other domains; the default one is at our choice.
    session.model.add_opset_import()->set_version(newest);
    found = true;
  }
  return found ? success() : session.error() << "the model imports no opset";
}

LogicalResult tenon::onnximport::checkModel(Session &session) {
  proto::ModelProto &model = session.model;
  if (!model.has_graph())
    return session.error() << "not an ONNX model: it has no graph";
  normaliseDomains(model);
  if (failed(checkOpset(session)))
    return failure();
  if (model.graph().sparse_initializer_size() != 0)
    return session.error() << "sparse initialisers are not supported";
  nameGradients(session);
  if (failed(orderNodes(session)))
    return failure();
  return Unsupported(session).run();
}
