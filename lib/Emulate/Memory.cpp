//===- Memory.cpp - what kernels see as global memory ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file keeps allocations by address.
//===----------------------------------------------------------------------===//
#include "lib/Emulate/Memory.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace tenon;
using namespace tenon::emulate;

struct Memory::Owned {
  Allocation seen;
  ~Owned() { std::free(seen.bytes); }
};

Memory::Memory() = default;
Memory::~Memory() = default;

static std::string hex(uint64_t address) {
  char text[32];
  std::snprintf(text, sizeof(text), "0x%llx", (unsigned long long)address);
  return text;
}

Result<uint64_t> Memory::allocate(uint64_t bytes) {
  auto owned = std::make_unique<Owned>();
  owned->seen.address = next;
  owned->seen.size = bytes;
  if (bytes < uint64_t(1) << 48)
    owned->seen.bytes = static_cast<uint8_t *>(std::malloc(bytes + 64));
  if (!owned->seen.bytes)
    return Error{"out of memory: " + std::to_string(bytes) + " bytes"};
  std::memset(owned->seen.bytes, 0xFF, bytes);
  uint64_t end = next + bytes + redZone;
  next = (end + alignment - 1) / alignment * alignment;
  bytesUsed += bytes;
  uint64_t address = owned->seen.address;
  allocations.emplace(address, std::move(owned));
  return address;
}

Status Memory::free(uint64_t address) {
  auto found = allocations.find(address);
  if (found == allocations.end())
    return Error{"freed " + hex(address) + ", " + describe(address)};
  bytesUsed -= found->second->seen.size;
  allocations.erase(found);
  return Done();
}

const Allocation *Memory::find(uint64_t address, uint64_t bytes) const {
  auto after = allocations.upper_bound(address);
  if (after == allocations.begin())
    return nullptr;
  const Allocation &found = std::prev(after)->second->seen;
  uint64_t offset = address - found.address;
  if (offset > found.size || bytes > found.size - offset)
    return nullptr;
  return &found;
}

static std::string named(const Allocation &allocation) {
  return "the allocation of " + std::to_string(allocation.size) + " bytes at " +
         hex(allocation.address);
}

std::string Memory::describe(uint64_t address) const {
  if (allocations.empty())
    return "where nothing is allocated";
  auto after = allocations.upper_bound(address);
  const Allocation *above =
      after == allocations.end() ? nullptr : &after->second->seen;
  if (after == allocations.begin())
    return std::to_string(above->address - address) + " bytes in front of " +
           named(*above);
  const Allocation &below = std::prev(after)->second->seen;
  uint64_t offset = address - below.address;
  if (offset < below.size)
    return "byte " + std::to_string(offset) + " of " + named(below);
  uint64_t behind = offset - below.size;
  if (above && above->address - address < behind)
    return std::to_string(above->address - address) + " bytes in front of " +
           named(*above);
  return std::to_string(behind) + " bytes behind " + named(below);
}

static Error outside(const Memory &memory, const char *what, uint64_t address,
                     uint64_t bytes) {
  return {std::string("the host ") + what + " " + std::to_string(bytes) +
          " bytes at " + hex(address) + ", " + memory.describe(address)};
}

Status Memory::write(uint64_t address, const void *source, uint64_t bytes) {
  const Allocation *to = find(address, bytes);
  if (!to && bytes != 0)
    return outside(*this, "writes", address, bytes);
  if (bytes != 0)
    std::memcpy(to->bytes + (address - to->address), source, bytes);
  return Done();
}

Status Memory::read(uint64_t address, void *destination, uint64_t bytes) const {
  const Allocation *from = find(address, bytes);
  if (!from && bytes != 0)
    return outside(*this, "reads", address, bytes);
  if (bytes != 0)
    std::memcpy(destination, from->bytes + (address - from->address), bytes);
  return Done();
}

Status Memory::copy(uint64_t destination, uint64_t source, uint64_t bytes) {
  const Allocation *from = find(source, bytes);
  const Allocation *to = find(destination, bytes);
  if (bytes == 0)
    return Done();
  if (!from)
    return outside(*this, "reads", source, bytes);
  if (!to)
    return outside(*this, "writes", destination, bytes);
  std::memmove(to->bytes + (destination - to->address),
               from->bytes + (source - from->address), bytes);
  return Done();
}

Status Memory::fill(uint64_t address, uint32_t value, unsigned width,
                    uint64_t count) {
  const Allocation *to = find(address, count * width);
  if (count == 0)
    return Done();
  if (width != 1 && width != 2 && width != 4)
    return Error{"the host fills with values of " + std::to_string(width) +
                 " bytes"};
  if (!to)
    return outside(*this, "fills", address, count * width);
  uint8_t *place = to->bytes + (address - to->address);
  if (width == 1) {
    std::memset(place, int(value & 0xFF), count);
    return Done();
  }
  for (uint64_t i = 0; i < count; ++i)
    std::memcpy(place + i * width, &value, width);
  return Done();
}
