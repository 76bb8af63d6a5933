//===- EinsumEquation.h - the letters of an equation ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares how an equation of Einsum is read.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_NORMALIZE_CONTRACTION_EINSUMEQUATION_H
#define TENON_PASSES_NORMALIZE_CONTRACTION_EINSUMEQUATION_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace tenon::normalize {

/// One letter for each dimension of each operand and of the result. The
/// dimensions of "..." have characters of their own, the same ones for
/// dimensions that meet: counted from the last.
///
///   "...ij, ...j -> ...i" of ranks 3 and 2 is {"\1ij", "\1j"}, "\1i"
struct EinsumEquation {
  llvm::SmallVector<std::string> operands;
  std::string result; ///< each letter once, all of them some operand's
};

/// Reads the equation for operands of such ranks. Blanks mean nothing. An
/// equation without "->" keeps the letters that occur once, in alphabetical
/// order behind the dimensions of "...". Returns what is wrong with it, or "".
std::string readEinsum(llvm::StringRef text, llvm::ArrayRef<int64_t> ranks,
                       EinsumEquation &equation);

} // namespace tenon::normalize

#endif // TENON_PASSES_NORMALIZE_CONTRACTION_EINSUMEQUATION_H
