//===- Gradient.cpp - tensors that a node names ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file makes operands of what Gradient of ai.onnx.preview.training has in
// attributes: names of tensors, which order, inlining and scopes know as inputs
// only.
//===----------------------------------------------------------------------===//
#include "lib/Import/Onnx/Nodes.h"
#include "lib/Import/Onnx/Session.h"

using namespace tenon::onnximport;
using proto::NodeProto;

/// Inputs are tensors for `xs` and `zs`; behind them come those of these names,
/// and the one that is differentiated.
static void nameOperands(NodeProto &node) {
  std::vector<std::string> named;
  for (const char *list : {"xs", "zs"})
    for (const proto::AttributeProto &attribute : node.attribute())
      if (attribute.name() == list)
        named.insert(named.end(), attribute.strings().begin(),
                     attribute.strings().end());
  for (const proto::AttributeProto &attribute : node.attribute())
    if (attribute.name() == "y")
      named.push_back(attribute.s());
  for (const std::string &name : named)
    node.add_input(name);
}

void tenon::onnximport::nameGradients(Session &session) {
  forEachNodeList(session.model, [](NodeList &nodes) {
    for (NodeProto &node : nodes)
      if (node.op_type() == "Gradient" &&
          node.domain() == "ai.onnx.preview.training")
        nameOperands(node);
  });
}
