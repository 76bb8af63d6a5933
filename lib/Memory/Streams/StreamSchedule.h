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
