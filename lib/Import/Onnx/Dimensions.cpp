//===- Dimensions.cpp - fixing the shapes of a model's inputs -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file applies --shape, --dim and what --const says about shapes.
//===----------------------------------------------------------------------===//
#include "lib/Import/Onnx/Session.h"
#include <map>
#include <set>

using namespace mlir;
using namespace tenon::onnximport;
using proto::TensorShapeProto;
using proto::ValueInfoProto;
using Dimension = proto::TensorShapeProto_Dimension;

namespace {
/// The named dimensions that are fixed, and how often each was used.
struct FixedDims {
  std::map<std::string, int64_t> values;
  std::set<std::string> used;
};
} // namespace

/// Exporters write unknown dimensions under these names; equal ones say
/// nothing.
static bool isAnonymous(StringRef name) {
  return name.empty() || name == "?" || name == "-1" || name == "None" ||
         name == "unk";
}

/// Weights of old models are inputs too; they are constants here.
static void dropInitializerInputs(proto::GraphProto &graph) {
  std::set<std::string> constants;
  for (const proto::TensorProto &tensor : graph.initializer())
    constants.insert(tensor.name());
  auto &inputs = *graph.mutable_input();
  auto kept = std::remove_if(inputs.begin(), inputs.end(), [&](auto &input) {
    return constants.count(input.name()) != 0;
  });
  inputs.erase(kept, inputs.end());
}

/// Checks the dimensions of an input and gives each unknown one a name of its
/// own, `x_0` for the first of `x`. -1 is how some exporters say unknown;
/// anything else below zero is wrong.
static LogicalResult nameDims(Session &session, ValueInfoProto &input) {
  auto &shape = *input.mutable_type()->mutable_tensor_type()->mutable_shape();
  for (int i = 0; i < shape.dim_size(); ++i) {
    Dimension &dim = *shape.mutable_dim(i);
    if (dim.has_dim_value() && dim.dim_value() < -1)
      return session.error() << "input '" << input.name() << "' has dimension "
                             << dim.dim_value();
    bool known = dim.has_dim_value() && dim.dim_value() >= 0;
    if (!known && isAnonymous(dim.dim_param()))
      dim.set_dim_param(input.name() + "_" + std::to_string(i));
  }
  return success();
}

static LogicalResult fixDim(Session &session, ValueInfoProto &input, int index,
                            int64_t value, FixedDims &fixed) {
  Dimension &dim = *input.mutable_type()
                        ->mutable_tensor_type()
                        ->mutable_shape()
                        ->mutable_dim(index);
  if (dim.has_dim_value() && dim.dim_value() != value)
    return session.error() << "dimension " << index << " of input '"
                           << input.name() << "' is " << dim.dim_value()
                           << " in the model, not " << value;
  if (dim.has_dim_param()) {
    auto [known, isNew] = fixed.values.try_emplace(dim.dim_param(), value);
    fixed.used.insert(dim.dim_param());
    if (!isNew && known->second != value)
      return session.error() << "dimension '" << dim.dim_param() << "' is both "
                             << known->second << " and " << value;
  }
  dim.set_dim_value(value);
  return success();
}

static ValueInfoProto *findInput(proto::GraphProto &graph, StringRef name) {
  for (ValueInfoProto &input : *graph.mutable_input())
    if (input.name() == name)
      return &input;
  return nullptr;
}

static LogicalResult fixShape(Session &session, StringRef name,
                              ArrayRef<int64_t> shape, FixedDims &fixed) {
  proto::GraphProto &graph = *session.model.mutable_graph();
  ValueInfoProto *input = findInput(graph, name);
  if (!input || !input->type().has_tensor_type()) {
    InFlightDiagnostic diagnostic = session.error();
    diagnostic << "no input '" << name << "' to fix the shape of; inputs are";
    for (const ValueInfoProto &other : graph.input())
      diagnostic << " '" << other.name() << "'";
    return failure();
  }
  bool hasShape = input->type().tensor_type().has_shape();
  auto &tensor = *input->mutable_type()->mutable_tensor_type();
  if (!hasShape)
    for (size_t i = 0; i < shape.size(); ++i)
      tensor.mutable_shape()->add_dim();
  size_t rank = tensor.shape().dim_size();
  if (rank != shape.size())
    return session.error() << "input '" << name << "' has " << rank
                           << " dimensions, not " << shape.size();
  for (auto [index, value] : llvm::enumerate(shape))
    if (value >= 0 && failed(fixDim(session, *input, index, value, fixed)))
      return failure();
  return success();
}

/// Gives named dimensions of the inputs their values.
static void substitute(proto::GraphProto &graph, FixedDims &fixed) {
  for (ValueInfoProto &input : *graph.mutable_input()) {
    if (!input.type().tensor_type().has_shape())
      continue;
    auto &shape = *input.mutable_type()->mutable_tensor_type()->mutable_shape();
    for (Dimension &dim : *shape.mutable_dim()) {
      auto found = fixed.values.find(dim.dim_param());
      if (!dim.has_dim_param() || found == fixed.values.end())
        continue;
      fixed.used.insert(found->first);
      dim.set_dim_value(found->second);
    }
  }
}

/// A value has a shape, which may fix symbols of inputs behind it.
static LogicalResult fixByValues(Session &session, FixedDims &fixed) {
  proto::GraphProto &graph = *session.model.mutable_graph();
  for (const auto &[name, value] : session.options.constants) {
    FailureOr<proto::TensorProto> tensor = readConstant(session, name, value);
    if (failed(tensor))
      return failure();
    SmallVector<int64_t> shape(tensor->dims().begin(), tensor->dims().end());
    if (failed(fixShape(session, name, shape, fixed)))
      return failure();
    substitute(graph, fixed);
    *graph.add_initializer() = std::move(*tensor);
    dropInitializerInputs(graph);
  }
  return success();
}

static bool hasDim(const proto::GraphProto &graph, const std::string &name) {
  return llvm::any_of(graph.input(), [&](const ValueInfoProto &input) {
    return llvm::any_of(
        input.type().tensor_type().shape().dim(),
        [&](const Dimension &dim) { return dim.dim_param() == name; });
  });
}

/// Ranges are of dimensions that stay symbols.
static LogicalResult checkRanges(Session &session, const FixedDims &fixed) {
  for (const DimRange &range : session.options.ranges) {
    if (fixed.values.count(range.name))
      return session.error()
             << "dimension '" << range.name << "' has both a size and a range";
    if (!hasDim(session.model.graph(), range.name))
      return session.error()
             << "no input has a dimension '" << range.name << "'";
  }
  return success();
}

LogicalResult tenon::onnximport::fixDimensions(Session &session) {
  proto::GraphProto &graph = *session.model.mutable_graph();
  dropInitializerInputs(graph);
  for (ValueInfoProto &input : *graph.mutable_input())
    if (input.type().tensor_type().has_shape() &&
        failed(nameDims(session, input)))
      return failure();
  FixedDims fixed;
  for (const auto &[name, value] : session.options.dims)
    fixed.values[name] = value;
  for (const auto &[name, shape] : session.options.shapes)
    if (failed(fixShape(session, name, shape, fixed)))
      return failure();
  substitute(graph, fixed);
  if (failed(fixByValues(session, fixed)))
    return failure();
  for (const auto &[name, value] : session.options.dims)
    if (!fixed.used.count(name))
      return session.error() << "no input has a dimension '" << name << "'";
  return checkRanges(session, fixed);
}
