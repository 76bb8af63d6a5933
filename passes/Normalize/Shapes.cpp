//===- Shapes.cpp - dimensions with their symbols -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file changes the sizes of types, and looks for symbols.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Shapes.h"
#include "dialects/Graph/DerivedDims.h"
#include "dialects/Graph/Graph.h"
#include "dialects/Graph/Instances.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tenon;

RankedTensorType normalize::resized(RankedTensorType type,
                                    ArrayRef<int64_t> shape) {
  Dims dims = dimsOf(type);
  for (auto [old, size] : llvm::zip(dims, shape))
    if (!ShapedType::isDynamic(size))
      old = sizeDim(type.getContext(), size);
  return typeFromDims(dims, type.getElementType());
}

SmallVector<StringAttr> normalize::symbolsBelow(Attribute dim) {
  SmallVector<StringAttr> symbols;
  for (StringAttr symbol : graph::symbolsOf(dim)) {
    symbols.push_back(symbol);
    if (auto derived = graph::derivationOf(symbol))
      for (Attribute operand : derived->operands)
        llvm::append_range(symbols, symbolsBelow(operand));
  }
  return symbols;
}

SmallVector<StringAttr> normalize::symbolsIn(ArrayRef<Attribute> dims) {
  SmallVector<StringAttr> symbols;
  for (Attribute dim : dims)
    llvm::append_range(symbols, symbolsBelow(dim));
  return symbols;
}

SmallVector<StringAttr> normalize::symbolsIn(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? symbolsIn(graph::dimsOf(tensor)) : SmallVector<StringAttr>();
}

SmallVector<int64_t> normalize::range(int64_t begin, int64_t end) {
  return llvm::to_vector(llvm::seq(begin, end));
}
