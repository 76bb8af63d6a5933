//===- Device.h - what computes groups --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares what the passes between fusion and kernels ask of the
// device that they decide for. What code there is for a stage, and how good it
// is, only the device knows; no pass knows a kind of device.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGEN_DEVICE_H
#define TENON_PASSES_CODEGEN_DEVICE_H

#include "dialects/Kernel/Footprint.h"
#include "lib/Tile/Gpu.h"
#include "passes/Codegen/Strategy.h"

#include <memory>

namespace tenon::codegen {

class Contest;     // Contest.h
class KernelTable; // Programs/Kernels.h

/// What a stage of a larger kernel takes for one tile.
struct BoxCost {
  Time time;
  int64_t scratch = 0; ///< bytes of its own, until it is done
};

/// What a kernel takes as a whole, its launch and all that it moves; of a group
/// of stages, with the tile that is best for it, and with where they leave each
/// other their results.
struct KernelPrice {
  Time time;
  kernel::TileAttr tile = {}; ///< null: a group that is one stage
  kernel::Level level = kernel::Level::Memory;
};

class Device {
public:
  virtual ~Device() = default;

  /// Tells times that are measured on it from others: "avx2", "sm_90a f16".
  virtual std::string name() const = 0;
  /// Those that compete for the same groups follow each other, plain arithmetic
  /// first: the others must beat it.
  virtual llvm::ArrayRef<const Strategy *> strategies() const = 0;
  /// One of its threads, as planners of tiles see it.
  virtual const tile::Target &thread() const = 0;

  //===-- Kernels of groups -----------------------------------------------===//
  /// Whether a strategy matches a group.
  virtual bool computes(kernel::GroupOp group) const;
  /// Enters what is offered for a group; fails with a diagnostic where nothing
  /// computes it.
  virtual mlir::LogicalResult enter(Contest &contest) const = 0;
  /// The kernels of a module, none so far.
  virtual std::unique_ptr<KernelTable> kernels(mlir::ModuleOp module) const = 0;

  //===-- Kernels of stages, which fusion forms ---------------------------===//
  /// Whether any stages share a kernel, one after the other in tiles of any
  /// size. Such a device prices parts of kernels; any other has strategies that
  /// compute certain groups of stages as wholes, and prices kernels.
  virtual bool tilesStages() const = 0;
  /// Bytes that each thread of a group's kernel has for itself; none if there
  /// is no such kernel.
  virtual std::optional<int64_t> scratchOf(kernel::GroupOp group) const = 0;

  //===-- Prices of kernels -----------------------------------------------===//
  /// Whether a kernel may compute a group and one that reads it: a cheap
  /// question, to which yes may be said too often.
  virtual bool mayShareKernel(kernel::GroupOp from, kernel::GroupOp to) const {
    return true;
  }
  /// Of a group, which may be of stages without a tile; none if there is no
  /// such kernel.
  virtual std::optional<KernelPrice> priceOf(kernel::GroupOp group) const {
    return std::nullopt;
  }

  //===-- Prices of parts -------------------------------------------------===//
  /// What a kernel computes in, on one core, its operands and results in a
  /// private cache. None if there is no such kernel.
  virtual std::optional<Time> timeAlone(kernel::GroupOp group) const {
    return std::nullopt;
  }
  /// What it takes at least as a stage of a larger kernel, in tiles of any
  /// size.
  virtual std::optional<Time> leastTime(kernel::GroupOp group) const {
    return std::nullopt;
  }
  virtual std::optional<BoxCost>
  costOnBox(kernel::StageOp stage, const kernel::StageFootprint &boxes) const {
    return std::nullopt;
  }
  /// Bytes in which stages leave their results for others, of a group with a
  /// tile and its boxes for any tile.
  virtual int64_t
  localBytes(kernel::GroupOp group,
             llvm::ArrayRef<kernel::StageFootprint> boxes) const {
    return 0;
  }
};

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGEN_DEVICE_H
