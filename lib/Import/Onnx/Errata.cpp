//===- Errata.cpp - corrections of the standard ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file puts right what onnx has corrected after the release that is built
// in. docs/spec/onnx.md lists it.
//===----------------------------------------------------------------------===//
#include "lib/Import/Onnx/Errata.h"

#include "onnx/defs/function.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

using namespace tenon::onnximport;
namespace proto = ::onnx;
using llvm::StringRef;
using proto::FunctionProto;
using proto::NodeProto;

static bool hasInput(const NodeProto &node, int index) {
  return index < node.input_size() && !node.input(index).empty();
}

static bool isSet(const NodeProto &node, StringRef name) {
  return llvm::any_of(node.attribute(), [&](const auto &attribute) {
    return attribute.name() == name && attribute.i() == 1;
  });
}

/// The node of `body` that makes `value`; null if there is none.
static NodeProto *makerOf(FunctionProto &body, StringRef value) {
  for (NodeProto &node : *body.mutable_node())
    if (llvm::is_contained(node.output(), value))
      return &node;
  return nullptr;
}

/// Moves the nodes from `first` on to behind those that come before `place`:
/// the nodes of a function are in order.
static void moveTo(FunctionProto &body, const NodeProto *place, int first) {
  auto &nodes = *body.mutable_node();
  auto begin = nodes.pointer_begin(), added = begin + first;
  std::rotate(std::find(begin, added, place), added, nodes.pointer_end());
}

/// Has the node that makes `value` read `to` where it reads `from`.
static void redirect(FunctionProto &body, StringRef value, StringRef from,
                     StringRef to) {
  if (NodeProto *node = makerOf(body, value))
    for (std::string &input : *node->mutable_input())
      if (input == from)
        input = to.str();
}

/// The queries are the last of the valid keys: query i of S sees keys up to
/// i + nonpad_kv_seqlen - S, not up to i.
static void alignToValidKeys(FunctionProto &body) {
  const NodeProto *sum = makerOf(body, "RangeRow2DPast");
  int first = body.node_size();
  redirect(body, "RangeRow2DPast", "PastKVSeqLen", "FirstQuery");
  proto::FunctionBuilder(body)
      .Const("FirstQueryAxes", std::vector<int64_t>{1, 2, 3})
      .Add("FirstQueryOfEach = Sub(nonpad_kv_seqlen, QSeqLen)")
      .Add("FirstQuery = Unsqueeze(FirstQueryOfEach, FirstQueryAxes)");
  moveTo(body, sum, first);
}

/// A query that sees no key takes nothing of the values, where the quotient of
/// zeros by their sum would be NaN.
static void clearMaskedRows(FunctionProto &body) {
  NodeProto *softmax = makerOf(body, "AttnWeightSoftmax");
  if (!softmax)
    return;
  const NodeProto *next = makerOf(body, "SoftmaxOut");
  int first = body.node_size();
  softmax->set_output(0, "WeightsOfSeen");
  proto::FunctionBuilder(body)
      .Const1D("RowAxis", int64_t(-1))
      .Const1D("NoWeight", 0.0f)
      .Add("HighestScore = ReduceMax(SoftmaxCast, RowAxis)")
      .Add("SeesNothing = IsInf<detect_positive = 0>(HighestScore)")
      .Add("NoWeightT = CastLike(NoWeight, SoftmaxCast)")
      .Add("AttnWeightSoftmax = Where(SeesNothing, NoWeightT, WeightsOfSeen)");
  moveTo(body, next, first);
}

void tenon::onnximport::correctBody(const NodeProto &node,
                                    FunctionProto &body) {
  if (node.op_type() != "Attention" || !node.domain().empty())
    return;
  constexpr int mask = 3, pastKey = 4, validKeys = 6;
  if (hasInput(node, validKeys) && !hasInput(node, pastKey) &&
      isSet(node, "is_causal"))
    alignToValidKeys(body);
  if (hasInput(node, mask) || hasInput(node, validKeys))
    clearMaskedRows(body);
  redirect(body, "qk_matmul_output", "AttnWeightSoftmax", "SoftmaxOut");
}
