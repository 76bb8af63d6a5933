//===- Wire.h - protobuf's wire format --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file reads protobuf's wire format by hand, so that tenon-run needs no
// protobuf.
//===----------------------------------------------------------------------===//
#ifndef TENON_RUN_WIRE_H
#define TENON_RUN_WIRE_H

#include <cstdint>
#include <string_view>

namespace tenon::run {

enum WireType : uint32_t { Varint = 0, Fixed64 = 1, Bytes = 2, Fixed32 = 5 };

/// Reads wire-format values off the front of a range of bytes. After an error
/// `failed` is set and all values are zero.
struct WireReader {
  std::string_view bytes;
  bool failed = false;

  /// Whether there is another field.
  bool more() const { return !bytes.empty() && !failed; }

  uint64_t varint() {
    uint64_t value = 0;
    for (int shift = 0; shift < 64 && !bytes.empty(); shift += 7) {
      uint8_t byte = bytes.front();
      bytes.remove_prefix(1);
      value |= uint64_t(byte & 127) << shift;
      if (byte < 128)
        return value;
    }
    failed = true;
    return 0;
  }

  std::string_view take(uint64_t size) {
    if (size > bytes.size()) {
      failed = true;
      size = 0;
      bytes = {};
    }
    std::string_view taken = bytes.substr(0, size);
    bytes.remove_prefix(size);
    return taken;
  }

  void skip(uint32_t wire) {
    if (wire == Varint)
      varint();
    else if (wire == Bytes)
      take(varint());
    else if (wire == Fixed64 || wire == Fixed32)
      take(wire == Fixed64 ? 8 : 4);
    else
      failed = true;
  }
};

} // namespace tenon::run

#endif // TENON_RUN_WIRE_H
