//===- Report.cpp - nodes that cannot be lowered --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Normalize/Report.h"
#include "dialects/Graph/SizeAdvice.h"
#include "dialects/Graph/SmallTypes.h"
#include "dialects/Onnx/Onnx.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::normalize;

std::string normalize::nodeName(Operation *op) {
  if (auto name = dyn_cast<NameLoc>(op->getLoc()))
    return name.getName().str();
  return "?";
}

std::string normalize::describeNode(Operation *op, ValueRange operands) {
  std::string text = op->getName().stripDialect().str();
  const char *separator = " of ";
  for (Value operand : operands) {
    if (!operand || isa<NoneType>(operand.getType()))
      continue;
    text += separator + graph::dimsText(operand.getType());
    separator = ", ";
  }
  return text;
}

std::string normalize::objection(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (!tensor) {
    stream << "a value of type " << type << " has no known rank";
    return text;
  }
  Type element = tensor.getElementType();
  auto integer = dyn_cast<IntegerType>(element);
  bool isKnown =
      graph::isSmall(element) ||
      isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(element) ||
      (integer &&
       llvm::is_contained({1u, 8u, 16u, 32u, 64u}, integer.getWidth()));
  if (!isKnown)
    stream << "elements of type " << element << " are not supported";
  return text;
}

void Report::add(Operation *op, StringRef reason) {
  std::string line;
  llvm::raw_string_ostream stream(line);
  stream << "(" << op->getName().stripDialect() << "), opset ";
  auto module = op->getParentOfType<ModuleOp>();
  auto opset = module->getAttrOfType<IntegerAttr>("onnx.model_opset");
  stream << (opset ? opset.getInt() : onnx::newestOpset()) << ", inputs (";
  llvm::interleaveComma(op->getOperandTypes(), stream);
  stream << "): " << reason;
  refusals.push_back(
      {{nodeName(op), op->getName().stripDialect().str(), reason.str()},
       std::move(line),
       describeNode(op, op->getOperands()) + ": " + reason.str(),
       op->getLoc()});
}

std::vector<Refusal> Report::takeBehind(int64_t size) {
  std::vector<Refusal> taken(refusals.begin() + size, refusals.end());
  refusals.erase(refusals.begin() + size, refusals.end());
  return taken;
}

void Report::warn(const Refusal &refusal) {
  // A body may be walked several times.
  bool isKnown = llvm::any_of(warnings, [&](const Refusal &said) {
    return said.where == refusal.where && said.summary == refusal.summary;
  });
  if (!isKnown)
    warnings.push_back(refusal);
}

LogicalResult Report::emit() const {
  if (refusals.empty()) {
    for (const Refusal &warning : warnings)
      emitWarning(warning.where)
          << "its branch will be an error when it is taken, since this cannot "
             "be compiled: "
          << warning.summary;
    return success();
  }
  Location first = refusals.front().where;
  InFlightDiagnostic diagnostic = emitError(first);
  diagnostic << refusals.size()
             << (refusals.size() == 1 ? " node is" : " nodes are")
             << " not supported:";
  std::vector<onnx::RefusedNode> nodes;
  for (const Refusal &refusal : refusals) {
    diagnostic << "\n  node '" << refusal.node.name << "' " << refusal.line;
    nodes.push_back(refusal.node);
  }
  onnx::addRefused(*diagnostic.getUnderlyingDiagnostic(), first.getContext(),
                   nodes);
  return failure();
}
