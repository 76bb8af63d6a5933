//===- Compare.cpp - whether models have one architecture -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Import/Ensemble/Compare.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace tenon;

static bool isConstant(Operation *op) {
  return op && op->getName().getStringRef() == "onnx.Constant";
}

/// The file that a function was read from, in quotes.
static std::string fileOf(func::FuncOp member) {
  auto file = member->getParentOp()->getLoc()->findInstanceOf<FileLineColLoc>();
  return "'" + (file ? file.getFilename().str() : "a model") + "'";
}

static std::string describe(Operation *op) {
  auto name = op->getLoc()->findInstanceOf<NameLoc>();
  return "node '" + (name ? name.getName().str() : "") + "' (" +
         op->getName().stripDialect().str() + ")";
}

static InFlightDiagnostic error(func::FuncOp member) {
  return emitError(member->getParentOp()->getLoc()) << "--ensemble: ";
}

namespace {
/// Two members, and which values of one are which of the other.
struct Pair {
  func::FuncOp first, other;
  IRMapping same = {};

  LogicalResult compareInputs();
  LogicalResult compareOutputs();
  LogicalResult compareNodes();

private:
  LogicalResult compareEnds(StringRef kind, DictionaryAttr of,
                            DictionaryAttr from, Type type, Type otherType);
  LogicalResult compareNode(Operation *node, Operation *match);
  LogicalResult compareAttributes(Operation *node, Operation *match);
  LogicalResult compareOperands(Operation *node, Operation *match);
  LogicalResult compareResults(Operation *node, Operation *match);
  bool isSame(Value value, Value match);
  InFlightDiagnostic differs(Operation *node, Operation *match);
  InFlightDiagnostic differ() {
    return error(other) << "differs from " << fileOf(first) << ": ";
  }
};
} // namespace

InFlightDiagnostic Pair::differs(Operation *node, Operation *match) {
  return error(other) << describe(match) << " differs from " << describe(node)
                      << " of " << fileOf(first) << ": ";
}

//===-- Inputs and outputs ------------------------------------------------===//

static StringRef nameOf(DictionaryAttr attributes) {
  auto name = attributes ? attributes.getAs<StringAttr>("onnx.name") : nullptr;
  return name ? name.getValue() : "";
}

LogicalResult Pair::compareEnds(StringRef kind, DictionaryAttr of,
                                DictionaryAttr from, Type type,
                                Type otherType) {
  if (nameOf(of) != nameOf(from))
    return differ() << kind << " '" << nameOf(from) << "' is called '"
                    << nameOf(of) << "' there";
  if (type != otherType)
    return differ() << kind << " '" << nameOf(from) << "' has type "
                    << otherType << ", there " << type;
  return success();
}

LogicalResult Pair::compareInputs() {
  if (first.getNumArguments() != other.getNumArguments())
    return differ() << "it has " << other.getNumArguments()
                    << " inputs, there are " << first.getNumArguments();
  for (unsigned i = 0; i < first.getNumArguments(); ++i) {
    if (failed(compareEnds("input", first.getArgAttrDict(i),
                           other.getArgAttrDict(i), first.getArgumentTypes()[i],
                           other.getArgumentTypes()[i])))
      return failure();
    same.map(first.getArgument(i), other.getArgument(i));
  }
  return success();
}

LogicalResult Pair::compareOutputs() {
  if (first.getNumResults() != other.getNumResults())
    return differ() << "it has " << other.getNumResults()
                    << " outputs, there are " << first.getNumResults();
  Operation *end = first.front().getTerminator();
  Operation *otherEnd = other.front().getTerminator();
  for (unsigned i = 0; i < first.getNumResults(); ++i) {
    DictionaryAttr attributes = other.getResultAttrDict(i);
    if (failed(compareEnds("output", first.getResultAttrDict(i), attributes,
                           first.getResultTypes()[i],
                           other.getResultTypes()[i])))
      return failure();
    if (!isSame(end->getOperand(i), otherEnd->getOperand(i)))
      return differ() << "output '" << nameOf(attributes)
                      << "' is another value";
  }
  return success();
}

//===-- Nodes -------------------------------------------------------------===//

