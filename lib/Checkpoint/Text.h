//===- Text.h - a problem of checkpointing as text --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the text form, so that a bug report is ten lines. One
// statement per line, `#` starts a comment. Values and nodes are numbered as
// they come, and named wherever they are used. Times are microseconds with up
// to six decimals.
//
//   machine 12000 2               # bytes a microsecond, a launch
//   value x 4096
//   value y 4096
//   value dy 4096
//   value l 4 pinned              # read after the end
//   node conv 10 state 64 scratch 32 : -> x
//   node relu 1 : x -> y
//   node loss 1 : y -> l dy
//   node grad 12 : x y dy ->
//   loss loss                     # the last node of the forward part
//   recipe x 10 state 64 until grad :       # behind grad, its state is new
//   recipe y 1 pointwise : x
//   absorb grad y 0.5             # grad could compute y itself
//   overwrite grad dy             # a result may take its place
//   variant grad 20 0             # slower, with less scratch
//   border x                      # what checkpointing by blocks keeps
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_CHECKPOINT_TEXT_H
#define TENON_LIB_CHECKPOINT_TEXT_H

#include "lib/Checkpoint/Problem.h"
#include "llvm/Support/raw_ostream.h"

namespace tenon::ckpt {

/// What it returns has been checked. Errors name the line: "line 3: why".
llvm::Expected<Problem> readProblem(llvm::StringRef text);

/// Reading it gives the same problem again.
void writeProblem(const Problem &problem, llvm::raw_ostream &stream);

/// Picoseconds as microseconds with as many decimals as needed, up to six.
std::string microseconds(int64_t picoseconds);

} // namespace tenon::ckpt

#endif // TENON_LIB_CHECKPOINT_TEXT_H
