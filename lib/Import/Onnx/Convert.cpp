//===- Convert.cpp - one opset, no functions, all shapes ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file brings a checked model into the form that is built from.
//===----------------------------------------------------------------------===//
#include "dialects/Onnx/Onnx.h"
#include "lib/Import/Onnx/Adapters.h"
#include "lib/Import/Onnx/Session.h"
#include "onnx/checker.h"
#include "onnx/inliner/inliner.h"
#include "llvm/Support/MathExtras.h"
#include <map>

using namespace mlir;
using namespace tenon::onnximport;
using proto::NodeProto;

/// Makes `tensor` from one of Constant's scalar and list forms; false if
/// `attribute` is none.
static bool constantValue(const proto::AttributeProto &attribute,
                          proto::TensorProto &tensor) {
  using proto::TensorProto;
  StringRef name = attribute.name();
  if (name == "value_int" || name == "value_ints") {
    tensor.set_data_type(TensorProto::INT64);
    *tensor.mutable_int64_data() = attribute.ints();
    if (name == "value_int")
      tensor.add_int64_data(attribute.i());
  } else if (name == "value_float" || name == "value_floats") {
    tensor.set_data_type(TensorProto::FLOAT);
    *tensor.mutable_float_data() = attribute.floats();
    if (name == "value_float")
      tensor.add_float_data(attribute.f());
  } else if (name == "value_string" || name == "value_strings") {
    tensor.set_data_type(TensorProto::STRING);
    *tensor.mutable_string_data() = attribute.strings();
    if (name == "value_string")
      tensor.add_string_data(attribute.s());
  } else {
    return false;
  }
  if (name.ends_with("s"))
    tensor.add_dims(tensor.int64_data_size() + tensor.float_data_size() +
                    tensor.string_data_size());
  return true;
}

LogicalResult tenon::onnximport::unifyConstants(Session &session) {
  for (NodeProto &node : *session.model.mutable_graph()->mutable_node()) {
    if (node.op_type() != "Constant" || !node.domain().empty())
      continue;
    if (node.attribute_size() != 1 || node.output_size() != 1)
      return session.error(node) << "must have one attribute and one output";
    proto::AttributeProto &attribute = *node.mutable_attribute(0);
    proto::TensorProto tensor;
    if (attribute.name() != "value" && !constantValue(attribute, tensor))
      return session.error(node)
             << "attribute '" << attribute.name() << "' is not supported";
    if (attribute.name() == "value")
      continue;
    attribute.Clear();
    attribute.set_name("value");
    attribute.set_type(proto::AttributeProto::TENSOR);
    *attribute.mutable_t() = std::move(tensor);
  }
  return success();
}

/// onnx's converter keeps values apart by name, and absent outputs have none.
/// They get names that start with the result of this; restored afterwards.
static std::string nameAbsentOutputs(proto::GraphProto &graph) {
  std::string prefix = "tenon.absent";
  auto taken = [&](const std::string &name) {
    return StringRef(name).starts_with(prefix);
  };
  for (const NodeProto &node : graph.node())
    while (llvm::any_of(node.output(), taken))
      prefix += '.';
  unsigned count = 0;
  for (NodeProto &node : *graph.mutable_node())
    for (std::string &output : *node.mutable_output())
      if (output.empty())
        output = prefix + std::to_string(count++);
  return prefix;
}

static void unnameAbsentOutputs(proto::GraphProto &graph, StringRef prefix) {
  for (NodeProto &node : *graph.mutable_node())
    for (std::string &output : *node.mutable_output())
      if (StringRef(output).starts_with(prefix))
        output.clear();
}

namespace {
/// The number of nodes after inlining all functions, saturating. Calls must be
/// acyclic.
class InlinedSize {
public:
  explicit InlinedSize(const proto::ModelProto &model) {
    for (const proto::FunctionProto &function : model.functions())
      functions[{function.domain(), function.name()}] = &function;
  }
  template <typename Nodes> uint64_t of(const Nodes &nodes) {
    uint64_t size = 0;
    for (const NodeProto &node : nodes)
      size = llvm::SaturatingAdd(size, ofNode(node));
    return size;
  }

private:
  uint64_t ofNode(const NodeProto &node) {
    std::pair<std::string, std::string> id(node.domain(), node.op_type());
    auto found = functions.find(id);
    if (found == functions.end())
      return 1;
    auto known = sizes.find(id);
    if (known != sizes.end())
      return known->second;
    return sizes[id] = of(found->second->node());
  }

  std::map<std::pair<std::string, std::string>, const proto::FunctionProto *>
      functions;
  std::map<std::pair<std::string, std::string>, uint64_t> sizes;
};
} // namespace

static LogicalResult inlineFunctions(Session &session) {
  constexpr uint64_t maxNodes = 1'000'000;
  proto::ModelProto &model = session.model;
  if (model.functions_size() == 0)
    return success();
  return guarded(session, "cannot inline functions", [&]() -> LogicalResult {
    proto::checker::check_function_call_cycles(model);
    if (InlinedSize(model).of(model.graph().node()) > maxNodes)
      return session.error() << "inlining its functions would give more than "
                             << maxNodes << " nodes";
    proto::inliner::InlineLocalFunctions(model, /*convert_version=*/true);
    if (model.functions_size() != 0)
      return session.error()
             << "function '" << model.functions(0).name()
             << "' imports another opset than the model and cannot be inlined";
    return success();
  });
}

static LogicalResult infer(Session &session) {
  return guarded(session, "cannot infer types", [&] {
    session.inferenceErrors = inferTypes(session.model);
    return success();
  });
}

LogicalResult tenon::onnximport::convertModel(Session &session) {
  proto::ModelProto &model = session.model;
  // Since version 4, initialisers need not be inputs; ours are not any more.
  model.set_ir_version(proto::Version::IR_VERSION);
  if (failed(inlineFunctions(session)))
    return failure();
  if (failed(unifyConstants(session)))
    return failure();
  std::string absent = nameAbsentOutputs(*model.mutable_graph());
  // The converter looks at ranks and element types.
  if (failed(infer(session)))
    return failure();
  auto convert = [&] {
    model = convertToOpset(model, int(tenon::onnx::newestOpset()));
    return success();
  };
  if (failed(guarded(session, "cannot convert to the newest opset", convert)))
    return failure();
  unnameAbsentOutputs(*model.mutable_graph(), absent);
  return infer(session);
}
