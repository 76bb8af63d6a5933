//===- GpuFit.h - fitted numbers of a GPU -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares what formulas of times on GPUs are fitted to, in one
// place: a generation that is measured gets a row of its own, and no formula
// changes.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_TILE_GPUFIT_H
#define TENON_LIB_TILE_GPUFIT_H

#include "llvm/ADT/StringRef.h"

namespace tenon::tile {

/// Times are in microseconds, rates in bytes per microsecond. The numbers here
/// are of an H200: those of products from 400 measured plans of ten networks at
/// batch 1 and three at batch 32 (test/bench/results/gpus.csv has what they
/// choose), the others from single kernels that were timed in a graph.
struct GpuFit {
  /// What was measured; empty: nothing of this generation, so that these are
  /// another's numbers.
  llvm::StringRef measuredOn = {};

  //===-- Products (TileWaves.h) ------------------------------------------===//
  /// A graph's node and what every kernel begins and ends with, and what a turn
  /// of blocks does before and behind its loop over k.
  double productStart = 0.33, turnTime = 0.95;
  /// What of a turn does not run beside the one before, where blocks share a
  /// multiprocessor.
  double turnShare = 0.83;
  /// Barriers of a cluster, and bytes in a microsecond from each other's shared
  /// memory.
  double clusterTime = 1.0, clusterBytes = 50e3;
  /// The part of the multiprocessors that clusters of four or more reach: those
  /// of one belong to one part of the chip, and parts differ in size.
  double clusterReach = 0.85;
  /// Bytes of sums through shared memory into memory.
  double resultBytes = 53e3;
  /// Of an instruction that copies less than 16 bytes, with what it asks first.
  double copyTime = 0.02;
  /// Boxes and rows of 128 bytes come from the second-level cache at almost
  /// twice the rate of other reads, and of memory's rate a product reaches so
  /// much.
  double nearRate = 1.77, memoryRate = 0.77;

  //===-- Others ----------------------------------------------------------===//
  double cyclesPerTime = 1700; ///< of the clock
  /// Attention: what a kernel begins and ends with, what a step waits, what
  /// joining its parts takes, and scores that a multiprocessor handles.
  double attentionStart = 1.3, attentionLatency = 0.35, attentionJoin = 0.2;
  double scoresPerTime = 7 * 1800.0;
  /// Windows: what a turn of reads waits.
  double windowLatency = 0.3;
  /// Recurrences: what a kernel begins and ends with, and of a step the
  /// exchange of states, its part for each block, and the functions.
  double recurrenceStart = 4, exchange = 0.5, exchangePerBlock = 0.004,
         functions = 0.15;
};

} // namespace tenon::tile

#endif // TENON_LIB_TILE_GPUFIT_H
