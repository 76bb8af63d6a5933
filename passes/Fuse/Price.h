//===- Price.h - what a kernel of stages takes ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the prices that groups are chosen by. Of a group alone:
//
//   time = compute + what leaves the private caches / their bandwidth + launch
//
// Of stages in tiles, with what each tile computes again at its border:
//
//   time = tiles * (compute of the boxes + calls) + ... + launch
//
// Computing and waiting for data hide each other in part only, so that they are
// added. `test/bench/fusion.py` holds prices against measured times. Devices
// that do not tile any stages price kernels themselves (codegen::Device).
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_FUSE_PRICE_H
#define TENON_PASSES_FUSE_PRICE_H

#include "lib/Fusion/Problem.h"
#include "passes/Codegen/Device.h"

#include "llvm/ADT/StringMap.h"

namespace tenon::fuse {

/// A price, and what it is for.
struct Price {
  /// By which kernels compete: that of stages is charged with what they must
  /// gain.
  fusion::Cost cost;
  Time time;             ///< of a launch, without that
  kernel::TileAttr tile; ///< null: a group alone
  /// Where its stages leave each other their results.
  kernel::Level level = kernel::Level::Scratch;
  Time compute;        ///< of all cores, what is no traffic or calls
  double again = 1;    ///< work over that without computing anything twice
  int64_t scratch = 0; ///< bytes that each thread has for itself
};

/// Times of stages on boxes, and the best tiles of groups, are found once for
/// each.
class Pricer {
public:
  explicit Pricer(const codegen::Device &device) : device(device) {}

  /// Of a group of its own; none if there is no kernel for it.
  std::optional<Price> alone(kernel::GroupOp group);
  /// Of a group of stages without a tile, for the best tile there is; none if
  /// no tile fits.
  std::optional<Price> staged(kernel::GroupOp group);
  /// Of the same for one tile.
  std::optional<Price> staged(kernel::GroupOp group,
                              const std::vector<int64_t> &sizes);
  /// Why there is no price for a group of stages, in words.
  std::string whyNoTile(kernel::GroupOp group);
  /// Whether scratch of this size for each thread stays in caches.
  bool fits(int64_t scratch) const;

  /// What any group of stages costs at least that computes for so long, of so
  /// many bytes that come in or leave.
  fusion::Cost least(Time compute, int64_t traffic) const;

private:
  struct Staged;
  std::optional<Price> ofKernel(kernel::GroupOp group);
  std::optional<Price> searched(kernel::GroupOp group);
  /// Whether it stays in a second-level cache.
  bool staysNear(int64_t scratch) const;
  std::optional<Price> tiled(Staged &staged, const std::vector<int64_t> &sizes);
  int64_t localBytes(Staged &staged, const std::vector<int64_t> &sizes);
  std::optional<codegen::BoxCost> costOnBox(Staged &staged, unsigned number,
                                            const std::vector<int64_t> &sizes,
                                            kernel::StageFootprint &boxes);

  const codegen::Device &device;
  llvm::StringMap<std::optional<codegen::BoxCost>> known;
  /// Networks repeat their blocks.
  llvm::StringMap<std::optional<Price>> knownGroups;
};

} // namespace tenon::fuse

#endif // TENON_PASSES_FUSE_PRICE_H
