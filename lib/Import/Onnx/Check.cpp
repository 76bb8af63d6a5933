//===- Check.cpp - refusing models that cannot be imported ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file runs onnx's checker and the checks that are ours.
//===----------------------------------------------------------------------===//
#include "dialects/Onnx/Onnx.h"
#include "lib/Import/Onnx/Session.h"
#include "onnx/checker.h"
#include "onnx/defs/schema.h"
#include <set>

using namespace mlir;
using namespace tenon::onnximport;
using proto::AttributeProto;
using proto::NodeProto;
using proto::OpSchemaRegistry;

namespace {
/// Domain -> opset version.
using OpsetMap = std::map<std::string, int64_t>;

/// Gathers all nodes that cannot be imported, for one error.
class Unsupported {
public:
  explicit Unsupported(Session &session) : session(session) {}
  void visitGraph(const proto::GraphProto &graph, const OpsetMap &opsets);
  void visitNodes(const google::protobuf::RepeatedPtrField<NodeProto> &nodes,
                  const OpsetMap &opsets);
  void noteTypes(const proto::GraphProto &graph);
  bool any() const { return !lines.empty(); }
  LogicalResult report() const;
  std::set<std::pair<std::string, std::string>> functions;

private:
  void visitNode(const NodeProto &node, const OpsetMap &opsets);
  void add(const NodeProto &node, int64_t opset, StringRef reason);
  Session &session;
  std::map<std::string, std::string> types; ///< of values, where declared
  std::vector<std::string> lines;
};
} // namespace

/// ONNX has two names for its default domain; only "" is used from here on.
static StringRef domainName(StringRef domain) {
  return domain == "ai.onnx" ? StringRef() : domain;
}

void Unsupported::noteTypes(const proto::GraphProto &graph) {
  auto note = [&](const proto::ValueInfoProto &info) {
    int64_t type = info.type().tensor_type().elem_type();
    types[info.name()] = tenon::onnx::dataTypeName(type).str();
  };
  llvm::for_each(graph.input(), note);
  llvm::for_each(graph.value_info(), note);
  for (const proto::TensorProto &tensor : graph.initializer())
    types[tensor.name()] = tenon::onnx::dataTypeName(tensor.data_type()).str();
}

void Unsupported::add(const NodeProto &node, int64_t opset, StringRef reason) {
  std::string line = describe(node);
  line += ", opset " + (opset < 0 ? "not imported" : std::to_string(opset));
  line += ", inputs (";
  for (auto [index, input] : llvm::enumerate(node.input())) {
    auto found = types.find(input);
    bool known = found != types.end() && !found->second.empty();
    line += (index ? ", " : "") + (known ? found->second : std::string("?"));
  }
  lines.push_back(line + "): " + reason.str());
}

static bool hasSubgraph(const NodeProto &node) {
  return llvm::any_of(node.attribute(), [](const AttributeProto &attribute) {
    return attribute.has_g() || attribute.graphs_size() != 0;
  });
}

static bool hasSparse(const NodeProto &node) {
  return llvm::any_of(node.attribute(), [](const AttributeProto &attribute) {
    return attribute.has_sparse_tensor() ||
           attribute.sparse_tensors_size() != 0;
  });
}

void Unsupported::visitNode(const NodeProto &node, const OpsetMap &opsets) {
  std::string domain = domainName(node.domain()).str();
  auto found = opsets.find(domain);
  int64_t opset = found == opsets.end() ? -1 : found->second;
  if (functions.count({domain, node.op_type()}))
    return;
  if (opset < 0)
    return add(node, opset, "its domain has no opset import");
  if (opset > INT_MAX)
    return add(node, opset, "its opset is out of range");
  const proto::OpSchema *schema =
      OpSchemaRegistry::Schema(node.op_type(), int(opset), domain);
  if (!schema)
    return add(node, opset, "ONNX has no such operator");
  if (schema->Deprecated())
    return add(node, opset, "the operator is not part of this opset any more");
  if (hasSubgraph(node))
    return add(node, opset, "control flow (a subgraph) is not supported");
  if (hasSparse(node))
    add(node, opset, "sparse tensors are not supported");
}

void Unsupported::visitNodes(
    const google::protobuf::RepeatedPtrField<NodeProto> &nodes,
    const OpsetMap &opsets) {
  for (const NodeProto &node : nodes)
    visitNode(node, opsets);
}

LogicalResult Unsupported::report() const {
  InFlightDiagnostic diagnostic = session.error();
  diagnostic << lines.size() << " node" << (lines.size() == 1 ? "" : "s")
             << " cannot be imported";
  for (const std::string &line : lines)
    diagnostic << "\n  " << line;
  return failure();
}

template <typename Imports> static OpsetMap opsetsOf(const Imports &imports) {
  OpsetMap opsets;
  for (const proto::OperatorSetIdProto &import : imports)
    opsets[domainName(import.domain()).str()] = import.version();
  return opsets;
}

static void visitModel(const proto::ModelProto &model,
                       Unsupported &unsupported) {
  for (const proto::FunctionProto &function : model.functions())
    unsupported.functions.emplace(domainName(function.domain()).str(),
                                  function.name());
  unsupported.noteTypes(model.graph());
  unsupported.visitNodes(model.graph().node(), opsetsOf(model.opset_import()));
  for (const proto::FunctionProto &function : model.functions())
    unsupported.visitNodes(function.node(), opsetsOf(function.opset_import()));
}

static LogicalResult checkNodes(Session &session) {
  Unsupported unsupported(session);
  visitModel(session.model, unsupported);
  if (!unsupported.any())
    return success();
  // Once more, with the types as far as they can be inferred.
  Unsupported typed(session);
  proto::ModelProto inferred = session.model;
  inferTypes(inferred);
  visitModel(inferred, typed);
  return typed.report();
}

/// Writes the default domain as "" everywhere, and makes its import explicit.
static void normaliseDomains(proto::ModelProto &model) {
  auto fix = [](auto &message) {
    if (message.domain() == "ai.onnx")
      message.clear_domain();
  };
  auto fixNodes = [&](auto &nodes) { llvm::for_each(nodes, fix); };
  llvm::for_each(*model.mutable_opset_import(), fix);
  fixNodes(*model.mutable_graph()->mutable_node());
  for (proto::FunctionProto &function : *model.mutable_functions()) {
    llvm::for_each(*function.mutable_opset_import(), fix);
    fixNodes(*function.mutable_node());
  }
}

/// The checker wants a shape on each output; the importer infers it and reads
/// none, so that a missing one is no fault.
static void completeOutputs(proto::GraphProto &graph) {
  for (proto::ValueInfoProto &output : *graph.mutable_output())
    if (output.type().has_tensor_type())
      output.mutable_type()->mutable_tensor_type()->mutable_shape();
}

static LogicalResult checkOpset(Session &session) {
  constexpr int64_t oldest = 7;
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
  completeOutputs(*model.mutable_graph());
  if (failed(checkOpset(session)))
    return failure();
  if (model.graph().sparse_initializer_size() != 0)
    return session.error() << "sparse initialisers are not supported";
  return guarded(session, "not a valid ONNX model", [&]() -> LogicalResult {
    if (failed(checkNodes(session)))
      return failure();
    // Functions may import another opset: they are converted when inlined.
    proto::checker::check_model(model, /*full_check=*/false,
                                /*skip_opset_compatibility_check=*/true);
    return success();
  });
}
