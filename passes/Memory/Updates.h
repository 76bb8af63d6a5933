//===- Updates.h - states that are overwritten ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares when the input and the output of a state can be one
// buffer:
//
//   launch 3   reads w                 its gradient's way to what comes before
//   launch 4   reads w, g, writes w'   element by element
//   launch 5   writes w', reads w      no: the old value is gone
//
// The old value is read by launches before the one that writes, or by that one
// at the place that it writes. Nothing fails from then on, so that a run that
// fails leaves the old value: all launches that check indices come before, too.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_MEMORY_UPDATES_H
#define TENON_PASSES_MEMORY_UPDATES_H

#include "dialects/Graph/States.h"
#include "dialects/Kernel/Kernel.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tenon::memory {

/// What stands between a state and one buffer.
struct UpdateUses {
  /// The only launch that writes it; null: it cannot be one buffer in any
  /// order.
  kernel::LaunchOp writer;
  /// The last one that must come before, and does not; null: none.
  kernel::LaunchOp late;
  int64_t bytes = 0;

  bool canUpdate() const { return writer && !late; }
};

/// Whether launches of a program run in their order, one after the other, on
/// buffers of known size.
bool runsInOrder(mlir::func::FuncOp main);

/// Whether a launch may end the run.
bool isChecked(kernel::LaunchOp launch);

/// Of a state that the program writes, in the order at hand.
UpdateUses usesOf(mlir::func::FuncOp main, const graph::State &state);

/// Where a launch's operand lies: an allocation, or the number of an input or
/// output. Launches that have one in common, which one of them writes, keep
/// their order.
struct Place {
  enum Kind { Alloc, Input, Output, Constant };
  Kind kind;
  uintptr_t number;
  bool operator==(const Place &other) const = default;
};
Place placeOf(mlir::Value buffer);

/// The place of a program's tensor of that name.
Place inputPlace(mlir::func::FuncOp main, mlir::StringAttr name);
Place outputPlace(mlir::func::FuncOp main, mlir::StringAttr name);

} // namespace tenon::memory

#endif // TENON_PASSES_MEMORY_UPDATES_H
