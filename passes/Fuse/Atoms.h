//===- Atoms.h - groups as the atoms of a problem ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the problem that a function's groups pose to lib/Fusion:
// each is an atom, and a solution says which become stages of one kernel.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_FUSE_ATOMS_H
#define TENON_PASSES_FUSE_ATOMS_H

#include "lib/Fusion/Problem.h"
#include "passes/Fuse/Candidate.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"

namespace tenon::fuse {

/// Whether a group can be a stage of a larger one: its shapes are static, and
/// parts of its one result can be computed.
bool canBeStage(kernel::GroupOp group);

/// The groups of a function, by number in program order.
class Atoms {
public:
  explicit Atoms(mlir::func::FuncOp function);

  fusion::Problem problem() const;
  kernel::GroupOp group(unsigned number) const { return groups[number]; }
  /// That of a group of the function.
  unsigned numberOf(kernel::GroupOp group) const { return numbers.at(group); }
  Members membersOf(const fusion::Group &group) const;

private:
  void addUses(mlir::Value value, unsigned from,
               fusion::Problem &problem) const;
  void addReaders(mlir::Value value, fusion::Problem &problem) const;

  llvm::SmallVector<mlir::Value> inputs; ///< of the function
  llvm::SmallVector<kernel::GroupOp> groups;
  llvm::DenseMap<mlir::Operation *, unsigned> numbers;
};

} // namespace tenon::fuse

#endif // TENON_PASSES_FUSE_ATOMS_H
