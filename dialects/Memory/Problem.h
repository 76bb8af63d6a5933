//===- Problem.h - allocation problems as IR --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_DIALECTS_MEMORY_PROBLEM_H
#define TENON_DIALECTS_MEMORY_PROBLEM_H

#include "dialects/Memory/Memory.h"
#include "lib/Memory/Problem.h"

namespace tenon::memory {

/// The problem that an operation states, its storage in the order of the text.
/// Fails, with a diagnostic, on names that are no storage of it.
mlir::FailureOr<mem::Problem> problemOf(ProblemOp op);

/// The plan that it holds; the operation must have `arena_bytes`. Fails, with a
/// diagnostic, where storage has no offset.
mlir::FailureOr<mem::Solution> solutionOf(ProblemOp op);

} // namespace tenon::memory

#endif // TENON_DIALECTS_MEMORY_PROBLEM_H
