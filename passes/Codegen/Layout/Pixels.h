//===- Pixels.h - maps whose pixels are whole vectors -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares which maps `[N, spatial..., C]` get free space behind each
// pixel's channels, so that no vector of a pixel crosses a cache line and that
// the pixels of a window do not meet in a few sets of the first-level cache:
//
//   42 channels, 16 lanes   | 16 | 16 | 10 . | 16 | 16 | 10 . |    pitch 48
//
// So do the rows of an attention's scores: 197 tokens have a pitch of 208. And
// so do rows between products where they would all lie in one set: of 3072
// columns, with AVX2, whose few multiply-adds do not hide what is lost then.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGEN_LAYOUT_PIXELS_H
#define TENON_PASSES_CODEGEN_LAYOUT_PIXELS_H

#include "lib/Tile/Target.h"
#include "mlir/IR/Value.h"

namespace tenon::codegen {

/// Whether pixels that lie so many bytes apart meet an eighth of the sets of a
/// first-level cache, or less: what the rows of a window share is lost then.
inline bool meetsFewSets(int64_t pitch) { return pitch % 512 == 0; }

/// The elements behind each pixel of `map`; 0 where it had better be dense.
int64_t pixelPadding(mlir::Value map, const tile::Target &target);

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGEN_LAYOUT_PIXELS_H
