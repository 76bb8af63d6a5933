//===- Report.cpp - nodes that cannot be lowered --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Normalize/Report.h"
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
  llvm::raw_string_ostream stream(lines);
  stream << "\n  node '" << nodeName(op) << "' ("
         << op->getName().stripDialect() << "), opset ";
  auto module = op->getParentOfType<ModuleOp>();
  auto opset = module->getAttrOfType<IntegerAttr>("onnx.model_opset");
  stream << (opset ? opset.getInt() : onnx::newestOpset()) << ", inputs (";
  llvm::interleaveComma(op->getOperandTypes(), stream);
  stream << "): " << reason;
  refused.push_back(
      {nodeName(op), op->getName().stripDialect().str(), reason.str()});
  if (!first)
    first = op->getLoc();
}

LogicalResult Report::emit() const {
  if (refused.empty())
    return success();
  InFlightDiagnostic diagnostic = emitError(*first);
  diagnostic << refused.size()
             << (refused.size() == 1 ? " node is" : " nodes are")
             << " not supported:" << lines;
  onnx::addRefused(*diagnostic.getUnderlyingDiagnostic(), first->getContext(),
                   refused);
  return failure();
}
