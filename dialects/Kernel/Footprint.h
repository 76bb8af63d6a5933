//===- Footprint.h - what a tile needs of each stage ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the boxes that the stages of a group compute for one tile
// of its results, derived from the accesses of their operations:
//
//   result of the last stage   the tile: [o, o + e)
//   a window of 3 over it      [o - 1, o - 1 + (e - 1) + 3)
//   a stride of 2 over that    [2 * (o - 1), ... )
//
// A box may hang over its tensor: what is outside is padding.
//===----------------------------------------------------------------------===//
#ifndef TENON_DIALECTS_KERNEL_FOOTPRINT_H
#define TENON_DIALECTS_KERNEL_FOOTPRINT_H

#include "dialects/Kernel/BoxDim.h"
#include "dialects/Kernel/Kernel.h"

namespace tenon::kernel {

/// Whether an operation is a convolution that leaves taps beyond its input out,
/// as pools do, so that its box ends where the input does: one of an image of
/// one channel, an operand of its stage, which may come from outside without
/// zeros around it.
bool isStencil(mlir::Operation *op);

/// The boxes of one stage.
struct StageFootprint {
  /// Of its result, what later stages read: it may hang over the tensor.
  BoxMap needed;
  /// What of that the stage computes: the part inside of the tensor.
  BoxMap result;
  /// What it reads of each operand.
  llvm::SmallVector<BoxMap> operands;
  /// Of a result that leaves the group though later stages read it: what the
  /// tile stores. Of tiles along a dimension that this box does not follow, the
  /// first one stores it. Empty for all others.
  BoxMap owned;
  /// Of each value inside of the stage, its arguments as well.
  llvm::DenseMap<mlir::Value, BoxMap> values;
};

/// Whether an operation may be part of a stage, in some tiles at least.
bool worksOnParts(mlir::Operation *op);

/// Those of every stage, in order, for any tile: what follows it is not cut.
/// Fails with a diagnostic where a stage cannot be computed in parts: an
/// operation that does not work on parts, or not on those of the group's tiles;
/// an operand that one stage reads in two ways; a tiled dimension that is
/// reduced or read in steps of two sizes; a result that leaves the group and is
/// not made of what tiles store.
mlir::FailureOr<llvm::SmallVector<StageFootprint>> footprintsOf(GroupOp group);

/// The same without diagnostics: `why` not, in words.
mlir::FailureOr<llvm::SmallVector<StageFootprint>>
footprintsOf(GroupOp group, std::string &why);

/// Those of the tile at `origins` with `extents`, each along the tiled
/// dimensions: boxes follow no tile dimension.
mlir::FailureOr<llvm::SmallVector<StageFootprint>>
footprintsOf(GroupOp group, llvm::ArrayRef<int64_t> origins,
             llvm::ArrayRef<int64_t> extents);

} // namespace tenon::kernel

#endif // TENON_DIALECTS_KERNEL_FOOTPRINT_H
