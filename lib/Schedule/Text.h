//===- Text.h - a problem of scheduling as text -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the text form, so that a bug report is ten lines. One
// statement per line, `#` starts a comment. Nodes are launches, in the order of
// the program; other statements refer to them by name or number (from 0), and
// to tensors by number. Times are microseconds with up to three decimals.
//
//   threads 1 2                # numbers of threads for which times are given
//   device 2 join 0.2          # its threads (if not the most above), a join
//   device 2 join 0.2 imbalance 0.03      # by how much waves are slower
//   device 132 hop 0.8         # or a GPU: multiprocessors, a wait for another
//                              # stream
//   notracks                   # waves are all that runs side by side
//   cap 96
//   node a loops_0 10 6
//   node b contraction_1 20 12 tiles 8
//   node c gpu_mma_7 3.25 part 0.4 kernel 256 49152 1 passes 280  # of the GPU;
//                              # threads, shared bytes, cluster; parameters
//   tensor 8 a : b             # bytes, writers : readers
//   tensor 4 b : out           # read after the end
//   inplace b 0                # b may put its result over tensor 0
//   order a b                  # without data
//   unit 14 9 a b              # a and b may run as one, in these times
//   unit 0.7*sum a b           # in that part of their times
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_SCHEDULE_TEXT_H
#define TENON_LIB_SCHEDULE_TEXT_H

#include "lib/Schedule/Problem.h"
#include "llvm/Support/raw_ostream.h"

namespace tenon::sched {

/// What it returns has been checked. Errors name the line: "line 3: why".
llvm::Expected<Problem> readProblem(llvm::StringRef text);

/// Reading it gives the same problem again.
void writeProblem(const Problem &problem, llvm::raw_ostream &stream);

/// Nanoseconds as microseconds with as many decimals as needed, up to three.
std::string microseconds(int64_t nanoseconds);

} // namespace tenon::sched

#endif // TENON_LIB_SCHEDULE_TEXT_H
