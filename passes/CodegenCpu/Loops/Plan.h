//===- Plan.h - how nests of loops are walked -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_CODEGENCPU_LOOPS_PLAN_H
#define TENON_PASSES_CODEGENCPU_LOOPS_PLAN_H

#include "passes/Codegen/Groups/LoopNest.h"
#include "llvm/Support/Error.h"

namespace tenon::codegen {

/// Chooses by an estimate of instructions per element. No symbols.
LoopSchedule scheduleNest(const LoopNest &nest, const tile::Target &target);

/// The schedule of a nest with symbols, of a kernel of `module`: that for the
/// sizes that are likely, right for all.
LoopSchedule scheduleAnySizes(const LoopNest &nest, mlir::ModuleOp module,
                              const tile::Target &target);

/// Whether some operand is contiguous along `other` and walks along `vector`.
bool canTranspose(const LoopNest &nest, unsigned vector, unsigned other);

/// Whether all results lie as the points of `inner`, a few, beside each other
/// for each point of `vector`.
bool canInterleave(const LoopNest &nest, unsigned vector, unsigned inner);

/// Whether transposed squares write whole lines of all results.
bool canStream(const LoopNest &nest, const LoopSchedule &schedule);

/// Fills in rows and chunks for the given vector loop. Those of `typical`, the
/// nest with numbers, are about as long as a tile should be.
void divideIntoTiles(const LoopNest &nest, const LoopNest &typical,
                     const tile::Target &target, LoopSchedule &schedule);

/// Checks a schedule against the rules, whoever made it: that loops are of the
/// right kinds, vectors and rows at once those that kernels have, and that
/// tiles cover all points once.
llvm::Error validate(const LoopNest &nest, const LoopSchedule &schedule,
                     const tile::Target &target);

/// The same, before there are tiles.
llvm::Error validateChoices(const LoopNest &nest, const LoopSchedule &schedule,
                            const tile::Target &target);

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGENCPU_LOOPS_PLAN_H
