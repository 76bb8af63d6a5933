//===- CarriedTypes.cpp - what holds in all iterations --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Normalize/Control/CarriedTypes.h"
#include "dialects/Control/Control.h"
#include "passes/Normalize/Control/Types.h"
#include "passes/Normalize/Extents.h"
#include "llvm/Support/Error.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::normalize;

CarriedTypes::CarriedTypes(NormalizeContext &ctx, ArrayRef<Value> initial)
    : ctx(ctx), initial(initial) {
  for (Value value : initial) {
    auto tensor = dyn_cast<RankedTensorType>(value.getType());
    classes.emplace_back(tensor ? tensor.getRank() : 0, -1);
    current.push_back(value.getType());
    empties.push_back(isEmptySequence(value));
  }
}

/// One name for an extent, however often its class changes.
StringAttr CarriedTypes::bodySymbol(size_t index, size_t dim) {
  StringAttr &symbol = bodySymbols[{index, dim}];
  if (!symbol)
    symbol = cast<StringAttr>(
        freshSymbol(ctx, "_body_" + Twine(index) + "_" + Twine(dim)));
  return symbol;
}

void CarriedTypes::setTypes() {
  DenseMap<int, StringAttr> symbols;
  locals.clear();
  for (auto [index, type] : llvm::enumerate(current)) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor)
      continue;
    graph::Dims dims = graph::dimsOf(initial[index]);
    for (auto [dim, number] : llvm::enumerate(classes[index])) {
      if (number < 0)
        continue;
      StringAttr &symbol = symbols[number];
      if (!symbol)
        locals.push_back(symbol = bodySymbol(index, dim));
      dims[dim] = symbol;
    }
    type = graph::typeFromDims(dims, tensor.getElementType());
  }
}

static llvm::Error differs(size_t index, Type taken, Type given) {
  std::string text;
  llvm::raw_string_ostream(text)
      << "its body makes " << given << " of " << taken << ", value " << index
      << " of those that it carries";
  return llvm::createStringError(text);
}

llvm::Error CarriedTypes::refineTensor(size_t index, RankedTensorType taken,
                                       Type given,
                                       llvm::MapVector<Key, int> &keys) {
  auto tensor = dyn_cast<RankedTensorType>(given);
  if (!tensor || tensor.getRank() != taken.getRank() ||
      tensor.getElementType() != taken.getElementType())
    return differs(index, taken, given);
  graph::Dims before = graph::dimsOf(taken), after = graph::dimsOf(tensor),
              first = graph::dimsOf(initial[index]);
  for (auto [dim, number] : llvm::enumerate(classes[index])) {
    if (number < 0 && before[dim] && before[dim] == after[dim])
      continue;
    Key key{number, first[dim], after[dim]};
    auto [known, isNew] = keys.try_emplace(key, int(keys.size()));
    number = known->second;
  }
  return llvm::Error::success();
}

llvm::Expected<bool> CarriedTypes::refineOther(size_t index, Type given) {
  // What an optional holds is taken for one.
  auto optional = dyn_cast<control::OptionalType>(current[index]);
  if (optional && !isa<control::OptionalType>(given))
    given = control::OptionalType::get(given.getContext(), given);
  Type joined = empties[index] ? given : joinTypes(current[index], given);
  if (!joined)
    return differs(index, current[index], given);
  bool isNew = joined != current[index] || empties[index];
  current[index] = joined;
  empties[index] = false;
  return isNew;
}

llvm::Expected<bool> CarriedTypes::refine(Body &body, unsigned numOwn) {
  auto before = classes;
  llvm::MapVector<Key, int> keys;
  bool isNew = false;
  Operation *end = body.function.front().getTerminator();
  for (size_t index = 0; index < current.size(); ++index) {
    Type taken = body.function.getArgument(numOwn + index).getType();
    Value given = end->getOperand(1 + index);
    if (auto tensor = dyn_cast<RankedTensorType>(taken)) {
      if (llvm::Error error =
              refineTensor(index, tensor, given.getType(), keys))
        return error;
    } else if (!isEmptySequence(given)) {
      auto changed = refineOther(index, body.exported(given.getType()));
      if (!changed)
        return changed.takeError();
      isNew |= *changed;
    }
  }
  setTypes();
  return isNew || classes != before;
}

Type CarriedTypes::resultType(size_t index) {
  auto tensor = dyn_cast<RankedTensorType>(current[index]);
  if (!tensor)
    return current[index];
  graph::Dims dims = graph::dimsOf(initial[index]);
  for (auto [dim, number] : llvm::enumerate(classes[index])) {
    if (number < 0)
      continue;
    StringAttr &symbol = resultSymbols[number];
    if (!symbol)
      symbol = cast<StringAttr>(
          freshSymbol(ctx, "_" + Twine(index) + "_" + Twine(dim)));
    dims[dim] = symbol;
  }
  return graph::typeFromDims(dims, tensor.getElementType());
}
