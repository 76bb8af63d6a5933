//===- Address.cpp - from addresses to bytes ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file knows the spaces and the windows of generic addresses.
//===----------------------------------------------------------------------===//
#include "lib/Emulate/Address.h"
#include "lib/Emulate/Decoder.h"

#include <bit>
#include <cstdio>

using namespace tenon::emulate;

/// Which space a generic address is in; it becomes an address there.
static Space resolve(uint64_t &address) {
  if (address >= window::end)
    return Space::global;
  uint64_t base = address & ~uint64_t(0xFFFFFFFF);
  address -= base;
  switch (base) {
  case window::shared:
    return Space::cluster;
  case window::local:
    return Space::local;
  case window::param:
    return Space::param;
  case window::constant:
    return Space::constant;
  default:
    return Space::generic; // a null pointer, or nearly
  }
}

static uint8_t *within(const uint8_t *begin, uint64_t size, uint64_t address,
                       uint32_t bytes) {
  uint64_t offset = address - window::first;
  return offset <= size && bytes <= size - offset
             ? const_cast<uint8_t *>(begin) + offset
             : nullptr;
}

uint8_t *tenon::emulate::bytesAt(Warp &warp, const Op &op, Space space,
                                 uint64_t address, uint32_t bytes,
                                 unsigned lane) {
  if (space == Space::generic)
    space = resolve(address);
  Machine &machine = warp.machine;
  switch (space) {
  case Space::global:
    return machine.global(address, bytes, machine.pcOf(op));
  case Space::shared:
  case Space::cluster:
    return machine.shared(warp.cta, address, bytes);
  case Space::local:
    return within(warp.localOf(lane), machine.function.localBytes, address,
                  bytes);
  case Space::param:
    return within(machine.parameters.data(), machine.parameters.size(), address,
                  bytes);
  case Space::constant:
    return within(machine.program.bank.data(), machine.program.bank.size(),
                  address, bytes);
  default:
    return nullptr;
  }
}

static std::string hex(uint64_t address) {
  char text[32];
  std::snprintf(text, sizeof(text), "0x%llx", (unsigned long long)address);
  return text;
}

Step tenon::emulate::failAccess(Warp &warp, const Op &op, Space space,
                                uint64_t address, uint32_t bytes,
                                unsigned lane) {
  static const char *const names[] = {"generic",          "global", "shared",
                                      "shared (cluster)", "local",  "parameter",
                                      "constant"};
  std::string what = std::to_string(bytes) + " bytes at " + hex(address);
  if (space == Space::generic)
    space = resolve(address);
  what += std::string(" of ") + names[unsigned(space)] + " memory: ";
  uint8_t *found = bytesAt(warp, op, space, address, bytes, lane);
  if (found)
    what += "misaligned";
  else if (space == Space::global)
    what += "out of bounds, " + warp.machine.memory.describe(address);
  else if (space == Space::shared || space == Space::cluster) {
    int64_t offset =
        int64_t(address & ((1u << window::rankShift) - 1)) - window::first;
    what +=
        "out of bounds, byte " + std::to_string(offset) + " of " +
        std::to_string(warp.cta.shared.size()) +
        (address >> window::rankShift
             ? " of CTA " + std::to_string((address >> window::rankShift) - 1) +
                   " of the cluster, if that has not ended"
             : "");
  } else
    what += "out of bounds";
  return warp.fail(op, Mask(1) << lane, what);
}

Space tenon::emulate::takeAddressSpace(Decoder &decoder) {
  static constexpr Space spaces[] = {
      Space::global,  Space::shared, Space::shared,
      Space::cluster, Space::local,  Space::constant,
      Space::param,   Space::param,  Space::param};
  int which = decoder.takeOneOf({"global", "shared", "shared::cta",
                                 "shared::cluster", "local", "const", "param",
                                 "param::entry", "param::func"});
  return which < 0 ? Space::generic : spaces[which];
}
