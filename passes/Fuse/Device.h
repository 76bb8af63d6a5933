//===- Device.h - what a device says about kernels --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares what fusion asks of the device that it decides for. What
// code there is for a stage, and how good it is, only the device knows; what a
// kernel of several gains follows from that and from caches.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_FUSE_DEVICE_H
#define TENON_PASSES_FUSE_DEVICE_H

#include "dialects/Kernel/Footprint.h"
#include "lib/Tile/Target.h"

namespace tenon::fuse {

/// What a stage of a larger kernel takes for one tile.
struct BoxCost {
  double cycles = 0;
  int64_t scratch = 0; ///< bytes of its own, until it is done
};

class Device {
public:
  virtual ~Device() = default;

  virtual const tile::Target &target() const = 0;

  /// Bytes that each thread of a group's kernel has for itself; none if there
  /// is no such kernel.
  virtual std::optional<int64_t> scratchOf(kernel::GroupOp group) = 0;

  /// Cycles of one core that a kernel computes, its operands and results in a
  /// private cache. None if there is no such kernel.
  virtual std::optional<double> cyclesAlone(kernel::GroupOp group) = 0;

  /// What it takes at least as a stage of a larger kernel, in tiles of any
  /// size.
  virtual std::optional<double> leastCycles(kernel::GroupOp group) = 0;

  virtual std::optional<BoxCost>
  costOnBox(kernel::StageOp stage, const kernel::StageFootprint &boxes) = 0;

  /// Bytes in which stages leave their results for others, of a group with a
  /// tile and its boxes for any tile.
  virtual int64_t localBytes(kernel::GroupOp group,
                             llvm::ArrayRef<kernel::StageFootprint> boxes) = 0;
};

} // namespace tenon::fuse

#endif // TENON_PASSES_FUSE_DEVICE_H
