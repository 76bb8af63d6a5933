//===- Read.cpp - from bytes to a ModelProto ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file parses models and moves all large tensors to the weight table.
//===----------------------------------------------------------------------===//
#include "lib/Import/Onnx/Nodes.h"
#include "lib/Import/Onnx/Parse.h"
#include "lib/Import/Onnx/Session.h"
#include "lib/Import/Onnx/Wire.h"
#include "onnx/defs/parser.h"
#include <google/protobuf/stubs/logging.h>

using namespace mlir;
using namespace tenon::onnximport;

llvm::Expected<std::string> tenon::onnximport::parseText(StringRef text) {
  proto::ModelProto model;
  std::string terminated = text.str();
  auto status = proto::OnnxParser::Parse(model, terminated.c_str());
  if (!status.IsOK())
    return llvm::createStringError(status.ErrorMessage());
  return model.SerializeAsString();
}

bool tenon::onnximport::parseQuietly(proto::ModelProto &model,
                                     const std::string &bytes) {
  google::protobuf::LogSilencer silence;
  return model.ParseFromString(bytes);
}

LogicalResult tenon::onnximport::readModel(Session &session,
                                           std::shared_ptr<Mapping> file,
                                           bool isText) {
  if (file->bytes().empty())
    return session.error() << "not an ONNX model: the file is empty";
  if (isText) {
    auto bytes = parseText(file->bytes());
    if (!bytes)
      return session.error() << llvm::toString(bytes.takeError());
    file = Mapping::copyOf(std::move(*bytes));
  }
  auto stripped = stripWeights(file->bytes(), session.options.maxGraphBytes);
  if (!stripped)
    return session.error() << "not an ONNX model: "
                           << llvm::toString(stripped.takeError());
  if (!parseQuietly(session.model, stripped->bytes))
    return session.error() << "not an ONNX model: a message is malformed";
  for (ByteRange range : stripped->ranges)
    session.weights.push_back({file, range.offset, range.size});
  return resolveExternalData(session);
}

void tenon::onnximport::setData(Session &session, proto::TensorProto &tensor,
                                const WeightSlice &slice) {
  if (slice.size <= inlineBytes) {
    tensor.set_raw_data(slice.bytes().str());
    return;
  }
  tensor.set_raw_data(std::string(1, '\0'));
  auto *entry = tensor.add_external_data();
  entry->set_key(sliceKey.str());
  entry->set_value(std::to_string(session.weights.size()));
  session.weights.push_back(slice);
}

/// Replaces the reference of `tensor` by a slice, or by its bytes if they are
/// few.
static llvm::Error resolve(Session &session, proto::TensorProto &tensor) {
  std::string location, offset, length;
  for (const auto &entry : tensor.external_data()) {
    if (entry.key() == "location")
      location = entry.value();
    else if (entry.key() == "offset")
      offset = entry.value();
    else if (entry.key() == "length")
      length = entry.value();
  }
  auto slice = session.external.slice(location, offset, length);
  if (!slice)
    return slice.takeError();
  tensor.clear_external_data();
  tensor.clear_data_location();
  setData(session, tensor, *slice);
  return llvm::Error::success();
}

/// Calls `visit` on each tensor of the nodes, in their subgraphs too, until one
/// fails.
static LogicalResult
walkTensors(NodeList &nodes,
            llvm::function_ref<LogicalResult(proto::TensorProto &)> visit) {
  LogicalResult result = success();
  auto visitAll = [&](auto &tensors) {
    for (proto::TensorProto &tensor : tensors)
      if (succeeded(result))
        result = visit(tensor);
  };
  for (proto::NodeProto &node : nodes) {
    for (proto::AttributeProto &attribute : *node.mutable_attribute()) {
      if (attribute.has_t() && succeeded(result))
        result = visit(*attribute.mutable_t());
      visitAll(*attribute.mutable_tensors());
    }
    forEachSubgraph(node, [&](proto::GraphProto &graph) {
      visitAll(*graph.mutable_initializer());
      if (succeeded(result))
        result = walkTensors(*graph.mutable_node(), visit);
    });
  }
  return result;
}

LogicalResult tenon::onnximport::resolveExternalData(Session &session) {
  auto visit = [&](proto::TensorProto &tensor) -> LogicalResult {
    if (tensor.data_location() != proto::TensorProto::EXTERNAL)
      return success();
    if (llvm::Error error = resolve(session, tensor))
      return session.error() << "tensor '" << tensor.name()
                             << "': " << llvm::toString(std::move(error));
    return success();
  };
  proto::GraphProto &graph = *session.model.mutable_graph();
  for (proto::TensorProto &tensor : *graph.mutable_initializer())
    if (failed(visit(tensor)))
      return failure();
  if (failed(walkTensors(*graph.mutable_node(), visit)))
    return failure();
  for (proto::FunctionProto &function : *session.model.mutable_functions())
    if (failed(walkTensors(*function.mutable_node(), visit)))
      return failure();
  return success();
}
