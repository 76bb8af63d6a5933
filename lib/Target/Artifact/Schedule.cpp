//===- Schedule.cpp - launches that share waves ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file checks and encodes what section SCHEDULE holds.
//===----------------------------------------------------------------------===//
#include "lib/Target/Artifact/Encode.h"
#include "tenon/reach.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace tenon::artifact;

using Wave = std::pair<uint32_t, uint32_t>;

std::vector<Wave> VariantDesc::waves() const {
  std::vector<Wave> waves;
  for (uint32_t first = 0, end; first < launches.size(); first = end) {
    const LaunchDesc &launch = launches[first];
    for (end = first + 1; end < launches.size(); ++end)
      if (!launch.wave || launches[end].wave != launch.wave ||
          launches[end].entry != launch.entry)
        break;
    if (end - first > 1)
      waves.push_back({first, end - first});
  }
  return waves;
}

static bool hasPieces(const VariantDesc &variant) {
  return llvm::any_of(variant.launches, [](const LaunchDesc &launch) {
    return llvm::any_of(launch.refs, [](const BufferRef &ref) {
      return ref.piece.has_value();
    });
  });
}

bool tenon::artifact::hasSchedule(const ArtifactDesc &desc) {
  return llvm::any_of(desc.variants, [](const VariantDesc &variant) {
    return hasPieces(variant) || !variant.waves().empty();
  });
}

//===----------------------------------------------------------------------===//
// Checking
//===----------------------------------------------------------------------===//

/// Where a reference reaches; nothing where the shapes decide.
static std::optional<tenon_reach> reachOf(const BufferRef &ref, bool isWrite) {
  if (ref.offset < 0 || ref.size < 0 || ref.size > INT64_MAX - ref.offset)
    return std::nullopt;
  if (isWrite && ref.piece)
    return tenon_reach{ref.offset + ref.piece->begin,
                       ref.offset + ref.piece->end, ref.piece->run,
                       ref.piece->pitch};
  return tenon_reach{ref.offset, ref.offset + ref.size, ref.size, 0};
}

static bool isGood(const PieceDesc &piece, const BufferRef &ref) {
  tenon_reach reach = {piece.begin, piece.end, piece.run, piece.pitch};
  return tenon_is_reach(&reach) && (ref.size < 0 || piece.end <= ref.size);
}

/// Whether two launches can share a byte that one of them writes.
static bool doMeet(const LaunchDesc &a, const LaunchDesc &b) {
  for (auto [i, first] : llvm::enumerate(a.refs))
    for (auto [k, second] : llvm::enumerate(b.refs)) {
      const bool isWritten = i >= a.readCount,
                 isOtherWritten = k >= b.readCount;
      if ((!isWritten && !isOtherWritten) || first.space != second.space ||
          first.index != second.index)
        continue;
      auto reach = reachOf(first, isWritten);
      auto other = reachOf(second, isOtherWritten);
      if (reach && other && tenon_reaches_meet(&*reach, &*other))
        return true;
    }
  return false;
}

static llvm::Error checkWave(const VariantDesc &variant, Wave wave) {
  for (uint32_t i = wave.first, end = wave.first + wave.second; i < end; ++i) {
    const LaunchDesc &launch = variant.launches[i];
    if (launch.steps != 1)
      return makeError("launch " + llvm::Twine(i) + " of a wave has steps");
    for (uint32_t k = wave.first; k < i; ++k)
      if (doMeet(variant.launches[k], launch))
        return makeError("launches " + llvm::Twine(k) + " and " +
                         llvm::Twine(i) +
                         " of a wave share bytes that one of them writes");
  }
  return llvm::Error::success();
}

/// That the numbers of waves grow, so that each has its launches in one place.
static llvm::Error checkNumbers(const VariantDesc &variant) {
  const LaunchDesc *last = nullptr;
  for (auto [i, launch] : llvm::enumerate(variant.launches)) {
    if (!launch.wave)
      continue;
    const bool isNeighbour = last + 1 == &launch;
    if (last && last->entry == launch.entry && *last->wave >= *launch.wave &&
        !(isNeighbour && *last->wave == *launch.wave))
      return makeError("launch " + llvm::Twine(i) +
                       " is not beside those of its wave");
    last = &launch;
  }
  return llvm::Error::success();
}

/// A piece is of something that is written.
static llvm::Error checkPieces(const VariantDesc &variant) {
  for (auto [i, launch] : llvm::enumerate(variant.launches))
    for (auto [k, ref] : llvm::enumerate(launch.refs))
      if (ref.piece && (k < launch.readCount || !isGood(*ref.piece, ref)))
        return makeError("launch " + llvm::Twine(i) + " has a bad piece");
  return llvm::Error::success();
}

llvm::Error tenon::artifact::validateSchedule(const VariantDesc &variant) {
  if (llvm::Error error = checkPieces(variant))
    return error;
  if (llvm::Error error = checkNumbers(variant))
    return error;
  const std::vector<Wave> waves = variant.waves();
  if (!waves.empty() && variant.device)
    return makeError("launches of a device are in a wave");
  if (!waves.empty() && variant.plan.guard != Guard::None)
    return makeError("launches of a guarded plan are in a wave");
  for (Wave wave : waves)
    if (llvm::Error error = checkWave(variant, wave))
      return error;
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Encoding
//===----------------------------------------------------------------------===//

static std::string encodeTimes(const VariantDesc &variant,
                               llvm::ArrayRef<Wave> waves) {
  std::string bytes;
  for (auto [first, count] : waves)
    for (uint32_t i : llvm::seq(first, first + count))
      append(bytes, std::max(variant.launches[i].nanoseconds, 1u));
  return bytes;
}

std::string tenon::artifact::encodeSchedule(const VariantDesc &variant) {
  const std::vector<Wave> waves = variant.waves();
  if (waves.empty() && !hasPieces(variant))
    return "";
  tenon_schedule_header header = {static_cast<uint32_t>(waves.size()), 0};
  std::string records, pieces;
  for (auto [first, count] : waves)
    append(records, tenon_wave_record{first, count});
  uint32_t number = 0;
  for (const LaunchDesc &launch : variant.launches)
    for (const BufferRef &ref : launch.refs) {
      if (const auto &piece = ref.piece) {
        append(pieces, tenon_piece_record{number, 0, piece->begin, piece->end,
                                          piece->run, piece->pitch});
        ++header.piece_count;
      }
      ++number;
    }
  std::string bytes;
  append(bytes, header);
  return bytes + records + pieces + encodeTimes(variant, waves);
}
