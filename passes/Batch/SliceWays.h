//===- SliceWays.h - a program as a problem of slices -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_BATCH_SLICEWAYS_H
#define TENON_PASSES_BATCH_SLICEWAYS_H

#include "lib/Schedule/Slices.h"
#include "lib/Tile/Target.h"
#include "mlir/Pass/PassManager.h"
#include "passes/Batch/Ranges.h"

namespace tenon::batch {

/// Makes groups of a module's operations, with a predicted time each.
using AddFusion = llvm::function_ref<void(mlir::OpPassManager &)>;

/// The most bytes of the whole batch that live at once between two items that
/// work image by image, arguments and results of the program not counted: what
/// no fusion is needed for. Between others slices change nothing.
int64_t bytesAtOnce(const Items &items, const Images &images);

/// The items of a program as ranges may have them: fused and priced for all
/// images and for slices of half of them, a quarter, and so on, or of other
/// parts that come out even; by a thread of `target`. At least one item works
/// image by image. Fails with a diagnostic where fusion does.
mlir::FailureOr<sched::SliceProblem> sliceProblem(mlir::func::FuncOp program,
                                                  const Items &items,
                                                  const Images &images,
                                                  const tile::Target &target,
                                                  AddFusion addFusion);

} // namespace tenon::batch

#endif // TENON_PASSES_BATCH_SLICEWAYS_H
