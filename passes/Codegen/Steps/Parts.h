//===- Parts.h - what one step of a loop launches ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the lowered body of a loop as its kernels see it.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGEN_STEPS_PARTS_H
#define TENON_PASSES_CODEGEN_STEPS_PARTS_H

#include "dialects/Graph/GraphSteps.h"
#include "dialects/Kernel/Kernel.h"
#include "lib/Tile/Target.h"
#include "llvm/ADT/MapVector.h"

namespace tenon::codegen {

struct StepParts {
  /// Where a buffer of the body is.
  struct Place {
    enum Kind { Input, Output, Constant, Scratch, Fault };
    Kind kind = Input;
    unsigned number = 0;
    int64_t byteOffset = 0;
  };
  /// A launch of the body.
  struct Part {
    kernel::LaunchOp launch;
    mlir::func::FuncOp kernel;
    int64_t tiles;
  };
  /// Parts that may run at once, in so many turns, one after the other.
  struct Group {
    llvm::SmallVector<Part> parts;
    int64_t turns;
  };

  /// Of a loop whose body has been lowered.
  explicit StepParts(graph::StepsOp steps);

  /// Barriers of a step.
  int64_t turns() const;
  /// Whether several threads that wait for each other are faster than one.
  bool paysToSplit(const tile::Target &target) const;

  llvm::DenseMap<mlir::Value, Place> places;
  llvm::SmallVector<memory::ConstantOp> constants;
  llvm::SmallVector<int64_t> scratch; ///< bytes of each buffer
  /// Results that are kept for the next step, numbered.
  llvm::MapVector<unsigned, unsigned> states;
  llvm::SmallVector<Group> groups;
  int64_t tiles = 1; ///< the most of a part
  int64_t threadScratch = 0;
  int64_t flops = 0, bytes = 0; ///< of one step
  bool isChecked = false;

private:
  void add(mlir::Operation *op);
  void addLaunch(kernel::LaunchOp launch);
  bool needs(kernel::LaunchOp launch, const Group &group) const;
};

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGEN_STEPS_PARTS_H
