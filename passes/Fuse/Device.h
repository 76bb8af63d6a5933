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

class Device {
public:
  virtual ~Device() = default;

  virtual const tile::Target &target() const = 0;

  /// Whether there is code for a group.
  virtual bool computes(kernel::GroupOp group) = 0;

  /// Cycles of one core that a kernel computes, its operands and results in a
  /// private cache. None if there is no such kernel.
  virtual std::optional<double> cyclesAlone(kernel::GroupOp group) = 0;

  /// What it takes at least as a stage of a larger kernel, in tiles of any
  /// size.
  virtual std::optional<double> leastCycles(kernel::GroupOp group) = 0;

  /// What a stage of a larger kernel takes on its boxes for one tile.
  virtual std::optional<double>
  cyclesOnBox(kernel::StageOp stage, const kernel::StageFootprint &boxes) = 0;
};

} // namespace tenon::fuse

#endif // TENON_PASSES_FUSE_DEVICE_H
