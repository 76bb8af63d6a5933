//===- Memory.h - what kernels see as global memory -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file has device memory: allocations at addresses of their own, which
// are no addresses of the host, with red zones between them. A red zone has
// no bytes: whatever touches it is refused.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_EMULATE_MEMORY_H
#define TENON_LIB_EMULATE_MEMORY_H

#include "lib/Support/Result.h"

#include <cstdint>
#include <map>
#include <memory>

namespace tenon::emulate {

/// One allocation, [address, address + size).
struct Allocation {
  uint64_t address = 0;
  uint64_t size = 0;
  uint8_t *bytes = nullptr; ///< where the host has its contents
};

/// Not to be changed (allocate, free) while a kernel runs on it.
class Memory {
public:
  static constexpr uint64_t redZone = 4096;
  static constexpr uint64_t alignment = 256;
  static constexpr uint64_t firstAddress = uint64_t(1) << 36;

  Memory();
  ~Memory();
  Memory(const Memory &) = delete;
  Memory &operator=(const Memory &) = delete;

  /// New bytes, all of them 0xFF: as floats they are NaN. An allocation of no
  /// bytes has an address, too.
  Result<uint64_t> allocate(uint64_t bytes);
  /// Refuses what is not the first address of an allocation.
  Status free(uint64_t address);

  // What the host does with it.
  Status write(uint64_t address, const void *source, uint64_t bytes);
  Status read(uint64_t address, void *destination, uint64_t bytes) const;
  Status copy(uint64_t destination, uint64_t source, uint64_t bytes);
  /// Repeats the lowest `width` (1, 2 or 4) bytes of `value` `count` times.
  Status fill(uint64_t address, uint32_t value, unsigned width, uint64_t count);

  /// The allocation that has all of these bytes, or null.
  const Allocation *find(uint64_t address, uint64_t bytes) const;
  /// Where an address lies, for messages: "4 bytes behind the allocation of
  /// 256 bytes at 0x...".
  std::string describe(uint64_t address) const;
  /// Bytes of all allocations.
  uint64_t used() const { return bytesUsed; }

private:
  struct Owned;
  std::map<uint64_t, std::unique_ptr<Owned>> allocations; ///< by address
  uint64_t next = firstAddress;
  uint64_t bytesUsed = 0;
};

} // namespace tenon::emulate

#endif // TENON_LIB_EMULATE_MEMORY_H
