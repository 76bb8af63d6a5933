//===- Streams.cpp - spread a program over streams ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Memory/Streams/Streams.h"
#include "lib/Memory/Streams/Clocks.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include <tuple>

using namespace tenon::mem;

namespace {
/// A schedule as a program.
class Rebuilder {
public:
  Rebuilder(const Program &program, const Schedule &schedule, unsigned count)
      : program(program), schedule(schedule), count(count),
        placeOf(schedule.order.size()) {}

  Program run() {
    Program result = program;
    result.streams = count;
    result.nodes.clear();
    for (unsigned n : schedule.order) {
      placeOf[n] = unsigned(result.nodes.size());
      result.nodes.push_back(program.nodes[n]);
      result.nodes.back().stream = schedule.streamOf[n];
    }
    for (Tensor &tensor : result.tensors) {
      if (tensor.producer)
        tensor.producer = placeOf[*tensor.producer];
      for (unsigned &consumer : tensor.consumers)
        consumer = placeOf[consumer];
      llvm::sort(tensor.consumers);
      for (unsigned &writer : tensor.coproducers)
        writer = placeOf[writer];
      llvm::sort(tensor.coproducers);
    }
    addEvents(result);
    return result;
  }

private:
  const Program &program;
  const Schedule &schedule;
  unsigned count;
  std::vector<unsigned> placeOf;

  /// Walks in launch order with the clock of each node at hand: a dependence
  /// that the clock knows needs no event. Of several, the one that was
  /// launched last may imply the others, never the other way round.
  void addEvents(Program &result) const {
    result.events.clear();
    std::vector<std::optional<unsigned>> previous = result.streamPredecessors();
    Clocks clocks(result);
    for (unsigned at = 0; at < placeOf.size(); ++at) {
      if (previous[at])
        clocks.learn(at, *previous[at]);
      std::vector<unsigned> waits;
      for (unsigned earlier : schedule.waits[schedule.order[at]])
        waits.push_back(placeOf[earlier]);
      llvm::sort(waits, std::greater<>());
      for (unsigned from : waits) {
        if (clocks.precedes(from, at))
          continue;
        result.events.push_back({from, at});
        clocks.learn(at, from);
      }
    }
  }
};

/// Schedules in all styles, and the one that needs the fewest bytes among those
/// that are nearly as fast as the fastest.
class Chooser {
public:
  Chooser(const Program &program, unsigned count, const Resources &resources)
      : program(program), count(count), resources(resources),
        before(dependences(program)) {}

  Program run() {
    addSequence();
    for (unsigned streams = 2; streams <= count; streams += step(streams))
      addStyles(streams);
    if (count > 2)
      addStyles(count);
    return best();
  }

private:
  const Program &program;
  unsigned count;
  const Resources &resources;
  std::vector<std::vector<unsigned>> before;
  std::vector<Schedule> schedules;

  /// 2, 3, 4, 6, 8, 12, 16, ...
  static unsigned step(unsigned streams) {
    return streams < 4 ? 1 : llvm::bit_floor(streams) / 2;
  }

  /// Everything on one stream, as it was given.
  void addSequence() {
    Schedule schedule;
    schedule.order = *topologicalOrder(program);
    schedule.streamOf.resize(schedule.order.size(), 0);
    for (const Node &node : program.nodes)
      schedule.makespan += node.cost;
    schedule.waits = before;
    schedules.push_back(std::move(schedule));
  }

  void addStyles(unsigned streams) {
    for (Sources sources : {Sources::Early, Sources::Anchored, Sources::Glued})
      for (bool sparing : {false, true})
        add(scheduleStreams(program, before,
                            {streams, sources, sparing, resources}));
  }

  void add(Schedule schedule) {
    if (llvm::none_of(schedules, [&](const Schedule &other) {
          return other.order == schedule.order &&
                 other.streamOf == schedule.streamOf &&
                 other.waits == schedule.waits;
        }))
      schedules.push_back(std::move(schedule));
  }

  Program best() {
    int64_t fastest = schedules.front().makespan;
    for (const Schedule &schedule : schedules)
      fastest = std::min(fastest, schedule.makespan);
    llvm::erase_if(schedules, [&](const Schedule &schedule) {
      return schedule.makespan - fastest > fastest / 100 * mostPercent;
    });
    Program best = rebuild(schedules.front());
    if (schedules.size() == 1)
      return best;
    auto least = std::pair(bytesOf(best), schedules.front().makespan);
    for (const Schedule &schedule : llvm::drop_begin(schedules)) {
      Program other = rebuild(schedule);
      std::pair key(bytesOf(other), schedule.makespan);
      if (key < least)
        std::tie(best, least) = std::pair(std::move(other), key);
    }
    return best;
  }

  Program rebuild(const Schedule &schedule) const {
    return Rebuilder(program, schedule, count).run();
  }

  static int64_t bytesOf(const Program &program) {
    return lowerBound(problemOf(program));
  }

  static constexpr int64_t mostPercent = 3;
};
} // namespace

llvm::Expected<Program> tenon::mem::assignStreams(const Program &program,
                                                  unsigned count,
                                                  const Resources &resources) {
  if (llvm::Error error = program.check())
    return error;
  if (count < 1 || count > 1024)
    return llvm::createStringError("a program has 1 to 1024 streams");
  if (resources.capacity && resources.widths.size() != program.nodes.size())
    return llvm::createStringError("not every node has a width");
  Program result = Chooser(program, count, resources).run();
  if (llvm::Error error = result.check())
    return error;
  return result;
}

int64_t tenon::mem::makespan(const Program &program,
                             const Resources &resources) {
  std::vector<int64_t> finish(program.nodes.size(), 0);
  std::vector<std::vector<unsigned>> before = program.predecessors();
  std::vector<unsigned> order = *topologicalOrder(program);
  Occupancy occupancy(resources);
  int64_t most = 0;
  for (unsigned n : order) {
    const Node &node = program.nodes[n];
    int64_t start = 0;
    for (unsigned earlier : before[n]) {
      bool isOther = program.nodes[earlier].stream != node.stream;
      start = std::max(start,
                       finish[earlier] + (isOther ? resources.eventCost : 0));
    }
    start = occupancy.fit(n, start, node.cost);
    occupancy.add(n, start, node.cost);
    finish[n] = start + node.cost;
    most = std::max(most, finish[n]);
  }
  return most;
}
