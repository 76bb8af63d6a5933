//===- BulkCopies.cpp - cp.async.bulk -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file copies tiles of tensors and runs of bytes. What comes into shared
// memory is read at once and arrives when its mbarrier is asked; what leaves
// it is written at once.
//===----------------------------------------------------------------------===//
#include "lib/Emulate/Address.h"
#include "lib/Emulate/Decoder.h"
#include "lib/Emulate/Lanes.h"

#include <algorithm>
#include <cstring>

using namespace tenon;
using namespace tenon::emulate;

namespace {

/// The operation's operands in Program::lists, references with what is added.
struct Place {
  Ref ref = noRef;
  uint8_t bytes = 0;
  int64_t added = 0;
};
/// In the order in which they are put into the list.
enum Part {
  sharedPart,
  barrierPart,
  otherPart,
  sizePart,
  maskPart,
  firstCoord
};

/// A box of a tensor.
struct Tile {
  TensorMapInfo info;
  int64_t start[5] = {};
  uint32_t counts[5] = {1, 1, 1, 1, 1}; ///< of rows, from dimension 1 on
  uint32_t rowBytes = 0, rows = 1;

  /// Of each row: where it lies in the tensor, or UINT64_MAX outside of it.
  uint64_t addressOf(uint32_t row) const;
  uint32_t swizzled(uint32_t address) const {
    uint32_t bits = (1u << info.swizzle) - 1;
    return address ^ (address >> 7 & bits) << 4;
  }
};

} // namespace

uint64_t Tile::addressOf(uint32_t row) const {
  uint64_t address = info.address;
  for (uint32_t d = 1; d < info.rank; ++d) {
    int64_t at = start[d] + int64_t(row % counts[d]) * info.elementStrides[d];
    row /= counts[d];
    if (at < 0 || at >= int64_t(info.dims[d]))
      return UINT64_MAX;
    address += uint64_t(at) * info.strides[d - 1];
  }
  return address;
}

/// An operand's value in a lane, with what is added to it.
static uint64_t valueOf(const Warp &warp, const Op &op, unsigned part,
                        unsigned lane) {
  const Ref *list = warp.machine.program.lists.data() + op.list + 3 * part;
  uint64_t value = list[1] == 8   ? warp.from<uint64_t>(list[0])[lane]
                   : list[1] == 4 ? warp.from<uint32_t>(list[0])[lane]
                                  : warp.from<uint16_t>(list[0])[lane];
  value += int64_t(list[2]);
  return list[1] == 8 ? value : uint32_t(value);
}

static bool hasPart(const Warp &warp, const Op &op, unsigned part) {
  return warp.machine.program.lists[op.list + 3 * part] != noRef;
}

/// Reads the map and the coordinates of a lane; false after a report.
static bool readTile(Warp &warp, const Op &op, unsigned lane, Tile &tile) {
  uint64_t address = valueOf(warp, op, otherPart, lane);
  const uint8_t *bytes = bytesAt(warp, op, Space::generic, address, 128, lane);
  if (!bytes || address % 64) {
    failAccess(warp, op, Space::generic, address, 128, lane);
    return false;
  }
  TensorMap map;
  std::memcpy(map.data(), bytes, map.size());
  Result<TensorMapInfo> info = decode(map);
  if (!info || info->rank != op.count) {
    warp.fail(op, Mask(1) << lane,
              info ? "the tensor map has " + std::to_string(info->rank) +
                         " dimensions"
                   : info.error().message);
    return false;
  }
  tile.info = *info;
  tile.rowBytes = info->box[0] * bytesOfMapType(info->type);
  for (uint32_t d = 0; d < info->rank; ++d) {
    tile.start[d] = int32_t(valueOf(warp, op, firstCoord + d, lane));
    if (d == 0)
      continue;
    uint32_t stride = info->elementStrides[d];
    tile.counts[d] = (info->box[d] + stride - 1) / stride;
    tile.rows *= tile.counts[d];
  }
  return true;
}

/// The part of a row that lies in the tensor: bytes [begin, end) of it.
static std::pair<int64_t, int64_t> insideOf(const Tile &tile) {
  int64_t bytes = bytesOfMapType(tile.info.type);
  int64_t begin = std::max<int64_t>(0, -tile.start[0]);
  int64_t end = std::min<int64_t>(tile.info.box[0],
                                  int64_t(tile.info.dims[0]) - tile.start[0]);
  return {begin * bytes, std::max(begin, end) * bytes};
}

/// Copies rows between the tensor and `bytes`. False after a report.
static bool moveRows(Warp &warp, const Op &op, unsigned lane, const Tile &tile,
                     uint8_t *bytes, bool toTensor) {
  auto [begin, end] = insideOf(tile);
  int64_t first = tile.start[0] * int64_t(bytesOfMapType(tile.info.type));
  for (uint32_t row = 0; row < tile.rows && begin < end; ++row) {
    uint64_t base = tile.addressOf(row);
    if (base == UINT64_MAX)
      continue;
    uint64_t address = base + first + begin;
    uint8_t *place =
        bytesAt(warp, op, Space::global, address, end - begin, lane);
    if (!place) {
      failAccess(warp, op, Space::global, address, end - begin, lane);
      return false;
    }
    uint8_t *own = bytes + uint64_t(row) * tile.rowBytes + begin;
    std::memcpy(toTensor ? place : own, toTensor ? own : place, end - begin);
  }
  return true;
}

