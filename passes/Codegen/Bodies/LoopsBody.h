//===- LoopsBody.h - values of a loop nest at a point -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares how the nodes of a nest become register values: each is
// computed in the outermost scope where all its loops have an index.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGEN_BODIES_LOOPSBODY_H
#define TENON_PASSES_CODEGEN_BODIES_LOOPSBODY_H

#include "passes/Codegen/Builder/KernelBuilder.h"
#include "passes/Codegen/Groups/LoopNest.h"
#include "llvm/ADT/DenseMap.h"

namespace tenon::codegen {

/// The lanes of a vector that exist, from the first one on.
class LiveLanes {
public:
  LiveLanes(int64_t number) : number(number) {}
  /// Some of them, but not all: how many is known in the run only.
  LiveLanes(Value count) : count(count) {}

  bool are(int64_t lanes) const { return !count && number == lanes; }
  bool areKnown() const { return !count; }
  int64_t known() const { return number; }
  Value get(KernelBuilder &b) const { return count ? count : b.index(number); }

private:
  int64_t number = 0;
  Value count;
};

/// A place in the kernel where some loops have an index. Values known in the
/// outer scopes are known here.
struct LoopScope {
  const LoopScope *outer = nullptr;
  Values index;      ///< per loop, null where unknown; `vector`: lane 0
  int64_t shift = 0; ///< added to the index of the vector loop
  LiveLanes live = 0;
  int64_t slot = 0; ///< number among the rows that are reduced together
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
      : b(b), nest(nest), schedule(schedule) {
    chooseStrides();
  }

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

  /// What a step along a loop is for an access.
  Value strideOf(unsigned number, unsigned loop);

  /// i1: some load is repeated along the vector loop. Null: none ever is.
  Value repeatsAlongVector();

  /// Address of an access: a load (number of the node) or a store (number of
  /// nodes + number of the result).
  Value address(unsigned number, LoopScope &scope);

  /// i1: all results begin with a line.
  Value storesAreAligned();

  /// What the address of each access of whole vectors is a multiple of, in
  /// bytes: loads, then stores. Empty: of an element.
  llvm::SmallVector<int64_t> alignments = {};

  /// Whether whole lines of results go past the caches.
  bool stream = false;
  /// Whether no load is repeated along the vector loop in this part.
  bool neverRepeats = false;

  Type registerTypeOf(unsigned node) const;
  Type elementOf(unsigned node) const;
  bool isVector(unsigned node) const {
    return schedule.lanes > 1 && nest.varies(node, schedule.vector);
  }
  bool failed() const { return hasFailed; }

private:
  void chooseStrides();
  const LoopAccess &access(unsigned number) const;
  Value find(unsigned node, const LoopScope &scope) const;
  bool isKnown(unsigned node, const LoopScope &scope) const;
  Value compute(unsigned node, LoopScope &scope);
  Value computeOp(unsigned node, LoopScope &scope);
  Value load(unsigned node, LoopScope &scope);
  bool mayRepeat(unsigned number, unsigned loop) const;
  Value isRepeated(unsigned number, unsigned loop);
  std::optional<int64_t> knownStride(unsigned number) const;
  template <typename Access> void align(unsigned number);
  Value addressOfLane(unsigned number, Value pointer, int64_t lane,
                      const LiveLanes &live);
  Value loadLanes(unsigned node, Value pointer, const LiveLanes &live);
  void storeLanes(unsigned number, Value value, Value pointer,
                  const LiveLanes &live);
  Value loadTail(Value pointer, Type type, int64_t stride, int64_t live,
                 Type element);
  Value constant(unsigned node, int64_t lanes);

  KernelBuilder &b;
  const LoopNest &nest;
  const LoopSchedule &schedule;
  bool hasFailed = false;
  /// By access and loop: those that depend on extents.
  llvm::DenseMap<std::pair<unsigned, unsigned>, Value> strides;
};

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGEN_BODIES_LOOPSBODY_H
