//===- PartsSmaller.cpp - the same nodes with less in them ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Import/Onnx/PartsContents.h"

#include <set>

using namespace tenon::onnximport;
namespace proto = ::onnx;

namespace {
/// One way to make a model smaller: without an attribute of a node, or with
/// `size` wherever inputs and initialisers have `extent`.
struct Step {
  int node = -1, attribute = 0;
  int64_t extent = 0, size = 0;
};
} // namespace

/// Bytes of an element in raw data; 0: another form, which is left alone.
static size_t elementBytes(const proto::TensorProto &tensor) {
  size_t count = 1;
  for (int64_t dim : tensor.dims())
    count *= size_t(dim);
  size_t bytes = tensor.raw_data().size();
  return count && bytes % count == 0 ? bytes / count : 0;
}

/// The sizes of inputs, and of initialisers that cut() makes smaller: of others
/// a smaller model would be the same one, without end.
static std::set<int64_t> extentsOf(const proto::GraphProto &graph) {
  std::set<int64_t> extents;
  for (const proto::ValueInfoProto &input : graph.input())
    for (const auto &dim : input.type().tensor_type().shape().dim())
      extents.insert(dim.dim_value());
  for (const proto::TensorProto &tensor : graph.initializer())
    if (elementBytes(tensor))
      extents.insert(tensor.dims().begin(), tensor.dims().end());
  extents.erase(extents.begin(), extents.upper_bound(1));
  return extents;
}

static std::vector<Step> stepsOf(const proto::GraphProto &graph) {
  std::vector<Step> steps;
  for (int i = 0; i < graph.node_size(); ++i)
    for (int k = 0; k < graph.node(i).attribute_size(); ++k)
      steps.push_back({i, k, 0, 0});
  for (int64_t extent : extentsOf(graph))
    for (int64_t size : {int64_t(1), int64_t(2), extent / 4, extent / 2})
      if (size > 0 && size < extent)
        steps.push_back({-1, 0, extent, size});
  return steps;
}

/// Keeps the first `size` of each dimension of `extent`.
static void cut(proto::TensorProto &tensor, int64_t extent, int64_t size) {
  size_t inner = elementBytes(tensor);
  for (int k = tensor.dims_size(); inner && k-- > 0;) {
    auto dim = size_t(tensor.dims(k));
    size_t kept = tensor.dims(k) == extent ? size_t(size) : dim;
    std::string bytes;
    for (size_t at = 0; at < tensor.raw_data().size(); at += dim * inner)
      bytes.append(tensor.raw_data(), at, kept * inner);
    tensor.set_raw_data(std::move(bytes));
    tensor.set_dims(k, int64_t(kept));
    inner *= kept;
  }
}

static void cut(proto::GraphProto &graph, int64_t extent, int64_t size) {
  for (proto::TensorProto &tensor : *graph.mutable_initializer())
    cut(tensor, extent, size);
  for (auto &input : *graph.mutable_input())
    forEachDim(input, [&](auto &dim) {
      if (dim.dim_value() == extent)
        dim.set_dim_value(size);
    });
  for (auto &output : *graph.mutable_output())
    if (output.type().has_tensor_type())
      output.mutable_type()->mutable_tensor_type()->clear_shape();
  graph.clear_value_info();
}

size_t PartedModel::smallerCount() const {
  return stepsOf(contents->model.graph()).size();
}

std::string PartedModel::smaller(size_t number) const {
  proto::ModelProto model = contents->model;
  proto::GraphProto &graph = *model.mutable_graph();
  Step step = stepsOf(graph)[number];
  if (step.node >= 0)
    graph.mutable_node(step.node)->mutable_attribute()->DeleteSubrange(
        step.attribute, 1);
  else
    cut(graph, step.extent, step.size);
  return model.SerializeAsString();
}
