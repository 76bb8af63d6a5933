//===- Machine.cpp - memory and copies of a launch
//----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is what warps ask of a launch: memory, and copies that arrive.
//===----------------------------------------------------------------------===//
#include "lib/Emulate/Machine.h"

#include <algorithm>
#include <cstring>

using namespace tenon::emulate;

static const Allocation nothing;

Machine::Machine(const Kernel &kernel, const Launch &launch,
                 std::span<const uint8_t> given, Memory &memory)
    : program(*kernel.program), kernel(kernel),
      function(program.function(kernel)), launch(launch), memory(memory),
      parameters(given.begin(), given.end()),
      hints(program.code.size(), &nothing) {
  sharedBytes = program.dynamicShared - window::first + launch.dynamicShared;
}

uint8_t *Machine::findGlobal(uint64_t address, uint32_t bytes, uint32_t op) {
  const Allocation *found = memory.find(address, bytes);
  if (!found)
    return nullptr;
  hints[op] = found;
  return found->bytes + (address - found->address);
}

Cta *Machine::ctaOf(Cta &from, uint64_t address) {
  uint64_t rank = address >> window::rankShift;
  if (rank == 0)
    return &from;
  if (rank > from.cluster->ctas.size())
    return nullptr;
  return from.cluster->ctas[rank - 1];
}

uint8_t *Machine::shared(Cta &from, uint64_t address, uint32_t bytes) {
  Cta *cta = ctaOf(from, address);
  uint64_t offset = (address & ((1u << window::rankShift) - 1)) - window::first;
  if (!cta || offset > cta->shared.size() ||
      bytes > cta->shared.size() - offset)
    return nullptr;
  // Shared memory of a CTA that has ended belongs to nobody.
  if (cta != &from && cta->liveThreads == 0)
    return nullptr;
  return cta->shared.data() + offset;
}

MBarrier *Cta::mbarrier(uint32_t address) {
  auto found = mbarriers.find(address & ((1u << window::rankShift) - 1));
  return found == mbarriers.end() ? nullptr : &found->second;
}

void tenon::emulate::settle(Machine &machine, MBarrier &barrier) {
  ++machine.events;
  if (barrier.pending != 0 || barrier.bytes != 0)
    return;
  ++barrier.phase;
  barrier.pending = barrier.expected;
}

/// Does the copies that `owner` has started: all, or those that a barrier of
/// one of its cluster's CTAs counts.
void Machine::finishCopies(Cta &owner, const MBarrier *wanted) {
  std::vector<BulkCopy> left;
  for (BulkCopy &copy : owner.copies) {
    bool isWanted = wanted == nullptr;
    for (Cta *cta : owner.cluster->ctas)
      isWanted |= (copy.ctas >> cta->rank & 1) != 0 &&
                  cta->mbarrier(copy.barrier) == wanted;
    if (!isWanted) {
      left.push_back(std::move(copy));
      continue;
    }
    for (Cta *cta : owner.cluster->ctas) {
      if (!(copy.ctas >> cta->rank & 1))
        continue;
      uint8_t *to = cta->shared.data() - window::first;
      if (copy.offsets.empty())
        std::memcpy(to + copy.address, copy.data.data(), copy.data.size());
      for (size_t i = 0; i < copy.offsets.size(); ++i)
        std::memcpy(to + copy.offsets[i], copy.data.data() + 16 * i, 16);
      if (MBarrier *barrier = cta->mbarrier(copy.barrier)) {
        barrier->bytes -= copy.bytes;
        settle(*this, *barrier);
      }
    }
  }
  owner.copies = std::move(left);
}
