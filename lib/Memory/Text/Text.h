//===- Text.h - problems and programs as text -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the text forms of an instance, so that a bug report is
// ten lines. readInstance() recognises which one it is given.
//
// The CSV form, that of the minimalloc benchmarks; `alignment`, `offset` (then
// there is a solution as well), `scope`, `fixed` and `stream` are optional:
//
//   id,lower,upper,size
//   a,0,3,4096
//
// The program form, one statement per line, `#` starts a comment. Statements
// may come in any order:
//
//   streams 2
//   tensor a 4096 align 64 scope 0 at 1024
//   node conv1 on 0 cost 7 reads x writes a
//   node conv2 on 1 reads a writes y
//   node conv3 on 1 reads a joins y      # writes other parts of y
//   wait conv2 for conv1        # an event
//   input x                     # in use from the start
//   output y                    # in use to the end
//   lifelong w                  # in use throughout
//   contiguous a b guard 512    # side by side, 512 bytes free on both sides
//   inplace y over a            # the node that writes y overwrites a
//   view s of a at 1024
//   place a 4096                # a solution, if every tensor has one
//
// A problem without a program gives lives instead of nodes:
//
//   buffer a 4096 lives 0 3 align 64
//   buffer b 4096 lives 0:1 2:3 on 1     # clocks of two streams
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_MEMORY_TEXT_TEXT_H
#define TENON_LIB_MEMORY_TEXT_TEXT_H

#include "lib/Memory/Streams/Program.h"
#include "llvm/Support/raw_ostream.h"

namespace tenon::mem {

/// All that a text can hold.
struct Instance {
  Problem problem; ///< that of the program, if there is one
  std::optional<Program> program = {};
  std::optional<Solution> solution = {};
};

/// Reads any form. What it returns has been checked, the solution excepted.
/// Errors name the line.
llvm::Expected<Instance> readInstance(llvm::StringRef text);

/// Writes CSV where it can say everything, else the program form. Reading it
/// gives the same instance again.
void writeInstance(const Instance &instance, llvm::raw_ostream &stream);

/// The CSV form alone. Columns in any order.
llvm::Expected<Instance> readCsv(llvm::StringRef text);
llvm::Expected<Problem> readProblem(llvm::StringRef text);

/// `id,lower,upper,size,alignment`, with a solution also `offset`, and the
/// other columns where a buffer needs them. CSV has no lists and no overlays.
void writeProblem(const Problem &problem, const Solution *solution,
                  llvm::raw_ostream &stream);

/// `id,lower,upper,size,offset`, then the columns that a buffer needs.
void writePlacement(const Problem &problem, const Solution &solution,
                    llvm::raw_ostream &stream);

/// The program form alone.
llvm::Expected<Instance> readProgramText(llvm::StringRef text);
void writeProgramText(const Instance &instance, llvm::raw_ostream &stream);

} // namespace tenon::mem

#endif // TENON_LIB_MEMORY_TEXT_TEXT_H