/// Constants are compared where they are used: files list them in any order.
bool Pair::isSame(Value value, Value match) {
  if (isConstant(value.getDefiningOp()))
    return isConstant(match.getDefiningOp());
  return same.lookupOrNull(value) == match;
}

/// The first attribute that two operations do not share, or nothing.
static StringAttr firstDifference(Operation *node, Operation *match) {
  for (NamedAttribute attribute : node->getAttrs())
    if (match->getAttr(attribute.getName()) != attribute.getValue())
      return attribute.getName();
  for (NamedAttribute attribute : match->getAttrs())
    if (!node->hasAttr(attribute.getName()))
      return attribute.getName();
  return nullptr;
}

LogicalResult Pair::compareAttributes(Operation *node, Operation *match) {
  StringAttr name = firstDifference(node, match);
  if (!name)
    return success();
  Attribute value = node->getAttr(name), otherValue = match->getAttr(name);
  auto diagnostic = differs(node, match) << "attribute " << name;
  if (!value || !otherValue)
    return diagnostic << " is in one of them only";
  if (isa<ElementsAttr>(value))
    return diagnostic << " has other elements";
  return diagnostic << " is " << otherValue << ", there " << value;
}

LogicalResult Pair::compareOperands(Operation *node, Operation *match) {
  if (node->getNumOperands() != match->getNumOperands())
    return differs(node, match) << "it has " << match->getNumOperands()
                                << " inputs, there " << node->getNumOperands();
  for (unsigned i = 0; i < node->getNumOperands(); ++i) {
    Value value = node->getOperand(i), otherValue = match->getOperand(i);
    if (!isSame(value, otherValue))
      return differs(node, match) << "input " << i << " is another value";
    if (value.getType() != otherValue.getType())
      return differs(node, match)
             << "input " << i << " has type " << otherValue.getType()
             << ", there " << value.getType();
  }
  return success();
}

LogicalResult Pair::compareResults(Operation *node, Operation *match) {
  if (node->getNumResults() != match->getNumResults())
    return differs(node, match) << "it has " << match->getNumResults()
                                << " outputs, there " << node->getNumResults();
  for (auto [result, otherResult] :
       llvm::zip_equal(node->getResults(), match->getResults())) {
    if (result.getType() != otherResult.getType())
      return differs(node, match)
             << "output " << result.getResultNumber() << " has type "
             << otherResult.getType() << ", there " << result.getType();
    same.map(result, otherResult);
  }
  return success();
}

LogicalResult Pair::compareNode(Operation *node, Operation *match) {
  if (node->getName() != match->getName())
    return differs(node, match) << "it is another operator";
  if (failed(compareAttributes(node, match)) ||
      failed(compareOperands(node, match)))
    return failure();
  return compareResults(node, match);
}

/// In order, without constants and what ends them.
static SmallVector<Operation *> nodesOf(func::FuncOp member) {
  SmallVector<Operation *> nodes;
  for (Operation &op : member.front().without_terminator())
    if (!isConstant(&op))
      nodes.push_back(&op);
  return nodes;
}

LogicalResult Pair::compareNodes() {
  SmallVector<Operation *> nodes = nodesOf(first), matches = nodesOf(other);
  for (auto [node, match] : llvm::zip(nodes, matches))
    if (failed(compareNode(node, match)))
      return failure();
  size_t common = std::min(nodes.size(), matches.size());
  if (matches.size() > common)
    return differ() << describe(matches[common]) << " is not there";
  if (nodes.size() > common)
    return differ() << "it lacks " << describe(nodes[common]);
  return success();
}

//===----------------------------------------------------------------------===//

LogicalResult ensemble::compare(func::FuncOp first, func::FuncOp other) {
  Pair pair{first, other};
  if (failed(pair.compareInputs()) || failed(pair.compareNodes()))
    return failure();
  return pair.compareOutputs();
}

LogicalResult ensemble::refuseControl(func::FuncOp member) {
  for (Operation &op : member.front())
    if (op.getNumRegions() != 0)
      return error(member) << describe(&op)
                           << " decides in the run what is computed, which "
                              "members of an ensemble cannot";
  return success();
}
