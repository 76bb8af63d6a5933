//===- WindowPlan.cpp - what a window's plan must keep --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Tile/WindowPlan.h"

#include "lib/Tile/Rows.h"
#include <algorithm>
#include <bit>
#include <set>
#include <string>

using namespace tenon::tile;

int64_t WindowMapDim::inputs(int64_t outputs) const {
  std::set<int64_t> used;
  for (int64_t o = 0; o < outputs; ++o)
    for (int64_t k = 0; k < kernel; ++k)
      used.insert(o * stride + k * dilation);
  return int64_t(used.size());
}

static llvm::Error invalid(const char *why) {
  return llvm::createStringError(std::string("the plan of the window ") + why);
}

static llvm::Error checkNumbers(const WindowPlan &plan) {
  for (int64_t number : {plan.lanes, plan.pixels, plan.vectors, plan.rows,
                         plan.height, plan.block, plan.across, plan.band})
    if (number < 1)
      return invalid("has a number below one");
  if (plan.prefetch < 0 || plan.prefetch > 2)
    return invalid("asks for what comes next more than twice");
  return llvm::Error::success();
}

//===-- Registers ---------------------------------------------------------===//

/// Rows of results that one input row enters, at most.
static int64_t openRows(const WindowMapDim &height) {
  int64_t most = 0;
  for (int64_t line = 0; line < height.stride; ++line) {
    int64_t open = 0;
    for (int64_t tap = line; tap < height.kernel; tap += height.stride)
      ++open;
    most = std::max(most, open);
  }
  return most;
}

/// Beside what is summed up there is an input or weight, and one to spare. What
/// tiles of columns read may be a little more than that: not all of it is held
/// at the same time.
static llvm::Error checkRegisters(const WindowMap &map, const WindowPlan &plan,
                                  const Target &target) {
  constexpr int64_t moreInputs = 10;
  const char *tooMany = "needs more registers than there are";
  int64_t room = target.registers - 2;
  if (plan.pixels > room || plan.vectors > room || plan.height > room)
    return invalid(tooMany);
  int64_t rows = plan.rolls ? openRows(map.height) : plan.height;
  if (rows * plan.pixels * plan.vectors > room)
    return invalid(tooMany);
  if (plan.height > 1 &&
      map.height.inputs(plan.height) * map.width.inputs(plan.pixels) >
          target.registers + moreInputs)
    return invalid(tooMany);
  return llvm::Error::success();
}

/// Whether vectors of so many channels begin at an input channel, or stay in
/// one.
static bool followsInputs(const WindowMap &map, int64_t channels) {
  return channels % map.multiplier == 0 || map.multiplier % channels == 0;
}

static llvm::Error checkLanes(const WindowMap &map, const WindowPlan &plan,
                              const Target &target) {
  int64_t lanes = plan.lanes;
  if (!std::has_single_bit(uint64_t(lanes)) ||
      (lanes > 1 && lanes > target.vectorBytes / map.sumBytes))
    return invalid("has lanes that no vector has");
  if (lanes / 2 >= std::max<int64_t>(1, map.channels))
    return invalid("has more lanes than there are channels");
  if (!followsInputs(map, lanes) || !followsInputs(map, plan.vectors * lanes))
    return invalid("has vectors that begin inside of an input channel");
  return llvm::Error::success();
}

//===-- What a tile may do ------------------------------------------------===//

static llvm::Error checkColumns(const WindowMap &map, const WindowPlan &plan) {
  if (!plan.columns) {
    if (plan.rolls || plan.height > 1)
      return invalid("has tiles of several rows without columns");
    return llvm::Error::success();
  }
  if (!map.isPool || map.width.kernel > mostRowTaps || plan.vectors > 1)
    return invalid("has columns of something else than a small pool");
  if (plan.height > 1 && (!map.isFlat || map.height.inputs(plan.height) *
                                                 map.width.inputs(plan.pixels) >
                                             mostTileInputs))
    return invalid("has tiles of several rows that are not emitted at once");
  return llvm::Error::success();
}

