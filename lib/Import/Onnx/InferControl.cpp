//===- InferControl.cpp - types where there are subgraphs -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file infers what If, Loop and Scan make, and what their bodies get. From
// one iteration to the next, sizes may change, but nothing else does.
//===----------------------------------------------------------------------===//
#include "lib/Import/Onnx/Infer.h"
#include "llvm/ADT/StringRef.h"

namespace proto = ::onnx;
using proto::GraphProto;
using proto::NodeProto;
using proto::TypeProto;
using namespace tenon::onnximport;

/// The type without sizes; a tensor keeps its rank.
static TypeProto withoutSizes(TypeProto type) {
  if (type.has_tensor_type() && type.tensor_type().has_shape())
    for (auto &dim :
         *type.mutable_tensor_type()->mutable_shape()->mutable_dim())
      dim.Clear();
  if (type.has_sequence_type())
    *type.mutable_sequence_type()->mutable_elem_type() =
        withoutSizes(type.sequence_type().elem_type());
  if (type.has_optional_type())
    *type.mutable_optional_type()->mutable_elem_type() =
        withoutSizes(type.optional_type().elem_type());
  return type;
}

/// With `more` dimensions of unknown sizes, or less.
static TypeProto withRank(TypeProto type, int more) {
  if (!type.has_tensor_type() || !type.tensor_type().has_shape())
    return type;
  auto &shape = *type.mutable_tensor_type()->mutable_shape();
  for (; more > 0; --more)
    shape.add_dim();
  for (; more < 0 && shape.dim_size() > 0; ++more)
    shape.mutable_dim()->RemoveLast();
  return withoutSizes(type);
}

static int64_t integer(const NodeProto &node, llvm::StringRef name) {
  for (const proto::AttributeProto &attribute : node.attribute())
    if (attribute.name() == name)
      return attribute.i();
  return 0;
}

static const GraphProto *subgraph(const NodeProto &node, llvm::StringRef name) {
  for (const proto::AttributeProto &attribute : node.attribute())
    if (attribute.name() == name && attribute.has_g())
      return &attribute.g();
  return nullptr;
}

static TypeProto scalar(int32_t element) {
  TypeProto type;
  type.mutable_tensor_type()->set_elem_type(element);
  type.mutable_tensor_type()->mutable_shape();
  return type;
}

/// What both branches make, as far as it is the same.
void Inference::inferIf(const NodeProto &node) {
  const GraphProto *first = subgraph(node, "then_branch");
  const GraphProto *second = subgraph(node, "else_branch");
  if (!first || !second)
    return;
  for (int i = 0; i < node.output_size(); ++i) {
    if (i >= first->output_size() || i >= second->output_size())
      return;
    const TypeProto *a = typeOf(first->output(i).name());
    const TypeProto *b = typeOf(second->output(i).name());
    if (!a || !b)
      continue;
    TypeProto type = *a;
    if (a->SerializeAsString() != b->SerializeAsString()) {
      if (type.has_tensor_type())
        type.mutable_tensor_type()->clear_shape();
      type = withoutSizes(type);
      guesses.insert(node.output(i));
    }
    setType(node.output(i), type);
  }
}

/// What is carried keeps its type; behind it, outputs of all iterations are
/// stacked.
void Inference::inferBody(const NodeProto &node, int carried, int firstInput,
                          int firstOutput) {
  const GraphProto *body = subgraph(node, "body");
  for (int i = 0; body && i < node.output_size(); ++i) {
    bool isCarried = i < carried;
    int input = firstInput + i, output = firstOutput + i;
    const TypeProto *type = nullptr;
    if (output < body->output_size())
      type = typeOf(body->output(output).name());
    const TypeProto *first = isCarried && input < body->input_size()
                                 ? typeOf(body->input(input).name())
                                 : nullptr;
    // What was carried as an optional may come out as what it holds.
    if (first && (!type || type->value_case() == first->value_case()))
      type = first;
    if (type)
      setType(node.output(i), withRank(*type, isCarried ? 0 : 1));
  }
}

/// A Scan of sequences that stands alone in the body of one of their batch is
/// new: nothing has been inferred of it.
void Inference::inferSequences(const NodeProto &node) {
  const GraphProto *body = subgraph(node, "body");
  if (node.op_type() != "Scan" || !body || body->node_size() != 1 ||
      body->node(0).op_type() != "Scan" || body->output_size() == 0 ||
      typeOf(body->output(0).name()))
    return;
  enterSubgraph(node, *body);
  inferControl(body->node(0));
}

bool Inference::inferControl(const NodeProto &node) {
  if (!node.domain().empty())
    return false;
  inferSequences(node);
  if (node.op_type() == "If")
    inferIf(node);
  else if (node.op_type() == "Loop")
    inferBody(node, node.input_size() - 2, 2, 1);
  else if (node.op_type() == "Scan")
    inferBody(node, node.input_size() - int(integer(node, "num_scan_inputs")),
              0, 0);
  else
    return false;
  return true;
}

void Inference::enterSubgraph(const NodeProto &node, const GraphProto &graph) {
  bool isLoop = node.op_type() == "Loop" && node.domain().empty();
  int scans = int(integer(node, "num_scan_inputs"));
  // In opset 8, a Scan has lengths in front, and a batch in all others.
  int lengths = node.op_type() == "Scan" && node.domain().empty() &&
                node.input_size() == graph.input_size() + 1;
  for (int i = 0; i < graph.input_size(); ++i) {
    const proto::ValueInfoProto &input = graph.input(i);
    int from = i + lengths;
    const TypeProto *given = from < node.input_size() && (!isLoop || i > 1)
                                 ? typeOf(node.input(from))
                                 : nullptr;
    bool isSlice = !isLoop && from >= node.input_size() - scans;
    if (isLoop && i < 2)
      setType(input.name(), scalar(i == 0 ? proto::TensorProto::INT64
                                          : proto::TensorProto::BOOL));
    else if (given && given->has_tensor_type())
      setType(input.name(), withRank(*given, -int(isSlice) - lengths));
    else if (input.type().value_case() != TypeProto::VALUE_NOT_SET)
      // Of an empty sequence, the body knows more than what it starts from.
      setType(input.name(), withoutSizes(input.type()));
    else if (given)
      setType(input.name(), withoutSizes(*given));
  }
}
