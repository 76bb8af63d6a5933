//===- Turns.cpp - CTAs that run side by side -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file makes CTAs, lets their warps take turns, and finds out when none
// of them can go on.
//===----------------------------------------------------------------------===//
#include "lib/Emulate/Decoder.h"
#include "lib/Emulate/Machine.h"

#include <algorithm>
#include <cstdio>

using namespace tenon::emulate;

/// Operations that a warp does before others have their turn.
static constexpr uint32_t sliceOperations = 4000;
/// A slice of this many operations is work, not a loop that polls.
static constexpr uint64_t workOperations = 200;
/// Rounds in which all warps only poll before that is a deadlock.
static constexpr unsigned idleRounds = 1000;

static uint64_t volume(const Extent &extent) {
  return uint64_t(extent[0]) * extent[1] * extent[2];
}

void Machine::makeCtas(uint64_t count) {
  uint64_t size = volume(launch.cluster);
  clusters.resize(count / size);
  for (uint64_t i = 0; i < count; ++i) {
    auto cta = std::make_unique<Cta>();
    cta->threads = volume(launch.block);
    cta->shared.resize(sharedBytes);
    uint32_t warps = (cta->threads + lanes - 1) / lanes;
    uint64_t stride = alignUp(function.localBytes, 16);
    cta->local.assign(stride * warps * lanes, 0xFF);
    cta->cluster = &clusters[i / size];
    cta->cluster->ctas.push_back(cta.get());
    files.emplace_back(size_t(alignUp(function.registerBytes, 64)) * warps + 64,
                       0xFF);
    ctas.push_back(std::move(cta));
  }
}

/// CTAs are numbered cluster by cluster, along x first.
static Extent placeOf(const Launch &launch, uint64_t number) {
  const Extent &c = launch.cluster, &g = launch.grid;
  uint64_t cluster = number / volume(c), rank = number % volume(c);
  uint64_t across = g[0] / c[0], down = g[1] / c[1];
  return {uint32_t(cluster % across * c[0] + rank % c[0]),
          uint32_t(cluster / across % down * c[1] + rank / c[0] % c[1]),
          uint32_t(cluster / across / down * c[2] + rank / c[0] / c[1])};
}

/// Makes a new CTA of an old one.
void Machine::reset(uint64_t which, uint64_t number) {
  Cta &cta = *ctas[which];
  cta.index = placeOf(launch, number);
  cta.rank = number % volume(launch.cluster);
  cta.liveThreads = cta.threads;
  std::fill(cta.shared.begin(), cta.shared.end(), 0xFF);
  cta.mbarriers.clear();
  cta.barriers = {};
  cta.copies.clear();
  cta.cluster->arrived = cta.cluster->phase = 0;
  cta.warps.clear();
  uint8_t *file = files[which].data();
  file += -reinterpret_cast<uintptr_t>(file) & 63;
  uint64_t stride = alignUp(function.localBytes, 16);
  for (uint32_t i = 0; i * lanes < cta.threads; ++i) {
    auto warp = std::make_unique<Warp>(*this, cta, i);
    warp->registers = file + i * alignUp(function.registerBytes, 64);
    warp->local = cta.local.data() + stride * lanes * i;
    warp->localStride = stride;
    warp->setSpecials();
    cta.warps.push_back(std::move(warp));
  }
}

bool Machine::run(uint64_t first, uint64_t last) {
  uint64_t size = launch.cooperative ? last - first : volume(launch.cluster);
  makeCtas(size);
  for (uint64_t number = first; number < last; number += size) {
    for (uint64_t i = 0; i < size; ++i)
      reset(i, number + i);
    if (!runTogether())
      return false;
  }
  return true;
}

/// One slice of every warp; false after an error.
bool Machine::takeTurns(std::vector<Warp *> &live) {
  bool isOver = false;
  for (Warp *warp : live) {
    if (warp->slice(sliceOperations) == Step::failed)
      return false;
    isOver |= warp->alive == 0;
  }
  if (isOver)
    std::erase_if(live, [](Warp *warp) { return warp->alive == 0; });
  return true;
}

void Machine::finishAllCopies() {
  for (const std::unique_ptr<Cta> &cta : ctas)
    if (!cta->copies.empty())
      finishCopies(*cta, nullptr);
}

bool Machine::runTogether() {
  std::vector<Warp *> live;
  for (const std::unique_ptr<Cta> &cta : ctas)
    for (const std::unique_ptr<Warp> &warp : cta->warps)
      live.push_back(warp.get());
  unsigned idle = 0;
  while (!live.empty()) {
    uint64_t eventsBefore = events, workBefore = work.instructions;
    size_t warps = live.size();
    if (!takeTurns(live))
      return false;
    if (launch.mostInstructions &&
        work.instructions > launch.mostInstructions) {
      error = "kernel '" + kernel.name + "' has done " +
              std::to_string(work.instructions) +
              " instructions: " + deadlock(live);
      return false;
    }
    bool isIdle = events == eventsBefore &&
                  work.instructions - workBefore < workOperations * warps;
    idle = isIdle ? idle + 1 : 0;
    bool allWait = std::none_of(live.begin(), live.end(), [](Warp *warp) {
      return warp->stopped == nullptr;
    });
    if (idle == 1)
      finishAllCopies();
    if (idle > idleRounds && allWait) {
      error = "kernel '" + kernel.name + "', deadlock: " + deadlock(live);
      return false;
    }
  }
  finishAllCopies();
  return true;
}

std::string Machine::waitOf(const Warp &warp) {
  Cta &cta = warp.cta;
  const WaitNote &note = warp.note;
  if (note.kind == WaitNote::barrier) {
    const NamedBarrier &barrier = cta.barriers[note.place];
    uint32_t all = barrier.expected ? barrier.expected : cta.liveThreads;
    return "barrier " + std::to_string(note.place) + " has " +
           std::to_string(barrier.arrived) + " of " + std::to_string(all) +
           " threads";
  }
  if (note.kind == WaitNote::cluster)
    return std::to_string(cta.cluster->arrived) +
           " warps have arrived at the cluster's barrier";
  if (note.kind == WaitNote::memory)
    return "it polls memory";
  const MBarrier *barrier =
      note.kind == WaitNote::mbarrier ? cta.mbarrier(note.place) : nullptr;
  if (!barrier)
    return "it has not stopped";
  return "the mbarrier at " + std::to_string(note.place) + " is in phase " +
         std::to_string(barrier->phase) + ", which lacks " +
         std::to_string(barrier->pending) + " of " +
         std::to_string(barrier->expected) + " arrivals and " +
         std::to_string(barrier->bytes) + " bytes";
}

/// Who waits for what; of many warps the first ones.
std::string Machine::deadlock(const std::vector<Warp *> &live) {
  std::string text;
  size_t count = 0;
  for (const Warp *warp : live) {
    if (++count > 12) {
      text += "\n  and " + std::to_string(live.size() - 12) + " warps more";
      break;
    }
    const Op &op =
        program
            .code[warp->groups.empty() ? function.begin : warp->groups[0].pc];
    const Op &at = warp->stopped ? *warp->stopped : op;
    const Extent &cta = warp->cta.index;
    text += "\n  CTA (" + std::to_string(cta[0]) + ", " +
            std::to_string(cta[1]) + ", " + std::to_string(cta[2]) +
            "), warp " + std::to_string(warp->index) + ", line " +
            std::to_string(at.line) + " '" +
            std::string(program.line(at.line)) + "': " + waitOf(*warp);
  }
  return text;
}
