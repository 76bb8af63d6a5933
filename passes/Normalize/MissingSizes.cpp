//===- MissingSizes.cpp - nodes that wait for sizes -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Normalize/MissingSizes.h"

#include "dialects/Graph/SizeAdvice.h"
#include "passes/Normalize/Context.h"
#include "passes/Normalize/Report.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::normalize;

void MissingSizes::add(Operation *op, Operation *node, ArrayRef<Value> operands,
                       StringRef reason) {
  entries.push_back({op, node, SmallVector<Value>(operands), reason.str()});
}

std::string MissingSizes::Entry::text() const {
  std::string text = describeNode(op, operands);
  return reason == kUnknownShape ? text : text + ": " + reason;
}

SmallVector<const MissingSizes::Entry *>
MissingSizes::among(const llvm::SetVector<Operation *> &needed) const {
  SmallVector<const Entry *> result;
  for (const Entry &entry : entries)
    if (needed.contains(entry.node))
      result.push_back(&entry);
  return result;
}

LogicalResult
MissingSizes::emit(FunctionOpInterface function,
                   const llvm::SetVector<Operation *> &needed) const {
  if (needed.empty())
    return success();
  SmallVector<const Entry *> nodes = among(needed);
  Entry last{needed.back(), needed.back(), {}, kUnknownShape.str()};
  if (nodes.empty())
    nodes.push_back(&last);
  graph::SizeAdvice advice(function);
  std::string others;
  for (const Entry *entry : nodes) {
    if (entry != nodes.front())
      others +=
          "\n  node '" + nodeName(entry->op) + "' waits, too, " + entry->text();
    for (Value operand : entry->operands) {
      if (!operand)
        continue;
      advice.add(operand.getType());
      advice.addContents(operand);
    }
  }
  return emitError(nodes.front()->op->getLoc())
         << "dimensions without a size are left, which it needs, "
         << nodes.front()->text() << advice.lines() << others;
}
