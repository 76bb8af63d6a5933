//===- CarriedTypes.h - what holds in all iterations ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the search for the types of what a loop carries.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_NORMALIZE_CONTROL_CARRIEDTYPES_H
#define TENON_PASSES_NORMALIZE_CONTROL_CARRIEDTYPES_H

#include "passes/Normalize/Control/Body.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/Error.h"

#include <map>
#include <tuple>

namespace tenon::normalize {

/// Types that hold before and after each iteration. At first those of the
/// initial values; where an iteration changes an extent, the body gets a symbol
/// for it. Extents that begin as one and change alike have one symbol, until an
/// iteration tells them apart: caches that grow together stay equal.
class CarriedTypes {
public:
  CarriedTypes(NormalizeContext &ctx, ArrayRef<Value> initial);

  ArrayRef<mlir::Type> types() const { return current; }
  /// The symbols in them that stand for extents that change.
  ArrayRef<mlir::StringAttr> symbols() const { return locals; }
  bool isEmpty(size_t index) const { return empties[index]; }

  /// Compares what `body` takes behind `numOwn` arguments and gives behind a
  /// condition. True if other types have to be tried; an error text where none
  /// can be found.
  llvm::Expected<bool> refine(Body &body, unsigned numOwn);
  /// The type of a result, in the symbols of the caller.
  mlir::Type resultType(size_t index);

private:
  /// What tells extents that change apart: their class before, how they begin,
  /// and what an iteration makes of them.
  using Key = std::tuple<int, mlir::Attribute, mlir::Attribute>;

  llvm::Error refineTensor(size_t index, RankedTensorType taken,
                           mlir::Type given, llvm::MapVector<Key, int> &keys);
  llvm::Expected<bool> refineOther(size_t index, mlir::Type given);
  void setTypes();
  mlir::StringAttr bodySymbol(size_t index, size_t dim);

  NormalizeContext &ctx;
  ArrayRef<Value> initial;
  SmallVector<mlir::Type> current;
  SmallVector<bool> empties;
  SmallVector<SmallVector<int>> classes; ///< of extents; -1: they never change
  SmallVector<mlir::StringAttr> locals;
  std::map<std::pair<size_t, size_t>, mlir::StringAttr> bodySymbols;
  llvm::DenseMap<int, mlir::StringAttr> resultSymbols; ///< class -> symbol
};

} // namespace tenon::normalize

#endif // TENON_PASSES_NORMALIZE_CONTROL_CARRIEDTYPES_H
