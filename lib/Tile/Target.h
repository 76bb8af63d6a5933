//===- Target.h - one record per instruction set ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the table that planners and emitters ask instead of
// testing for an instruction set. A new one is a new row.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_TILE_TARGET_H
#define TENON_LIB_TILE_TARGET_H

#include "lib/Support/Time.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace tenon::tile {

/// A line of the caches. Apple's are twice as long: there each is asked for
/// twice, which costs time and nothing else.
constexpr int64_t lineBytes = 64;

/// Sets of a first-level cache, which is indexed inside of a page.
constexpr int64_t cacheSets = 64;

/// Threads that are planned for unless a number is given, and the most that may
/// be.
constexpr int64_t defaultThreads = 2, mostThreads = 1024;

/// What a planner must know of a CPU. Sizes in bytes.
struct Target {
  /// "amx", "sapphirerapids", "avx512", "zen5", "zen4", "avx2", "neon" or
  /// "baseline".
  llvm::StringRef name;
  llvm::StringRef architecture = "x86_64"; ///< "x86_64" or "aarch64"
  /// Features of LLVM that a processor of this row has, as "+avx2,+fma".
  llvm::StringRef features = "";
  /// What the names that LLVM has for such processors begin with, where
  /// features do not tell them from others. Hypervisors hide names, not
  /// features, so these come first.
  llvm::StringRef cpus = "";
  int64_t vectorBytes; ///< native register width
  int64_t registers;   ///< vector registers
  bool avx512 = false; ///< AVX-512's instructions exist, at every width
  bool fma = false;    ///< fused multiply-add exists
  /// Units are half as wide as vectors: half a vector takes half the time.
  bool halfWidthUnits = false;
  /// Its own prefetching follows what register tiles read and write, so that
  /// prefetching it costs more than it brings.
  bool prefetchesRows = false;
  bool matrixUnit = false; ///< multiplies tiles of bf16: see MatrixUnit.h
  /// Of a core, and of what a few cores share. They belong to the name and are
  /// not measured, so that the same input gives the same artifact anywhere.
  int64_t l1Bytes, l2Bytes, l3Bytes;
  /// The part of the third-level cache that a program has to itself: cores
  /// share it, and so do other programs.
  double l3Part = 0.5;
  /// What memory gives one core in the time of a vector's multiply-add.
  double memoryBytes = 4;
  /// What the third-level cache gives it in that time, and the second-level.
  double midBytes = 12, nearBytes = 32;
  /// How many times that it takes to begin and end a launch on several threads
  /// that spin (0.2 us), and to fetch a tile and call its kernel.
  double forkCycles = 1500, tileCycles = 100;
  /// The clock that is assumed, whatever the processor at hand does. It turns
  /// cycles into times and decides nothing: one program runs on one processor.
  double gigahertz = 3.5;
  /// Threads that launches are cut for, where one number has to be chosen. Any
  /// number runs them, with the same results.
  int64_t threads = defaultThreads;
  /// Elements or multiply-adds that make a launch tile: a few microseconds.
  int64_t tileWork = 8192;

  /// Whether that is so little that kernels wait for what others have in time.
  bool isMemoryBound() const { return memoryBytes < 4; }

  /// Whether so many threads run that each hides the latencies of others. It
  /// does one thing after the other, fetches nothing ahead and has the smallest
  /// tiles.
  bool isGpuThread() const { return threads > mostThreads; }
  /// Lanes of a native vector of elements of the given size.
  int64_t lanes(int64_t elementBytes) const {
    return vectorBytes / elementBytes;
  }
  /// Whether a native vector is a line. There is little time to prefetch what
  /// comes next where it is not.
  bool vectorsAreLines() const { return vectorBytes >= lineBytes; }
  /// Whether stores of whole vectors may go past the caches.
  bool hasStreams() const { return vectorBytes >= 32; }
  /// Clock cycles in which a core's two units multiply and add a vector.
  double vectorCycles() const { return halfWidthUnits ? 1 : 0.5; }
  /// Models count in the time of a vector's multiply-add, which they call a
  /// cycle.
  Time timeOf(double cycles) const {
    return {cycles * vectorCycles() / gigahertz};
  }
  double cyclesOf(Time time) const {
    return time.nanoseconds * gigahertz / vectorCycles();
  }
  /// Lines that they multiply and add in a cycle.
  double linesPerCycle() const {
    return double(vectorBytes) / lineBytes / vectorCycles();
  }
  /// Whether it works on two lines in a cycle, and so waits for the
  /// second-level cache where others do not.
  bool readsTwoLines() const { return linesPerCycle() > 1; }
  /// Lines that each set of the first-level cache holds.
  int64_t l1Ways() const { return l1Bytes / (lineBytes * cacheSets); }
  /// What blocks are made for of the second-level cache: of more than this,
  /// larger ones gain nothing.
  int64_t blockingBytes() const {
    return l2Bytes < (1 << 20) ? l2Bytes : 1 << 20;
  }
  /// Lanes of the narrowest vectors, of 16 bytes or more, that hold `count`
  /// elements; of native ones if none do.
  int64_t lanesFor(int64_t count, int64_t elementBytes) const;
  /// Whether so many bytes come from memory.
  bool isInMemory(int64_t bytes) const {
    return double(bytes) > double(l3Bytes) * l3Part;
  }
  /// Launch tiles that keep the threads equally busy: some for each of a few,
  /// since one may start late or be slower, and one for each of many.
  int64_t enoughTiles() const { return threads < 8 ? 8 : threads; }
  /// The part of so many equal items that the busiest thread has.
  double busiestPart(int64_t items) const {
    return double((items + threads - 1) / threads) / double(items);
  }
};

/// All rows, those that most processors have last.
llvm::ArrayRef<Target> targets();

/// The row of that name, or null.
const Target *findTarget(llvm::StringRef name);

} // namespace tenon::tile

#endif // TENON_LIB_TILE_TARGET_H
