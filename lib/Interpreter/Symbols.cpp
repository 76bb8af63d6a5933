//===- Symbols.cpp - what symbols are in one run --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file clones operations with other types.
//===----------------------------------------------------------------------===//
#include "lib/Interpreter/Symbols.h"

#include "dialects/Graph/DerivedDims.h"
#include "dialects/Graph/Instances.h"
#include "dialects/Graph/Shapes.h"
#include "dialects/Graph/Symbols.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::interp;

bool Symbols::isSymbolic(Operation *op) {
  if (graph::lacksSize(op))
    return true;
  if (!isa<graph::SizesOp, graph::SliceOp, graph::PadOp>(op))
    return false;
  return llvm::any_of(op->getAttrs(), [](NamedAttribute attribute) {
    auto dims = dyn_cast<graph::DimsAttr>(attribute.getValue());
    return dims && llvm::any_of(dims.getDims(), graph::isSymbolic);
  });
}

/// A symbol without a size stays what it is, or is made of those that have one.
Attribute Symbols::valueOf(StringAttr symbol) const {
  auto found = sizes.find(symbol);
  if (found == sizes.end()) {
    auto value = [&](StringAttr other) { return valueOf(other); };
    auto derived = graph::derivationOf(symbol);
    return derived
               ? graph::deriveAgain(
                     *derived, graph::substitute(derived->operands[0], value),
                     graph::substitute(derived->operands[1], value))
               : Attribute(symbol);
  }
  return graph::sizeDim(symbol.getContext(), found->second);
}

LogicalResult Symbols::bind(RankedTensorType type, ArrayRef<int64_t> shape,
                            std::string &reason) {
  for (auto [index, dim] : llvm::enumerate(graph::dimsOf(type))) {
    int64_t size = shape[index];
    if (auto symbol = dyn_cast_or_null<StringAttr>(dim))
      sizes.insert({symbol, size});
    Attribute value = graph::substitute(
        dim, [&](StringAttr symbol) { return valueOf(symbol); });
    int64_t wanted = graph::sizeOf(value);
    if (ShapedType::isDynamic(wanted) || wanted == size)
      continue;
    reason = "dimension " + std::to_string(index) + " is " +
             std::to_string(size) + ", but " + graph::dimText(dim) + " is " +
             std::to_string(wanted);
    return failure();
  }
  return success();
}

SmallVector<int64_t> Symbols::shapeOf(RankedTensorType type) const {
  SmallVector<int64_t> shape;
  for (Attribute dim : graph::dimsOf(type))
    shape.push_back(graph::sizeOf(graph::substitute(
        dim, [&](StringAttr symbol) { return valueOf(symbol); })));
  return shape;
}

/// What `size` is not, or "".
static std::string violation(int64_t size, const graph::SymbolRange &range) {
  if (size < range.min)
    return "at least " + std::to_string(range.min);
  if (size > range.max)
    return "at most " + std::to_string(range.max);
  if (size % range.multipleOf != 0)
    return "a multiple of " + std::to_string(range.multipleOf);
  return "";
}

LogicalResult Symbols::check(const graph::ConstraintStore &constraints,
                             std::string &reason) const {
  SmallVector<std::pair<StringRef, int64_t>> named;
  for (auto [symbol, size] : sizes)
    named.push_back({symbol.getValue(), size});
  llvm::sort(named);
  for (auto [name, size] : named) {
    std::string wanted = violation(size, constraints.range(name));
    if (wanted.empty())
      continue;
    reason = (name + " is " + Twine(size) + ", not " + wanted).str();
    return failure();
  }
  return success();
}

static FailureOr<SmallVector<Type>> inferredTypes(Operation *op) {
  SmallVector<Type> types;
  auto shapes = dyn_cast<InferTypeOpInterface>(op);
  if (!shapes)
    return llvm::to_vector(op->getResultTypes());
  LogicalResult inferred = shapes.inferReturnTypes(
      op->getContext(), std::nullopt, op->getOperands(),
      op->getDiscardableAttrDictionary(), op->getPropertiesStorage(),
      op->getRegions(), types);
  if (failed(inferred) || types.size() != op->getNumResults())
    return failure();
  return types;
}

/// Gives `op`, an instance of `of`, the result types that follow from its
/// operands, and binds the symbols that stand in those of `of`.
LogicalResult Symbols::settleResults(Operation *op, Operation *of,
                                     std::string &reason) {
  auto types = inferredTypes(op);
  if (failed(types)) {
    reason = "does not fit its operands";
    return failure();
  }
  for (auto [result, general, type] :
       llvm::zip(op->getResults(), of->getResultTypes(), *types)) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || !tensor.hasStaticShape()) {
      reason = "has a result whose size is not known";
      return failure();
    }
    result.setType(tensor);
    if (failed(
            bind(cast<RankedTensorType>(general), tensor.getShape(), reason))) {
      reason = "has a result that is not what its type says: " + reason;
      return failure();
    }
  }
  return success();
}

OwningOpRef<Operation *> Symbols::instance(Operation *op,
                                           ArrayRef<Tensor> operands,
                                           Block &arguments,
                                           std::string &reason) {
  IRMapping mapping;
  for (auto [operand, value] : llvm::zip(op->getOperands(), operands)) {
    if (!value) {
      reason = "has an operand without a value";
      return {};
    }
    if (!mapping.contains(operand))
      mapping.map(operand,
                  arguments.addArgument(value.getType(), op->getLoc()));
  }
  OwningOpRef<Operation *> made(op->clone(mapping));
  graph::substitute(*made, [&](StringAttr symbol) { return valueOf(symbol); });
  if (failed(settleResults(*made, op, reason)))
    return {};
  graph::settleDims(*made);
  if (succeeded(verify(*made)))
    return made;
  reason = "does not fit its operands";
  return {};
}