/// Where a copy goes: destinations, barrier. False after a report.
static bool aim(Warp &warp, const Op &op, unsigned lane, BulkCopy &copy) {
  constexpr uint64_t within = (1u << window::rankShift) - 1;
  uint64_t to = valueOf(warp, op, sharedPart, lane);
  uint64_t barrier = valueOf(warp, op, barrierPart, lane);
  copy.bytes = copy.data.size();
  copy.address = to & within;
  copy.barrier = barrier & within;
  Cta *cta = warp.machine.ctaOf(warp.cta, to & 0xFFFFFFFF);
  copy.ctas = cta ? uint64_t(1) << cta->rank : 0;
  if (hasPart(warp, op, maskPart))
    copy.ctas = valueOf(warp, op, maskPart, lane) & 0xFFFF;
  if (copy.ctas == 0 || copy.ctas >> warp.cta.cluster->ctas.size() ||
      !warp.machine.shared(warp.cta, copy.address, copy.bytes) ||
      copy.address % 16) {
    failAccess(warp, op, Space::cluster, to, copy.bytes, lane);
    return false;
  }
  for (Cta *other : warp.cta.cluster->ctas)
    if ((copy.ctas >> other->rank & 1) && !other->mbarrier(copy.barrier)) {
      warp.fail(op, Mask(1) << lane,
                "there is no mbarrier at " + std::to_string(copy.barrier));
      return false;
    }
  return true;
}

static Step loadTileStep(Warp &warp, const Op &op, Mask mask) {
  for (Mask rest = mask; rest; rest &= rest - 1) {
    unsigned i = std::countr_zero(rest);
    Tile tile;
    BulkCopy copy;
    if (!readTile(warp, op, i, tile))
      return Step::failed;
    copy.data.assign(uint64_t(tile.rowBytes) * tile.rows, 0);
    if (!aim(warp, op, i, copy) ||
        !moveRows(warp, op, i, tile, copy.data.data(), false))
      return Step::failed;
    if (copy.address % 128)
      return warp.fail(op, Mask(1) << i,
                       "a tile must begin at a multiple of 128 bytes");
    for (uint32_t at = 0; at < copy.bytes; at += 16)
      copy.offsets.push_back(tile.swizzled(copy.address + at));
    warp.cta.copies.push_back(std::move(copy));
  }
  return Step::next;
}

static Step storeTileStep(Warp &warp, const Op &op, Mask mask) {
  for (Mask rest = mask; rest; rest &= rest - 1) {
    unsigned i = std::countr_zero(rest);
    Tile tile;
    if (!readTile(warp, op, i, tile))
      return Step::failed;
    std::vector<uint8_t> data(uint64_t(tile.rowBytes) * tile.rows);
    uint32_t from = uint32_t(valueOf(warp, op, sharedPart, i));
    if (!warp.machine.shared(warp.cta, from, data.size()) || from % 128)
      return failAccess(warp, op, Space::cluster, from, data.size(), i);
    const uint8_t *shared = warp.cta.shared.data() - window::first;
    for (uint32_t at = 0; at < data.size(); at += 16)
      std::memcpy(data.data() + at, shared + tile.swizzled(from + at), 16);
    if (!moveRows(warp, op, i, tile, data.data(), true))
      return Step::failed;
  }
  ++warp.machine.events;
  return Step::next;
}

/// Runs of bytes; op.kind: 0 from global, 1 to global, 2 between CTAs.
static Step runStep(Warp &warp, const Op &op, Mask mask) {
  for (Mask rest = mask; rest; rest &= rest - 1) {
    unsigned i = std::countr_zero(rest);
    uint32_t size = uint32_t(valueOf(warp, op, sizePart, i));
    uint64_t other = valueOf(warp, op, otherPart, i);
    Space space = op.kind == 2 ? Space::shared : Space::global;
    uint8_t *place = bytesAt(warp, op, space, other, size, i);
    if (!place || other % 16 || size % 16)
      return failAccess(warp, op, space, other, size, i);
    if (op.kind == 1) {
      uint64_t from = valueOf(warp, op, sharedPart, i);
      uint8_t *bytes = warp.machine.shared(warp.cta, from, size);
      if (!bytes || from % 16)
        return failAccess(warp, op, Space::cluster, from, size, i);
      std::memcpy(place, bytes, size);
      ++warp.machine.events;
      continue;
    }
    BulkCopy copy;
    copy.data.assign(place, place + size);
    if (!aim(warp, op, i, copy))
      return Step::failed;
    warp.cta.copies.push_back(std::move(copy));
  }
  return Step::next;
}

static Step noStep(Warp &, const Op &, Mask) { return Step::next; }