/// An input row enters open rows tap by tap, some of which stay open.
static llvm::Error checkRolling(const WindowMap &map, const WindowPlan &plan) {
  const WindowMapDim &height = map.height;
  if (!map.isFixed && (plan.rolls || plan.band > 1))
    return invalid("walks down bands of rows that only the run counts");
  if (!map.hasFixedPitch && plan.prefetch > 0)
    return invalid("asks for what is as far away as only the run knows");
  if (plan.rolls &&
      (!map.isFlat || height.dilation != 1 || height.kernel <= height.stride ||
       plan.height > 1 || height.kernel > mostRolledRows))
    return invalid("rolls down rows that do not follow each other");
  return llvm::Error::success();
}

//===-- What is covered ---------------------------------------------------===//

/// Blocks begin where the tiles of the one before end.
static llvm::Error checkChannels(const WindowMap &map, const WindowPlan &plan) {
  int64_t vectors = ceilDiv(std::max<int64_t>(1, map.channels), plan.lanes);
  if (plan.vectors > vectors || plan.block - plan.vectors >= vectors)
    return invalid("has more channels than there are");
  if (plan.block % plan.vectors != 0)
    return invalid("has tiles that reach into the next block of channels");
  return llvm::Error::success();
}

/// Tiles of a row; spans of some of them cover each once. Columns and borders
/// know no spans: each would compute all of them.
static llvm::Error checkPixels(const WindowMap &map, const WindowPlan &plan) {
  const WindowMapDim &width = map.width;
  if (!width.isFixed)
    return llvm::Error::success();
  int64_t outputs = std::max<int64_t>(1, width.output);
  int64_t tiles = ceilDiv(outputs, plan.pixels);
  if (plan.pixels > outputs || plan.across > tiles)
    return invalid("has more pixels than there are");
  bool isWhole = plan.columns || (map.isPool && width.hasBorder());
  if (isWhole && plan.across < tiles)
    return invalid("computes pixels more than once");
  return llvm::Error::success();
}

/// Units of a plane, above each other: rows at the border are alone, the others
/// as high as a tile.
static int64_t unitsDown(const WindowMap &map, const WindowPlan &plan) {
  const WindowMapDim &height = map.height;
  if (!plan.columns)
    return height.output;
  int64_t inner = height.last - height.first;
  return height.output - inner + ceilDiv(inner, plan.height);
}

static llvm::Error checkRows(const WindowMap &map, const WindowPlan &plan) {
  if (!map.height.isFixed || !map.width.isFixed)
    return llvm::Error::success();
  int64_t down = unitsDown(map, plan);
  if (plan.band > std::max<int64_t>(1, down))
    return invalid("has more rows than there are");
  if (!map.isFixed)
    return llvm::Error::success();
  int64_t tiles = ceilDiv(std::max<int64_t>(1, map.width.output), plan.pixels);
  int64_t pieces = ceilDiv(tiles, plan.across) *
                   ceilDiv(map.channels, plan.block * plan.lanes);
  // The last units of bands that are a row shorter do nothing.
  int64_t bands = std::max<int64_t>(1, ceilDiv(down, plan.band));
  int64_t each = plan.rolls ? 1 : ceilDiv(down, bands);
  if (plan.rows > std::max<int64_t>(1, map.planes * bands * each * pieces))
    return invalid("has more units than there are");
  return llvm::Error::success();
}

llvm::Error tenon::tile::validate(const WindowMap &map, const WindowPlan &plan,
                                  const Target &target) {
  if (llvm::Error error = checkNumbers(plan))
    return error;
  if (llvm::Error error = checkRegisters(map, plan, target))
    return error;
  if (llvm::Error error = checkLanes(map, plan, target))
    return error;
  if (llvm::Error error = checkColumns(map, plan))
    return error;
  if (llvm::Error error = checkRolling(map, plan))
    return error;
  if (llvm::Error error = checkChannels(map, plan))
    return error;
  if (llvm::Error error = checkPixels(map, plan))
    return error;
  return checkRows(map, plan);
}
