//===- Address.h - from addresses to bytes ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file finds the host's bytes of an address, and says what is wrong with
// an address that has none.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_EMULATE_ADDRESS_H
#define TENON_LIB_EMULATE_ADDRESS_H

#include "lib/Emulate/Machine.h"

namespace tenon::emulate {

/// The bytes of a lane's address in a space; null if it does not have them.
uint8_t *bytesAt(Warp &warp, const Op &op, Space space, uint64_t address,
                 uint32_t bytes, unsigned lane);

/// The same for spaces that are common, inlined.
template <Space space>
inline uint8_t *bytesIn(Warp &warp, const Op &op, uint64_t address,
                        uint32_t bytes, unsigned lane) {
  if constexpr (space == Space::global)
    return warp.machine.global(address, bytes, warp.machine.pcOf(op));
  if constexpr (space == Space::shared) {
    std::vector<uint8_t> &shared = warp.cta.shared;
    uint64_t offset = address - window::first;
    return offset < shared.size() && offset + bytes <= shared.size()
               ? shared.data() + offset
               : nullptr;
  }
  return bytesAt(warp, op, space, address, bytes, lane);
}

/// An operation's address in a lane.
inline uint64_t addressOf(const Warp &warp, const Op &op, unsigned lane) {
  if (op.aBytes == 8)
    return warp.from<uint64_t>(op.a)[lane] + op.value;
  return uint32_t(warp.from<uint32_t>(op.a)[lane] + op.value);
}

/// Reports an address without bytes, or one that is no multiple of `bytes`.
Step failAccess(Warp &warp, const Op &op, Space space, uint64_t address,
                uint32_t bytes, unsigned lane);

/// Takes ".global", ".shared::cluster" and so on.
Space takeAddressSpace(class Decoder &decoder);

} // namespace tenon::emulate

#endif // TENON_LIB_EMULATE_ADDRESS_H
