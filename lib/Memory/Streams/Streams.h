//===- Streams.h - spread a program over streams ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file puts nodes on streams and adds the events that this needs, and
// trades events for memory.
//
// Events cost time, so none is added that others imply:
//
//   stream 0:  --[ a ]---------[ c ]--      c reads a and b: b's event is
//                  \           /            needed. If d after b reads a too,
//   stream 1:  ----[ b ]------[ d ]--       b's wait for a is enough.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_MEMORY_STREAMS_STREAMS_H
#define TENON_LIB_MEMORY_STREAMS_STREAMS_H

#include "lib/Memory/Planner.h"
#include "lib/Memory/Streams/Program.h"
#include "lib/Memory/Streams/StreamSchedule.h"

namespace tenon::mem {

/// For each node, the nodes that must finish before it whatever the streams:
/// those that write what it reads, and those that use what its results lie
/// over (in place, in a view, at a fixed offset), as far as the program orders
/// them. Sorted. Needs a checked program.
std::vector<std::vector<unsigned>> dependences(const Program &program);

/// Spreads nodes over at most `count` streams. Of several list schedules
/// (StreamSchedule.h), those on fewer streams among them, the one that needs
/// the fewest bytes at once while it takes at most 3 % longer than the fastest.
/// One stream keeps the given order, and so the given arena. The result lists
/// nodes in their new launch order and has exactly the events that dependences
/// across streams need, and those that hold back nodes that depend on nothing;
/// those of `program` are forgotten. Deterministic.
llvm::Expected<Program> assignStreams(const Program &program, unsigned count,
                                      const Resources &resources = {});

/// How long a program takes when nothing but its streams, its events and what
/// nodes share holds nodes back. Where they share, launch order is an order.
int64_t makespan(const Program &program, const Resources &resources = {});

/// What an event is worth.
struct SpendOptions {
  int64_t bytesPerEvent = 0; ///< an event must save more than this
  unsigned trials = 64;      ///< plans that may be made
  Planner planner = {};
};

/// What spending events brought.
struct Spending {
  Program program;
  Solution solution; ///< of the new program, proven
  unsigned events = 0;
  int64_t bytesBefore = 0, bytesAfter = 0;
  int64_t makespanBefore = 0, makespanAfter = 0;
  unsigned trials = 0;
};

/// Adds events that make a plan smaller: barriers between streams that drift
/// apart, and events from the last uses of one large tensor to the producer of
/// another, so that the two may share bytes. Kept where planning anew saves
/// more than the events' price. Each is proven to
/// leave the program without a cycle.
llvm::Expected<Spending> spendSync(const Program &program,
                                   const SpendOptions &options = {});

} // namespace tenon::mem

#endif // TENON_LIB_MEMORY_STREAMS_STREAMS_H
