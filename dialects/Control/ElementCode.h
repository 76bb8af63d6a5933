//===- ElementCode.h - element types as the run time has them ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_DIALECTS_CONTROL_ELEMENTCODE_H
#define TENON_DIALECTS_CONTROL_ELEMENTCODE_H

#include "mlir/IR/Types.h"

#include <cstdint>
#include <optional>

namespace tenon::control {

/// An element type in DLPack's terms, as integers of primitives have it.
struct ElementCode {
  int64_t code = 0;
  int64_t bits = 0;
};

/// Of strings: a code of our own, a pointer's bits.
inline constexpr ElementCode stringCode = {200, 64};

/// Nothing for what the run time does not have.
std::optional<ElementCode> elementCode(mlir::Type element);

} // namespace tenon::control

#endif // TENON_DIALECTS_CONTROL_ELEMENTCODE_H
