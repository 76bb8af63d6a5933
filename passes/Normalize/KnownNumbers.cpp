//===- KnownNumbers.cpp - numbers that were made symbols ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file numbers values.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/KnownNumbers.h"

#include "dialects/Graph/Graph.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::normalize;

unsigned KnownNumbers::identify(Value value) {
  if (auto found = ids.find(value); found != ids.end())
    return found->second;
  Operation *op = value.getDefiningOp();
  bool isComputed =
      op && isa_and_nonnull<graph::GraphDialect>(op->getDialect());
  if (!isComputed || op->getNumResults() != 1)
    return ids[value] = numIds++;
  std::vector<const void *> key{op->getName().getAsOpaquePointer(),
                                op->getAttrDictionary().getAsOpaquePointer(),
                                value.getType().getAsOpaquePointer()};
  for (Value operand : op->getOperands())
    key.push_back(reinterpret_cast<const void *>(uintptr_t(identify(operand))));
  auto [entry, isNew] = computed.try_emplace(key, numIds);
  numIds += isNew;
  return ids[value] = entry->second;
}

std::vector<unsigned> KnownNumbers::identify(ArrayRef<Value> values) {
  std::vector<unsigned> result;
  for (Value value : values)
    result.push_back(identify(value));
  return result;
}
