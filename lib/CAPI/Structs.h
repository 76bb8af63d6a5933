//===- Structs.h - versioned structs of the C API ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file copies structs whose first field is the `struct_size` that their
// caller was compiled with: one that is shorter lacks the newest fields.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_CAPI_STRUCTS_H
#define TENON_LIB_CAPI_STRUCTS_H

#include <algorithm>
#include <cstring>

namespace tenon::capi {

/// Whether a caller's struct says how large it is (TENON_INIT).
template <typename Struct> bool hasSize(const Struct &given) {
  return given.struct_size >= sizeof(given.struct_size);
}

/// The caller's struct, absent fields as zero; NULL gives zeroes.
template <typename Struct> Struct readStruct(const Struct *from) {
  Struct result{};
  if (from)
    std::memcpy(&result, from, std::min(sizeof(Struct), from->struct_size));
  return result;
}

/// No more bytes than the caller's struct has, which keeps its size.
template <typename Struct> void fillStruct(Struct &to, const Struct &from) {
  size_t size = to.struct_size;
  std::memcpy(&to, &from, std::min(sizeof(Struct), size));
  to.struct_size = size;
}

} // namespace tenon::capi

#endif // TENON_LIB_CAPI_STRUCTS_H
