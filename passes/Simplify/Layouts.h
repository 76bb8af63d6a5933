//===- Layouts.h - which operations care where channels stand ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares what each operation can do with images whose channels
// stand last. An image is a tensor of rank 3 to 5, `[N, C, spatial...]` in the
// model's order and `[N, spatial..., C]` with channels last.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_SIMPLIFY_LAYOUTS_H
#define TENON_PASSES_SIMPLIFY_LAYOUTS_H

#include "dialects/Graph/Shapes.h"
#include "mlir/IR/Builders.h"

namespace tenon::simplify {

/// The permutation that moves channels last (`[0, 2, 3, 1]`) or back to
/// dimension 1 (`[0, 3, 1, 2]`).
llvm::SmallVector<int64_t> channelsLast(int64_t rank);
llvm::SmallVector<int64_t> channelsFirst(int64_t rank);

/// Whether a value is of a rank that images have.
bool isImage(mlir::Value value);

enum class LayoutKind {
  Fixed,        ///< works in the model's order only
  Last,         ///< has to have its channels last
  Either,       ///< works in both; all its images in one
  MovesToLast,  ///< a transpose whose result is its operand, channels last
  MovesToFirst, ///< a transpose whose operand is its result, channels last
  Inner,        ///< belongs to the operation in `LayoutRole::outer`
};

/// What an operation can do.
struct LayoutRole {
  LayoutKind kind = LayoutKind::Fixed;
  /// Whether the results have channels last when the operands have.
  bool resultFollows = true;
  /// The images it reads, if they are not its operands.
  llvm::SmallVector<mlir::Value, 1> inputs;
  mlir::Operation *outer = nullptr;
};

LayoutRole layoutRole(mlir::Operation *op);

/// The last of the three operations of a channel shuffle (split the channels,
/// transpose, merge) that `op` belongs to, or null.
mlir::Operation *channelShuffleOf(mlir::Operation *op);

/// Whether operand `index` of an operation of kind Last or Either is an image
/// that gets channels last; filters and operands of lower rank are not.
bool readsImage(mlir::Operation *op, unsigned index);

/// Builds `op` (of kind Last or Either) on images with channels last.
/// `image(v)` gives an image in that form, `plain(v)` any other operand.
mlir::Operation *
buildChannelsLast(mlir::OpBuilder &builder, mlir::Operation *op,
                  llvm::function_ref<mlir::Value(mlir::Value)> image,
                  llvm::function_ref<mlir::Value(mlir::Value)> plain);

} // namespace tenon::simplify

#endif // TENON_PASSES_SIMPLIFY_LAYOUTS_H
