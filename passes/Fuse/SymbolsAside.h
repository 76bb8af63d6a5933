//===- SymbolsAside.h - decisions on an example -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares how fusion decides about operations with symbols: on sizes
// in their place that say as little, so that what holds for these holds for
// all.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_FUSE_SYMBOLSASIDE_H
#define TENON_PASSES_FUSE_SYMBOLSASIDE_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace tenon::fuse {

/// While it lives, each symbol of a function is a prime that no type in it has.
/// Equal dimensions stay equal, others differ, and none is divided. The
/// operations may be moved into groups meanwhile.
class SymbolsAside {
public:
  explicit SymbolsAside(mlir::func::FuncOp function);
  ~SymbolsAside();
  SymbolsAside(const SymbolsAside &) = delete;

private:
  void save(mlir::Operation *op);
  mlir::Attribute primeOf(mlir::StringAttr symbol);
  void restore(mlir::Operation *op);

  mlir::func::FuncOp function;
  mlir::FunctionType type;
  bool isSymbolic = false;
  struct Saved {
    mlir::DictionaryAttr attributes;
    llvm::SmallVector<mlir::Type> types;
  };
  llvm::SmallVector<Saved> saved;
  llvm::DenseSet<int64_t> taken; ///< sizes that mean something
  llvm::DenseMap<mlir::StringAttr, mlir::Attribute> primes;
  int64_t last = 1000;
};

} // namespace tenon::fuse

#endif // TENON_PASSES_FUSE_SYMBOLSASIDE_H
