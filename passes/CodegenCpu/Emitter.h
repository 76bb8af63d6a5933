//===- Emitter.h - from a planned group to a kernel -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the border between the lowering pass and the emitters:
// one emitter per kind of group.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGENCPU_EMITTER_H
#define TENON_PASSES_CODEGENCPU_EMITTER_H

#include "dialects/Kernel/Kernel.h"
#include "passes/CodegenCpu/Builder/KernelBuilder.h"

namespace tenon::codegen {

/// What an emitter gets. Buffer `i` of the builder is operand `i` of the group,
/// then come the results, then the scratch buffers it asked for in its plan.
struct EmitRequest {
  KernelBuilder &b;
  kernel::GroupOp group;
  llvm::SmallVector<memory::BufferType> operands, results;
  kernel::PlanAttr plan;

  const tile::Target &target() const { return b.target(); }
};

/// What it gives back besides the function.
struct EmitResult {
  int64_t tiles = 1; ///< how many independent ones the launch runs
  /// Operands and results that may be the same storage (Overwrite.h).
  llvm::SmallVector<std::pair<unsigned, unsigned>> inPlace = {};
  /// Expected rounding errors over those of summing in the plain way.
  double errorGrowth = 1;
  /// How often, one after the other; step `s` has tiles from `s * tiles` on.
  int64_t steps = 1;
  /// What a thread gets of the tiles it should get in one call: what a call
  /// prepares takes longer than it may wait for other threads.
  bool oneCall = false;
};

/// What a plan asks of the world around a group.
struct PlanResult {
  kernel::PlanAttr plan;
  /// Per operand: elements of zero halo wanted before and after each dimension
  /// (empty: none).
  struct Halo {
    llvm::SmallVector<int64_t> low, high;
  };
  llvm::SmallVector<Halo> halos;
  /// Per operand: the `graph.pack` attributes to apply when it is constant
  /// (null: take it as it is).
  llvm::SmallVector<mlir::DictionaryAttr> packs;
  /// Bytes of each scratch buffer.
  llvm::SmallVector<int64_t> scratchBytes;
};

/// One kind of group.
struct Emitter {
  llvm::StringRef kind;
  /// Decides tiling; failure (with a diagnostic on the group) when the kind
  /// cannot express the group.
  mlir::FailureOr<PlanResult> (*plan)(kernel::GroupOp, const tile::Target &);
  /// Builds the kernel; failure (with a diagnostic) as above.
  mlir::FailureOr<EmitResult> (*emit)(const EmitRequest &);
  /// Whether the planned group can have buffer `index` (operands, then results)
  /// lie so: with a pitch, as a part of a larger buffer, or transposed.
  bool (*canAddress)(kernel::GroupOp, unsigned index, memory::BufferType);
  /// Whether the kernel of the planned group widens what it loads of packed
  /// operand `index`, so that this may be stored in 16 bits; null: none does.
  bool (*takesNarrow)(kernel::GroupOp, unsigned index) = nullptr;
};

const Emitter &contractionEmitter();
const Emitter &windowEmitter();
const Emitter &loopsEmitter();
const Emitter &moveEmitter();
const Emitter &recurrentEmitter();

/// The emitter of a kind, or null.
const Emitter *findEmitter(llvm::StringRef kind);

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGENCPU_EMITTER_H
