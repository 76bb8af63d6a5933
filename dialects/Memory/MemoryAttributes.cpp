//===- MemoryAttributes.cpp - what is said about a program's memory -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file verifies the facts that stand on a program's function, and that the
// buffers of inputs and outputs are in its signature.
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Shapes.h"
#include "dialects/Memory/Memory.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace tenon::memory;

/// Whether an entry of a signature has a name, and a tensor of sizes and
/// symbols.
static bool isSigned(Attribute entry) {
  auto fields = dyn_cast<DictionaryAttr>(entry);
  if (!fields || !fields.getAs<StringAttr>("name"))
    return false;
  auto type = fields.getAs<TypeAttr>("type");
  auto tensor = type ? dyn_cast<RankedTensorType>(type.getValue()) : nullptr;
  return tensor && tenon::graph::countUnknown(tensor) == 0;
}

static LogicalResult verifySignature(Operation *op, NamedAttribute fact) {
  auto list = dyn_cast<ArrayAttr>(fact.getValue());
  if (!list || !llvm::all_of(list, isSigned))
    return op->emitOpError("needs a name and a tensor type of known shape in "
                           "each entry of '")
           << fact.getName().getValue() << "'";
  return success();
}

static LogicalResult verifyBytes(Operation *op, NamedAttribute fact) {
  auto bytes = dyn_cast<IntegerAttr>(fact.getValue());
  if (!bytes || !bytes.getType().isSignlessInteger(64) || bytes.getInt() < 0)
    return op->emitOpError("needs a number of bytes for '")
           << fact.getName().getValue() << "'";
  return success();
}

LogicalResult MemoryDialect::verifyOperationAttribute(Operation *op,
                                                      NamedAttribute fact) {
  StringRef name = fact.getName();
  auto isOneOf = [&](auto... known) { return ((name == known) || ...); };
  if (!isa<FunctionOpInterface>(op))
    return op->emitOpError("is no function that '")
           << name << "' could be said of";
  if (isOneOf(InputsAttrHelper::getNameStr(), OutputsAttrHelper::getNameStr()))
    return verifySignature(op, fact);
  if (isOneOf(ArenaBytesAttrHelper::getNameStr(),
              ArenaLowerBoundBytesAttrHelper::getNameStr()))
    return verifyBytes(op, fact);
  auto text = dyn_cast<StringAttr>(fact.getValue());
  if (name == ArenaSolverAttrHelper::getNameStr())
    return text ? success()
                : LogicalResult(op->emitOpError("needs a solver's name"));
  if (name != ArenaGuardAttrHelper::getNameStr())
    return op->emitOpError("has an unknown attribute '") << name << "'";
  if (!text || (text.getValue() != "above" && text.getValue() != "below"))
    return op->emitOpError("is guarded above or below only");
  return success();
}

/// That `index` is in the signature of the function around, if there is one.
template <typename Helper>
static LogicalResult verifyIndex(Operation *op, uint64_t index) {
  auto function = op->getParentOfType<FunctionOpInterface>();
  auto list =
      function ? Helper(op->getContext()).getAttr(function) : ArrayAttr();
  if (list && index >= list.size())
    return op->emitOpError("is number ")
           << index << " of " << list.size() << " in the signature";
  return success();
}

LogicalResult InputOp::verify() {
  return verifyIndex<MemoryDialect::InputsAttrHelper>(*this, getIndex());
}

LogicalResult OutputOp::verify() {
  return verifyIndex<MemoryDialect::OutputsAttrHelper>(*this, getIndex());
}
