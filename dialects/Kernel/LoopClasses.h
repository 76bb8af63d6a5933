//===- LoopClasses.h - which dimensions run together ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the inside of LoopDomain: classes of dimensions that are
// equal point by point, and the atoms that reshapes cut them into.
//===----------------------------------------------------------------------===//
#ifndef TENON_DIALECTS_KERNEL_LOOPCLASSES_H
#define TENON_DIALECTS_KERNEL_LOOPCLASSES_H

#include "dialects/Kernel/LoopStatement.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include <string>

namespace tenon::kernel {

/// Disjoint sets; the smallest member stands for its set.
class UnionFind {
public:
  unsigned add();
  unsigned find(unsigned x);
  void unite(unsigned x, unsigned y);
  unsigned size() const { return parent.size(); }

private:
  std::vector<unsigned> parent;
};

/// A place in the row-major order of a tensor where a dimension, or a cut of
/// one, begins: dimension `dim` at distance `factor` within it.
struct LinearPoint {
  graph::Size position;
  int64_t dim;
  graph::Size factor;
};

/// A piece of a dimension: index = sum(atom * factor).
struct Atom {
  unsigned id;
  graph::Size extent, factor;
};

class LoopClasses {
public:
  /// Classifies all dimensions of the operations' values.
  mlir::LogicalResult build(llvm::ArrayRef<mlir::Operation *> ops,
                            mlir::ValueRange results, std::string &why);

  /// The atoms of a dimension, outermost first; none for extent 1.
  llvm::SmallVector<Atom> atomsOf(mlir::Value value, int64_t dim);

  /// In the order of the operations.
  llvm::ArrayRef<LoopStatement> getStatements() const { return statements; }
  /// That of one of the operations.
  const LoopStatement &statementOf(mlir::Operation *op) const {
    return statements[numbers.lookup(op)];
  }

private:
  void addValue(mlir::Value value);
  mlir::LogicalResult addOperation(mlir::Operation *op);
  void unite(const LoopStatement &statement);
  void unite(mlir::Value x, int64_t i, mlir::Value y, int64_t j);
  unsigned dimClass(mlir::Value value, int64_t dim) {
    return dims.find(first[value] + dim);
  }
  llvm::SmallVector<LinearPoint> points(mlir::Value value);
  mlir::LogicalResult cutAt(mlir::Value value, const graph::Size &position);
  mlir::FailureOr<bool> refine(mlir::Value x, mlir::Value y);
  mlir::FailureOr<bool> refineRepeats(const LoopStatement &statement);
  mlir::LogicalResult addCut(graph::Sizes &of, const graph::Size &cut);
  mlir::FailureOr<bool> addCuts(unsigned dim, llvm::ArrayRef<graph::Size> cuts);
  mlir::LogicalResult refineAll(std::string &why);
  void makeAtoms();
  void uniteRepeats(const LoopStatement &statement);
  unsigned atomAt(mlir::Value value, const LinearPoint &point);

  std::vector<LoopStatement> statements;
  llvm::DenseMap<mlir::Operation *, unsigned> numbers; ///< of statements
  llvm::DenseMap<mlir::Value, unsigned> first; ///< number of dimension 0
  UnionFind dims, atoms;
  /// Per class: distances of breaks, each a multiple of the one before.
  std::vector<graph::Sizes> cuts;
  std::vector<unsigned> firstAtom; ///< per class
};

} // namespace tenon::kernel

#endif // TENON_DIALECTS_KERNEL_LOOPCLASSES_H
