//===- StreamSchedule.h - when and where nodes run --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file schedules nodes onto streams in one of several styles, of which
// none is best for every program: assignStreams() tries them and compares.
//
// Sources are nodes that wait for nothing: those that clear a halo or write a
// constant. They could all run at the start, and their results would then lie
// in memory until they are read:
//
//   Early     clear1 clear2 clear3 conv1 conv2 conv3
//   Glued     clear1 conv1 clear2 conv2 clear3 conv3
//   Anchored  clear1 conv1  conv2  conv3
//             clear2 clear3               on another stream, beside the node
//                                         that their reader waits for
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_MEMORY_STREAMS_STREAMSCHEDULE_H
#define TENON_LIB_MEMORY_STREAMS_STREAMSCHEDULE_H

#include "lib/Memory/Streams/Program.h"

namespace tenon::mem {

/// What nodes share while they run beside each other.
struct Resources {
  int64_t capacity = 0;             ///< 0: nothing is shared
  std::vector<int64_t> widths = {}; ///< of each node, at most the capacity
  /// What waiting for a node of another stream takes.
  int64_t eventCost = 0;
};

/// What runs when, and so what room is left.
class Occupancy {
public:
  explicit Occupancy(const Resources &resources) : resources(resources) {}

  /// The first moment from `start` on from which there is room for a node for
  /// all of its time.
  int64_t fit(unsigned node, int64_t start, int64_t cost) const;
  void add(unsigned node, int64_t start, int64_t cost);

private:
  struct Run {
    int64_t start, finish, width;
  };
  int64_t widthOf(unsigned node) const {
    int64_t most = resources.capacity;
    return most ? std::min(resources.widths[node], most) : 0;
  }

  const Resources &resources;
  std::vector<Run> runs;
};

/// When sources run.
enum class Sources {
  Early,    ///< as soon as there is room
  Anchored, ///< beside what their reader waits for, and not before
  Glued,    ///< directly before their reader, on its stream
};

struct ScheduleStyle {
  unsigned streams = 1;
  Sources sources = Sources::Early;
  /// Above the bytes of the given order, nodes that free more than they take
  /// come first, the others in the given order.
  bool sparing = false;
  Resources resources = {};
};

/// Nodes in launch order, and their streams.
struct Schedule {
  std::vector<unsigned> order;
  std::vector<unsigned> streamOf; ///< for each node
  int64_t makespan = 0;
  /// For each node, what it waits for: dependences, and what sources are
  /// anchored to.
  std::vector<std::vector<unsigned>> waits;
};

/// List scheduling: of the nodes that are near in the given order, the one that
/// can start first, then the one with the longest way to the end, to the stream
/// where it starts earliest. `before` has what each node depends on.
Schedule scheduleStreams(const Program &program,
                         const std::vector<std::vector<unsigned>> &before,
                         const ScheduleStyle &style);

} // namespace tenon::mem

#endif // TENON_LIB_MEMORY_STREAMS_STREAMSCHEDULE_H
