//===- Convert.cpp - one opset, no functions, all shapes ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file brings a checked model into the form that is built from.
//===----------------------------------------------------------------------===//
#include "dialects/Onnx/Onnx.h"
#include "lib/Import/Onnx/Adapters.h"
#include "lib/Import/Onnx/Session.h"
#include "onnx/inliner/inliner.h"
#include "onnx/shape_inference/implementation.h"
#include <set>

using namespace mlir;
using namespace tenon::onnximport;

/// onnx's converter keeps values apart by name, and absent outputs have none.
/// They get names that start with the result of this; restored afterwards.
static std::string nameAbsentOutputs(proto::GraphProto &graph) {
  std::string prefix = "tenon.absent";
  auto taken = [&](const std::string &name) {
    return StringRef(name).starts_with(prefix);
  };
  for (const proto::NodeProto &node : graph.node())
    while (llvm::any_of(node.output(), taken))
      prefix += '.';
  unsigned count = 0;
  for (proto::NodeProto &node : *graph.mutable_node())
    for (std::string &output : *node.mutable_output())
      if (output.empty())
        output = prefix + std::to_string(count++);
  return prefix;
}

static void unnameAbsentOutputs(proto::GraphProto &graph, StringRef prefix) {
  for (proto::NodeProto &node : *graph.mutable_node())
    for (std::string &output : *node.mutable_output())
      if (StringRef(output).starts_with(prefix))
        output.clear();
}

/// Infers from the inputs alone: what was inferred or declared before may use
/// other names for the same dimensions.
static void inferShapes(proto::ModelProto &model) {
  proto::GraphProto &graph = *model.mutable_graph();
  graph.clear_value_info();
  for (proto::ValueInfoProto &output : *graph.mutable_output())
    if (output.type().has_tensor_type())
      output.mutable_type()->mutable_tensor_type()->clear_shape();
  proto::ShapeInferenceOptions options(/*check_type=*/false, /*strict_mode=*/0,
                                       /*data_prop=*/true);
  proto::shape_inference::InferShapes(
      model, proto::OpSchemaRegistry::Instance(), options);
}

LogicalResult tenon::onnximport::convertModel(Session &session) {
  proto::ModelProto &model = session.model;
  // Since version 4, initialisers need not be inputs; ours are not any more.
  model.set_ir_version(proto::Version::IR_VERSION);
  if (failed(guarded(session, "cannot inline functions", [&] {
        proto::inliner::InlineLocalFunctions(model, /*convert_version=*/true);
        return success();
      })))
    return failure();
  std::string absent = nameAbsentOutputs(*model.mutable_graph());
  LogicalResult inferred = guarded(session, "cannot infer shapes", [&] {
    inferShapes(model);
    return success();
  });
  if (failed(inferred))
    return failure();
  LogicalResult converted = guarded(session, "cannot convert to the newest opset", [&] {
    model = convertToOpset(model, int(tenon::onnx::newestOpset()));
    return success();
  });
  if (failed(converted))
    return failure();
  return guarded(session, "cannot infer shapes", [&] {
    inferShapes(model);
    unnameAbsentOutputs(*model.mutable_graph(), absent);
    return success();
  });
}
