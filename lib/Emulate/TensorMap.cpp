//===- TensorMap.cpp - what copies of tiles are told about a tensor -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file encodes tensor maps, with the driver's rules.
//===----------------------------------------------------------------------===//
#include "lib/Emulate/TensorMap.h"

#include <cstring>

using namespace tenon;
using namespace tenon::emulate;

static constexpr uint64_t mark = 0x70616d6e6f6e6574;

unsigned tenon::emulate::bytesOfMapType(uint32_t type) {
  static constexpr uint8_t bytes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};
  return type < sizeof(bytes) ? bytes[type] : 0;
}

static std::string dimension(uint32_t d, const char *what) {
  return std::string(what) + " of dimension " + std::to_string(d);
}

/// What a driver would refuse, as text.
static std::string wrongWith(const TensorMapInfo &info) {
  unsigned bytes = bytesOfMapType(info.type);
  if (bytes == 0)
    return "its type is unknown";
  if (info.rank < 1 || info.rank > 5)
    return "it has " + std::to_string(info.rank) + " dimensions";
  if (info.address % 16)
    return "its address is no multiple of 16";
  if (info.swizzle > 3)
    return "its swizzle is unknown";
  for (uint32_t d = 0; d < info.rank; ++d) {
    if (info.dims[d] < 1 || info.dims[d] > uint64_t(1) << 32)
      return dimension(d, "the size") + " is out of range";
    if (info.box[d] < 1 || info.box[d] > 256)
      return dimension(d, "the box") + " is not from 1 to 256";
    if (info.elementStrides[d] < 1 || info.elementStrides[d] > 8)
      return dimension(d, "the element stride") + " is not from 1 to 8";
    if (d > 0 &&
        (info.strides[d - 1] % 16 || info.strides[d - 1] >= uint64_t(1) << 40))
      return dimension(d, "the stride") + " is no multiple of 16, or too large";
  }
  unsigned inner = info.box[0] * bytes;
  if (inner % 16)
    return "a row of the box has " + std::to_string(inner) +
           " bytes, which is no multiple of 16";
  if (info.swizzle && inner > 16u << info.swizzle)
    return "a row of the box has " + std::to_string(inner) +
           " bytes, more than the swizzle";
  return {};
}

Result<TensorMap> tenon::emulate::encode(const TensorMapInfo &info) {
  if (std::string wrong = wrongWith(info); !wrong.empty())
    return Error{"the tensor map is wrong: " + wrong};
  TensorMap map = {};
  uint8_t *to = map.data();
  auto put = [&](const auto &value) {
    std::memcpy(to, &value, sizeof(value));
    to += sizeof(value);
  };
  put(mark);
  put(info.address);
  for (uint64_t dim : info.dims)
    put(uint32_t(dim - 1));
  for (uint64_t stride : info.strides)
    put(stride);
  for (unsigned d = 0; d < 5; ++d) {
    put(uint16_t(info.box[d]));
    put(uint8_t(info.elementStrides[d]));
  }
  put(uint8_t(info.type));
  put(uint8_t(info.rank));
  put(uint8_t(info.swizzle));
  return map;
}

Result<TensorMapInfo> tenon::emulate::decode(const TensorMap &map) {
  TensorMapInfo info;
  const uint8_t *from = map.data();
  auto get = [&](auto value) {
    std::memcpy(&value, from, sizeof(value));
    from += sizeof(value);
    return value;
  };
  if (get(mark) != mark)
    return Error{"these are no bytes of a tensor map"};
  info.address = get(uint64_t());
  for (uint64_t &dim : info.dims)
    dim = uint64_t(get(uint32_t())) + 1;
  for (uint64_t &stride : info.strides)
    stride = get(uint64_t());
  for (unsigned d = 0; d < 5; ++d) {
    info.box[d] = get(uint16_t());
    info.elementStrides[d] = get(uint8_t());
  }
  info.type = get(uint8_t());
  info.rank = get(uint8_t());
  info.swizzle = get(uint8_t());
  for (uint32_t d = info.rank; d < 5; ++d)
    info.dims[d] = 0;
  return info;
}
