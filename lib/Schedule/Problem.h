//===- Problem.h - which launches run side by side --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file states the problem of scheduling launches on the threads of one
// device: each launch takes a time for each number of threads, and tensors are
// in memory from their first writer to their last use:
//
//        a            program order             side by side
//       / \           | a | b | c | d |         | a | b | d |   2 threads
//      b   c                                        | c |       a join behind
//       \ /
//        d            one launch on all         less time, but b and c are in
//                     threads, then the next    memory together
//
// Find the stages (Solution.h) that take least time with a peak of memory below
// a cap. Times are nanoseconds in integers, so that sums are exact and the same
// everywhere.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_SCHEDULE_PROBLEM_H
#define TENON_LIB_SCHEDULE_PROBLEM_H

#include "llvm/Support/Error.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tenon::sched {

/// Times of one launch, numbers of threads and the bytes of all tensors stay
/// below, so that no sum overflows.
inline constexpr int64_t mostTime = int64_t(1) << 40;
inline constexpr int64_t mostBytes = int64_t(1) << 60;
inline constexpr unsigned mostThreads = 1024;
/// Parts of a GPU are counted in millionths of it.
inline constexpr int64_t wholeDevice = 1'000'000;
/// What waits for what takes launches ^ 2 / 4 bytes.
inline constexpr size_t mostLaunches = 1 << 14, mostTensors = 1 << 16;
/// The search has a frame for each unit on the stack.
inline constexpr size_t mostUnits = 1 << 12;
/// Launches of a wave by levels. Planners of memory have a stream for each.
inline constexpr size_t mostInWave = 256;

/// Parameters of all launches of one wave of a GPU: what any driver passes.
inline constexpr int64_t mostParameters = 4096; // bytes

/// The blocks of a GPU's kernel. Kernels whose blocks have as many threads and
/// as much memory, and whose clusters are as large, can be one.
struct BlockShape {
  unsigned threads = 0; ///< 0: not known; it shares no wave
  /// Bytes; 0: not so many that fewer blocks fit on a multiprocessor.
  int64_t shared = 0;
  unsigned cluster = 1;   ///< blocks
  int64_t parameters = 0; ///< bytes that a launch passes
  bool operator==(const BlockShape &) const = default;
};

/// Something that runs.
struct Launch {
  std::string name;           ///< unique, for text and errors
  std::string kernel = {};    ///< what it runs; equal for equal kernels
  std::vector<int64_t> times; ///< one for each of Problem::threadCounts
  int64_t tiles = 0; ///< pieces of equal work that any thread may take; 0: it
                     ///< shares no wave
  int64_t part = wholeDevice; ///< of a GPU, while it runs
  BlockShape blocks = {};     ///< on a GPU
  bool operator==(const Launch &) const = default;
};

/// A value in memory, from the first of its writers to the last of its uses.
struct Tensor {
  int64_t bytes = 0;
  /// Several writers write pieces of it, in no order. None: it is there from
  /// the start.
  std::vector<unsigned> writers = {};
  /// Between a writer and a reader the order of the program holds.
  std::vector<unsigned> readers = {};
  bool output = false; ///< read after the end
  bool operator==(const Tensor &) const = default;
};

/// The launch may put the first tensor that it begins over one that it reads,
/// if that is the last use. Of several such operands it takes the one that
/// saves most.
struct InPlace {
  unsigned launch = 0, tensor = 0;
  bool operator==(const InPlace &) const = default;
};

/// One launch comes before another, whatever they read and write.
struct Order {
  unsigned before = 0, after = 0;
  auto operator<=>(const Order &) const = default;
};

/// Launches that may run as one, fused or merged. Tensors that only they use
/// are in no memory then.
struct Unit {
  std::vector<unsigned> launches; ///< at least two, ascending
  std::vector<int64_t> times;     ///< as those of a launch
  bool operator==(const Unit &) const = default;
};

struct Problem {
  /// For which numbers of threads times are given: from 1, ascending.
  std::vector<unsigned> threadCounts = {1};
  unsigned threads = 1; ///< of the device
  int64_t join = 0;     ///< what it takes until all threads have met
  bool tracks = true;   ///< whether launches may share threads but in waves
  /// By how much waves of processors are slower than equal shares would make
  /// them, in thousandths.
  int64_t imbalance = 0;
  /// A GPU, whose launches share it like a fluid; times are given for one
  /// thread. A launch that waits for one of another stream begins later by so
  /// much than one that waits for its own.
  std::optional<int64_t> hop = {};
  unsigned processors = 0;           ///< of the GPU; for people
  std::optional<int64_t> cap = {};   ///< bytes that may be in use at once
  std::vector<Launch> launches = {}; ///< in the order of the program
  std::vector<Tensor> tensors = {};
  std::vector<InPlace> inPlace = {}; ///< each pair once
  std::vector<Order> orders = {};
  std::vector<Unit> units = {};
  bool operator==(const Problem &) const = default;

  /// The first thing that is wrong, if any: numbers, names, missing times,
  /// readers before their writers, cycles by name. A problem that passes can
  /// run in the order of the program.
  llvm::Error check() const;

  /// The best that a launch does with at most so many threads.
  int64_t timeOf(unsigned launch, unsigned mostThreads) const;
  int64_t timeOfUnit(unsigned unit, unsigned mostThreads) const;

  /// What a wave takes whose shares would take that if they were equal.
  int64_t withImbalance(int64_t time) const {
    return time + time / 1000 * imbalance + time % 1000 * imbalance / 1000;
  }

  bool isGpu() const { return hop.has_value(); }
  /// Whether two launches that do not wait for each other may share a wave, as
  /// far as its parameters go.
  bool mayShareWave(unsigned one, unsigned other) const;
};

/// What must come before what: uses of one tensor of which one writes, in the
/// order of the program, and orders. Sorted, each once. Needs valid indices.
std::vector<Order> edgesOf(const Problem &problem);

} // namespace tenon::sched

#endif // TENON_LIB_SCHEDULE_PROBLEM_H
