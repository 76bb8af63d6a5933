//===- Node.cpp - one onnx operation as a lowering reads it ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file reads attributes by kind. A kind that does not fit counts as
// absent: the dialect's verifier has refused it before.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Node.h"

using namespace mlir;
using namespace tenon::normalize;

bool Node::resultUsed(unsigned index) const {
  return index < op->getNumResults() && !op->getResult(index).use_empty();
}

int64_t Node::integer(StringRef name, int64_t absent) const {
  auto attribute = op->getAttrOfType<IntegerAttr>(name);
  return attribute ? attribute.getInt() : absent;
}

bool Node::flag(StringRef name, bool absent) const {
  return integer(name, absent) != 0;
}

float Node::real(StringRef name, float absent) const {
  auto attribute = op->getAttrOfType<FloatAttr>(name);
  return attribute ? float(attribute.getValueAsDouble()) : absent;
}

StringRef Node::string(StringRef name, StringRef absent) const {
  auto attribute = op->getAttrOfType<StringAttr>(name);
  return attribute ? attribute.getValue() : absent;
}

SmallVector<int64_t> Node::integers(StringRef name) const {
  auto attribute = op->getAttrOfType<DenseI64ArrayAttr>(name);
  return attribute ? SmallVector<int64_t>(attribute.asArrayRef())
                   : SmallVector<int64_t>();
}

SmallVector<float> Node::reals(StringRef name) const {
  auto attribute = op->getAttrOfType<DenseF32ArrayAttr>(name);
  return attribute ? SmallVector<float>(attribute.asArrayRef())
                   : SmallVector<float>();
}

SmallVector<StringRef> Node::strings(StringRef name) const {
  SmallVector<StringRef> result;
  if (auto list = op->getAttrOfType<ArrayAttr>(name))
    for (auto item : list.getAsRange<StringAttr>())
      result.push_back(item.getValue());
  return result;
}

ElementsAttr Node::tensor(StringRef name) const {
  return op->getAttrOfType<ElementsAttr>(name);
}
