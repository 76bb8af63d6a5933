//===- GraphFold.cpp - what vanishes at once ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file implements the folders of data movement: identities, chains of the
// same operation, and reshapes of constants, which share the constant's bytes.
//===----------------------------------------------------------------------===//
#include "dialects/Graph/GraphDetail.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace tenon::graph;

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }

/// A splat constant under another type, or null.
static Attribute splatAs(Attribute value, RankedTensorType type) {
  auto dense = dyn_cast_or_null<DenseElementsAttr>(value);
  if (!dense || !dense.isSplat() || !type.hasStaticShape())
    return {};
  return dense.resizeSplat(type);
}

OpFoldResult ReshapeOp::fold(FoldAdaptor adaptor) {
  if (getInput().getType() == getType() && countUnknown(getType()) <= 1)
    return getInput();
  if (auto before = getInput().getDefiningOp<ReshapeOp>()) {
    getInputMutable().assign(before.getInput());
    return getResult();
  }
  if (!getType().hasStaticShape())
    return {};
  if (auto dense = dyn_cast_or_null<DenseElementsAttr>(adaptor.getInput()))
    return dense.isSplat() ? splatAs(dense, getType())
                           : Attribute(dense.reshape(getType()));
  if (auto blob =
          dyn_cast_or_null<DenseResourceElementsAttr>(adaptor.getInput()))
    return DenseResourceElementsAttr::get(getType(), blob.getRawHandle());
  return {};
}

OpFoldResult BroadcastOp::fold(FoldAdaptor adaptor) {
  if (getInput().getType() == getType() && countUnknown(getType()) == 0)
    return getInput();
  if (auto before = getInput().getDefiningOp<BroadcastOp>()) {
    getInputMutable().assign(before.getInput());
    return getResult();
  }
  return splatAs(adaptor.getInput(), getType());
}

OpFoldResult SizesOp::fold(FoldAdaptor) {
  SmallVector<APInt> numbers;
  unsigned width = getType().getElementTypeBitWidth();
  for (Attribute dim : getDims().getDims()) {
    auto number = dyn_cast<IntegerAttr>(dim);
    if (!number)
      return {};
    numbers.push_back(number.getValue().sextOrTrunc(width));
  }
  return DenseElementsAttr::get(getType(), numbers);
}

OpFoldResult TransposeOp::fold(FoldAdaptor adaptor) {
  ArrayRef<int64_t> permutation = getPermutation();
  if (llvm::equal(permutation, llvm::seq<int64_t>(0, permutation.size())))
    return getInput();
  if (auto before = getInput().getDefiningOp<TransposeOp>()) {
    SmallVector<int64_t> joined;
    for (int64_t dim : permutation)
      joined.push_back(before.getPermutation()[dim]);
    setPermutation(joined);
    getInputMutable().assign(before.getInput());
    return getResult();
  }
  return splatAs(adaptor.getInput(), getType());
}

OpFoldResult SliceOp::fold(FoldAdaptor adaptor) {
  auto isOne = [](int64_t step) { return step == 1; };
  if (getInput().getType() == getType() && countUnknown(getType()) == 0 &&
      llvm::all_of(getSteps(), isOne))
    return getInput();
  return splatAs(adaptor.getInput(), getType());
}

OpFoldResult ConcatOp::fold(FoldAdaptor) {
  if (getInputs().size() == 1)
    return getInputs()[0];
  return {};
}

OpFoldResult PadOp::fold(FoldAdaptor) {
  auto isZero = [](int64_t width) { return width == 0; };
  if (llvm::all_of(getLow(), isZero) && llvm::all_of(getHigh(), isZero))
    return getInput();
  return {};
}
