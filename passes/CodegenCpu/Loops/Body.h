//===- Body.h - values of a loop nest at a point ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares how the nodes of a nest become register values: each is
// computed in the outermost scope where all its loops have an index.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGENCPU_LOOPS_BODY_H
#define TENON_PASSES_CODEGENCPU_LOOPS_BODY_H

#include "passes/CodegenCpu/Builder/KernelBuilder.h"
#include "passes/CodegenCpu/Loops/Plan.h"
#include "llvm/ADT/DenseMap.h"

namespace tenon::codegen {

/// A place in the kernel where some loops have an index. Values known in the
/// outer scopes are known here.
struct LoopScope {
  const LoopScope *outer = nullptr;
  Values index;      ///< per loop, null where unknown; `vector`: lane 0
  int64_t shift = 0; ///< added to the index of the vector loop
  int64_t live = 0;  ///< lanes that exist; all of them, or the tail
  int64_t slot = 0;  ///< number among the rows that are reduced together
  const LoopScope *column = nullptr; ///< this point of the first such row
  Value center; ///< what moments of this row sum differences from
  llvm::DenseMap<unsigned, Value> values; ///< per node
  Values pointers; ///< per load, then per store; empty: see outer

  LoopScope(size_t loops) : index(loops) {}
  LoopScope(const LoopScope *outer)
      : outer(outer), index(outer->index), shift(outer->shift),
        live(outer->live), slot(outer->slot), center(outer->center) {}
};

/// Computes and stores nodes. `spilled` nodes that were computed by an earlier
/// stage are read back from their row buffer.
class LoopsBody {
public:
  LoopsBody(KernelBuilder &b, const LoopNest &nest,
            const LoopSchedule &schedule)
      : b(b), nest(nest), schedule(schedule) {}

  /// Computes everything that this scope is the first to know and that needs
  /// at most `stage` finished reductions, and the addresses' known parts.
  void prepare(LoopScope &scope, int64_t stage);

  /// The value of a node, computed here if no scope has it.
  Value get(unsigned node, LoopScope &scope);
  /// The same in all lanes.
  Value getVector(unsigned node, LoopScope &scope);

  /// A `Compute` node of operands that have so many lanes.
  Value apply(unsigned node, mlir::ValueRange operands, int64_t lanes);

  /// Stores a result at this point.
  void store(unsigned result, LoopScope &scope);

  /// Address of an access: a load (number of the node) or a store (number of
  /// nodes + number of the result).
  Value address(unsigned number, LoopScope &scope);

  /// i1: all results begin with a line.
  Value storesAreAligned();

  /// Whether whole lines of results go past the caches.
  bool stream = false;

  Type registerTypeOf(unsigned node) const;
  Type elementOf(unsigned node) const;
  bool isVector(unsigned node) const {
    return schedule.lanes > 1 && nest.varies(node, schedule.vector);
  }
  bool failed() const { return hasFailed; }

private:
  const LoopAccess &access(unsigned number) const;
  Value find(unsigned node, const LoopScope &scope) const;
  bool isKnown(unsigned node, const LoopScope &scope) const;
  Value compute(unsigned node, LoopScope &scope);
  Value computeOp(unsigned node, LoopScope &scope);
  Value load(unsigned node, LoopScope &scope);
  Value loadTail(Value pointer, Type type, int64_t stride, int64_t live,
                 Type element);
  Value constant(unsigned node, int64_t lanes);

  KernelBuilder &b;
  const LoopNest &nest;
  const LoopSchedule &schedule;
  bool hasFailed = false;
};

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGENCPU_LOOPS_BODY_H
