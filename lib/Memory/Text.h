//===- Text.h - problems as CSV ---------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the text form, the one of the minimalloc benchmarks:
//
//   id,lower,upper,size
//   a,0,3,4096
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_MEMORY_TEXT_H
#define TENON_LIB_MEMORY_TEXT_H

#include "lib/Memory/Problem.h"
#include "llvm/Support/raw_ostream.h"

namespace tenon::mem {

/// Columns in any order; `alignment` is optional. Errors name the line.
llvm::Expected<Problem> readProblem(llvm::StringRef text);

/// `id,lower,upper,size,alignment`, or with a solution also `offset`.
void writeProblem(const Problem &problem, const Solution *solution,
                  llvm::raw_ostream &stream);

} // namespace tenon::mem

#endif // TENON_LIB_MEMORY_TEXT_H