static Place addressPlace(Decoder &decoder, const Operand &operand) {
  Op op;
  decoder.address(operand, op);
  return {op.a, op.aBytes, op.value};
}

static void putParts(Decoder &decoder, Op &op,
                     const std::vector<Place> &parts) {
  std::vector<Ref> refs;
  for (const Place &part : parts)
    refs.insert(refs.end(), {part.ref, Ref(part.bytes), Ref(part.added)});
  uint16_t rank = op.count;
  decoder.setList(op, refs);
  op.count = rank;
}

/// Coordinates of "[map, {x, y}]".
static void takeCoordinates(Decoder &decoder, Op &op, const Operand &tensor,
                            std::vector<Place> &parts) {
  if (tensor.parts.size() != 2 || tensor.parts[1].parts.size() != op.count) {
    decoder.fail("a tile needs " + std::to_string(op.count) + " coordinates");
    return;
  }
  for (const Operand &part : tensor.parts[1].parts)
    parts.push_back({decoder.source(part, 4), 4, 0});
}

/// What follows the places: a mask of CTAs, a policy.
static size_t takeMask(Decoder &decoder, size_t next, bool isMulticast,
                       std::vector<Place> &parts) {
  if (isMulticast)
    parts[maskPart] = {decoder.source(next++, 2), 2, 0};
  return next + decoder.take("L2::cache_hint");
}

static void tensor(Decoder &decoder, Op &op) {
  std::string_view rank;
  for (const char *name : {"1d", "2d", "3d", "4d", "5d"})
    if (decoder.take(name))
      rank = name;
  op.count = rank.empty() ? 0 : rank[0] - '0';
  bool toCluster = decoder.take("shared::cluster");
  bool hasCta = decoder.take("shared::cta");
  bool isGlobal = decoder.take("global");
  decoder.take("tile"); // what else there is is not known here
  bool loads = decoder.take("mbarrier::complete_tx::bytes");
  bool stores = decoder.take("bulk_group");
  bool isMulticast = decoder.take("multicast::cluster");
  std::vector<Place> parts(firstCoord);
  size_t used = 2;
  if (loads && (toCluster || hasCta)) {
    const Operand &map = decoder.operand(1);
    parts[sharedPart] = addressPlace(decoder, decoder.operand(0));
    parts[otherPart] = addressPlace(decoder, map);
    takeCoordinates(decoder, op, map, parts);
    parts[barrierPart] = addressPlace(decoder, decoder.operand(2));
    used = takeMask(decoder, 3, isMulticast, parts);
    op.run = loadTileStep;
  } else if (stores && hasCta) {
    const Operand &map = decoder.operand(0);
    parts[otherPart] = addressPlace(decoder, map);
    takeCoordinates(decoder, op, map, parts);
    parts[sharedPart] = addressPlace(decoder, decoder.operand(1));
    used = takeMask(decoder, 2, false, parts);
    op.run = storeTileStep;
    op.role = Role::globalWrite;
  }
  if (!isGlobal || op.count == 0)
    op.run = nullptr;
  decoder.needOperands(used, used);
  putParts(decoder, op, parts);
}

static void runOfBytes(Decoder &decoder, Op &op) {
  bool toCluster = decoder.take("shared::cluster");
  bool hasCta = decoder.take("shared::cta");
  bool isGlobal = decoder.take("global");
  bool counts = decoder.take("mbarrier::complete_tx::bytes");
  bool isGroup = decoder.take("bulk_group");
  bool isMulticast = decoder.take("multicast::cluster");
  std::vector<Place> parts(firstCoord);
  bool stores = isGroup && hasCta && isGlobal;
  op.kind = stores ? 1 : isGlobal ? 0 : 2;
  op.role = stores ? Role::globalWrite : Role::none;
  parts[stores ? otherPart : sharedPart] =
      addressPlace(decoder, decoder.operand(0));
  parts[stores ? sharedPart : otherPart] =
      addressPlace(decoder, decoder.operand(1));
  parts[sizePart] = {decoder.source(2, 4), 4, 0};
  size_t used = 3;
  if (!stores) {
    parts[barrierPart] = addressPlace(decoder, decoder.operand(3));
    used = takeMask(decoder, 4, isMulticast, parts);
  } else
    used += decoder.take("L2::cache_hint");
  if (stores || (counts && (toCluster || hasCta)))
    op.run = runStep;
  decoder.needOperands(used, used);
  putParts(decoder, op, parts);
}

void tenon::emulate::decodeBulk(Decoder &decoder, Op &op) {
  if (decoder.take("commit_group") || decoder.take("wait_group")) {
    decoder.take("read");
    decoder.needOperands(0, 1);
    op.run = noStep;
    return;
  }
  if (decoder.take("prefetch")) {
    for (const char *word : {"tensor", "L2", "global", "tile", "1d", "2d", "3d",
                             "4d", "5d", "L2::cache_hint"})
      decoder.take(word);
    op.run = noStep;
    return;
  }
  if (decoder.take("tensor"))
    tensor(decoder, op);
  else
    runOfBytes(decoder, op);
}
