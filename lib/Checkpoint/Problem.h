//===- Problem.h - what a training step keeps or redoes ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file states the problem of checkpointing: the steps of a program in
// their order, each one kernel, and the values that they hand on in memory. A
// value that is needed late, as the backward part needs what the forward part
// made, may be dropped and computed again:
//
//   f1 f2 f3 loss g3 g2 g1     f1 and f2 stay until g2 and g3 have read them
//   f1 f2 f3 loss g3 F1 g2 g1  f1 dropped, computed again before g2
//
// Find what to compute again, where and how (Marks.h), so that the step takes
// least time with at most so many bytes in use at once. Times are picoseconds
// in integers, so that sums are exact and the same everywhere.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_CHECKPOINT_PROBLEM_H
#define TENON_LIB_CHECKPOINT_PROBLEM_H

#include "llvm/Support/Error.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tenon::ckpt {

/// One time stays below (a minute), and so does the sum of all bytes, so that
/// no sum and no time of traffic overflows.
inline constexpr int64_t mostTime = int64_t(1) << 46;
inline constexpr int64_t mostBytes = int64_t(1) << 40;
inline constexpr size_t mostSteps = 1 << 14, mostValues = 1 << 16;

/// How to compute a value alone: its kernel's slice, cut at what is stored.
struct Recipe {
  std::vector<unsigned> operands = {}; ///< values, with smaller numbers
  int64_t time = 0;                    ///< of computing
  int64_t stateBytes = 0; ///< parameters and the like that it reads
  /// The last step before which it may run: behind it, a state that it reads
  /// has been updated. None: any.
  std::optional<unsigned> until = {};
  bool pointwise = false; ///< element by element: cheap beside its traffic
  bool operator==(const Recipe &) const = default;
};

struct Value {
  std::string name; ///< unique, for text and errors
  int64_t bytes = 0;
  bool pinned = false; ///< read after the end; it has one place throughout
  std::optional<Recipe> recipe = {}; ///< none: it cannot be computed again
  bool operator==(const Value &) const = default;
};

/// A value that a step's kernel could compute itself, storing nothing.
struct Absorb {
  unsigned value = 0;
  int64_t time = 0, stateBytes = 0; ///< what that adds
  bool operator==(const Absorb &) const = default;
};

/// A way to run a step.
struct Variant {
  int64_t time = 0, scratch = 0;
  bool operator==(const Variant &) const = default;
};

/// One kernel. Its first variant is the one that runs unless a plan says
/// otherwise; others are slower, with less scratch.
struct Step {
  std::string name; ///< unique
  std::vector<Variant> variants = {{}};
  int64_t stateBytes = 0;
  std::vector<unsigned> reads = {};
  std::vector<unsigned> writes = {}; ///< each value has one writer
  std::vector<Absorb> absorbs = {};  ///< by value, ascending
  /// Operands whose place a result of the same size may take, if the step is
  /// their last use.
  std::vector<unsigned> overwrites = {};
  bool operator==(const Step &) const = default;
};

/// What prices are made of.
struct Machine {
  int64_t bandwidth = 0; ///< bytes a microsecond; 0: traffic takes no time
  int64_t launch = 0;    ///< what a kernel costs beside its work
  bool operator==(const Machine &) const = default;

  /// A kernel takes the longer of its computing and its traffic.
  int64_t timeOf(int64_t compute, int64_t bytes) const {
    int64_t traffic = bandwidth ? bytes * 1'000'000 / bandwidth : 0;
    return std::max(compute, traffic) + launch;
  }
};

struct Problem {
  Machine machine = {};
  std::vector<Value> values = {};
  std::vector<Step> steps = {};
  unsigned loss = 0; ///< the last step of the forward part
  /// What checkpointing by blocks keeps, for comparison; may be empty.
  std::vector<unsigned> borders = {};
  bool operator==(const Problem &) const = default;

  /// The first thing that is wrong, if any: numbers, names, uses before
  /// writers, recipes in a circle. A problem that passes can run as it is, with
  /// any valid marks.
  llvm::Error check() const;
};

/// The step that writes each value. Needs valid indices.
std::vector<unsigned> birthsOf(const Problem &problem);

/// What a step may compute of `value` itself, if anything.
const Absorb *absorbOf(const Step &step, unsigned value);

/// Whether a recipe may run just before, or in, a step behind the value's own.
bool mayCompute(const Value &value, unsigned step);

} // namespace tenon::ckpt

#endif // TENON_LIB_CHECKPOINT_PROBLEM_H
