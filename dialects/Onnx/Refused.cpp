//===- Refused.cpp - which nodes an error refuses -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Onnx/Refused.h"

#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;
using namespace tenon;

void onnx::addRefused(Diagnostic &diagnostic, MLIRContext *context,
                      ArrayRef<RefusedNode> nodes) {
  auto text = [&](StringRef text) { return StringAttr::get(context, text); };
  for (const RefusedNode &node : nodes)
    diagnostic.getMetadata().emplace_back(Attribute(ArrayAttr::get(
        context, {text(node.name), text(node.op), text(node.reason)})));
}

std::vector<onnx::RefusedNode> onnx::refusedNodes(Diagnostic &diagnostic) {
  std::vector<RefusedNode> nodes;
  for (const DiagnosticArgument &argument : diagnostic.getMetadata()) {
    auto parts = dyn_cast<ArrayAttr>(argument.getAsAttribute());
    auto text = [&](size_t i) { return cast<StringAttr>(parts[i]).str(); };
    nodes.push_back({text(0), text(1), text(2)});
  }
  return nodes;
}
