//===- Problem.cpp - which launches run side by side ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Schedule/Problem.h"
#include "lib/Support/Indices.h"
#include "lib/Support/SortUnique.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

#include <set>

using namespace tenon;
using namespace tenon::sched;
using llvm::createStringError;

/// The least of the times for at most so many threads.
static int64_t leastOf(const Problem &problem,
                       const std::vector<int64_t> &times,
                       unsigned mostThreads) {
  int64_t best = times.front();
  for (auto [count, time] : llvm::zip_equal(problem.threadCounts, times))
    if (count <= mostThreads)
      best = std::min(best, time);
  return best;
}

int64_t Problem::timeOf(unsigned launch, unsigned mostThreads) const {
  return leastOf(*this, launches[launch].times, mostThreads);
}

int64_t Problem::timeOfUnit(unsigned unit, unsigned mostThreads) const {
  return leastOf(*this, units[unit].times, mostThreads);
}

bool Problem::mayShareWave(unsigned one, unsigned other) const {
  const Launch &a = launches[one], &b = launches[other];
  if (!isGpu())
    return a.tiles > 0 && b.tiles > 0;
  return a.blocks.threads > 0 && a.blocks.threads == b.blocks.threads &&
         a.blocks.shared == b.blocks.shared &&
         a.blocks.cluster == b.blocks.cluster;
}

std::vector<Order> sched::edgesOf(const Problem &problem) {
  std::vector<Order> edges = problem.orders;
  for (const Tensor &tensor : problem.tensors)
    for (unsigned writer : tensor.writers)
      for (unsigned reader : tensor.readers)
        if (reader != writer)
          edges.push_back({std::min(writer, reader), std::max(writer, reader)});
  sortUnique(edges);
  return edges;
}

static constexpr int64_t mostImbalance = 10'000;

namespace {
class Check {
public:
  explicit Check(const Problem &problem) : problem(problem) {}

  llvm::Error run() const;

private:
  llvm::Error checkDevice() const;
  llvm::Error checkLaunches() const;
  llvm::Error checkTensors() const;
  llvm::Error checkUses(size_t number) const;
  llvm::Error checkInPlace() const;
  llvm::Error checkOrders() const;
  llvm::Error checkUnits() const;
  llvm::Error cycleThrough(unsigned launch) const;
  const char *name(unsigned launch) const {
    return problem.launches[launch].name.c_str();
  }

  const Problem &problem;
};
} // namespace

llvm::Error Check::checkDevice() const {
  const std::vector<unsigned> &counts = problem.threadCounts;
  if (counts.empty() || counts.front() != 1 || counts.back() > mostThreads)
    return createStringError("numbers of threads go from 1 to %u", mostThreads);
  if (!llvm::is_sorted(counts, std::less_equal<unsigned>()))
    return createStringError("numbers of threads do not ascend");
  if (problem.threads < 1 || problem.threads > mostThreads)
    return createStringError("a device has 1 to %u threads", mostThreads);
  if (problem.join < 0 || problem.join > mostTime)
    return createStringError("the time of a join is out of range");
  if (problem.imbalance < 0 || problem.imbalance > mostImbalance)
    return createStringError("the imbalance of waves is out of range");
  if (problem.hop && (*problem.hop < 0 || *problem.hop > mostTime))
    return createStringError("the time of a hop is out of range");
  if (problem.hop && (problem.threads > 1 || counts.size() > 1))
    return createStringError("launches of a GPU have one time each");
  if (problem.cap && *problem.cap < 0)
    return createStringError("the cap is negative");
  return llvm::Error::success();
}

llvm::Error Check::checkLaunches() const {
  llvm::StringSet<> names;
  for (const Launch &launch : problem.launches) {
    const char *name = launch.name.c_str();
    if (!names.insert(launch.name).second)
      return createStringError("node '%s' appears twice", name);
    if (launch.times.size() != problem.threadCounts.size())
      return createStringError(
          "node '%s' has %zu times for %zu numbers of threads", name,
          launch.times.size(), problem.threadCounts.size());
    for (int64_t time : launch.times)
      if (time < 0 || time > mostTime)
        return createStringError("node '%s' has a time out of range", name);
    if (launch.tiles < 0 || launch.tiles > mostTime)
      return createStringError("node '%s' has tiles out of range", name);
    if (launch.part < 0 || launch.part > wholeDevice)
      return createStringError("node '%s' takes a part out of range", name);
  }
  return llvm::Error::success();
}

llvm::Error Check::checkUses(size_t number) const {
  const Tensor &tensor = problem.tensors[number];
  if (tensor.bytes < 0 || tensor.bytes > mostBytes)
    return createStringError("tensor '%zu' has bytes out of range", number);
  size_t size = problem.launches.size();
  if (!areIndices(tensor.writers, size) || !areIndices(tensor.readers, size))
    return createStringError("tensor '%zu' names a node that does not exist, "
                             "or one node twice",
                             number);
  if (tensor.writers.empty() && tensor.readers.empty() && !tensor.output)
    return createStringError("tensor '%zu' has no use", number);
  if (tensor.writers.empty())
    return llvm::Error::success();
  unsigned first = *llvm::min_element(tensor.writers);
  for (unsigned reader : tensor.readers)
    if (reader <= first)
      return createStringError(
          "node '%s' reads tensor %zu before its first writer '%s'",
          name(reader), number, name(first));
  return llvm::Error::success();
}

llvm::Error Check::checkTensors() const {
  int64_t sum = 0;
  for (size_t number = 0; number < problem.tensors.size(); ++number) {
    if (llvm::Error error = checkUses(number))
      return error;
    sum += problem.tensors[number].bytes;
    if (sum > mostBytes)
      return createStringError("tensor '%zu' and those before it have too "
                               "many bytes",
                               number);
  }
  return llvm::Error::success();
}

llvm::Error Check::checkInPlace() const {
  std::set<std::pair<unsigned, unsigned>> seen;
  for (auto [launch, tensor] : problem.inPlace) {
    if (launch >= problem.launches.size() || tensor >= problem.tensors.size())
      return createStringError("an in-place result names no node or tensor");
    const Tensor &operand = problem.tensors[tensor];
    if (!llvm::is_contained(operand.readers, launch) ||
        llvm::is_contained(operand.writers, launch))
      return createStringError(
          "node '%s' may not overwrite tensor %u, which it does not only read",
          name(launch), tensor);
    if (!seen.insert({launch, tensor}).second)
      return createStringError("node '%s' overwrites tensor %u twice",
                               name(launch), tensor);
  }
  return llvm::Error::success();
}

/// Every edge leads on in the program but those of an order, so there is a way
/// back to where a wrong one begins exactly if it closes a cycle.
llvm::Error Check::cycleThrough(unsigned launch) const {
  std::vector<Order> edges = edgesOf(problem);
  std::vector<std::optional<unsigned>> from(problem.launches.size());
  std::vector<unsigned> reached = {launch};
  for (size_t i = 0; i < reached.size() && !from[launch]; ++i)
    for (const Order &edge : edges)
      if (edge.before == reached[i] && !from[edge.after]) {
        from[edge.after] = reached[i];
        reached.push_back(edge.after);
      }
  if (!from[launch])
    return llvm::Error::success();
  std::string cycle = "'" + problem.launches[launch].name + "'";
  for (unsigned at = *from[launch]; at != launch; at = *from[at])
    cycle += " after '" + problem.launches[at].name + "'";
  cycle += " after '" + problem.launches[launch].name + "'";
  return createStringError("node '%s' waits for itself: %s", name(launch),
                           cycle.c_str());
}

llvm::Error Check::checkOrders() const {
  for (auto [before, after] : problem.orders) {
    if (before >= problem.launches.size() || after >= problem.launches.size())
      return createStringError("an order names no node");
    if (before < after)
      continue;
    if (llvm::Error error = cycleThrough(after))
      return error;
    return createStringError("node '%s' comes before '%s', but stands behind "
                             "it in the program",
                             name(before), name(after));
  }
  return llvm::Error::success();
}

llvm::Error Check::checkUnits() const {
  for (auto [number, unit] : llvm::enumerate(problem.units)) {
    const std::vector<unsigned> &members = unit.launches;
    if (members.size() < 2 || members.back() >= problem.launches.size() ||
        !llvm::is_sorted(members, std::less_equal<unsigned>()))
      return createStringError("unit %zu does not name two nodes or more, each "
                               "once, in the order of the program",
                               number);
    const char *first = name(members.front());
    if (unit.times.size() != problem.threadCounts.size())
      return createStringError("the unit of node '%s' has %zu times for %zu "
                               "numbers of threads",
                               first, unit.times.size(),
                               problem.threadCounts.size());
    for (int64_t time : unit.times)
      if (time < 0 || time > mostTime)
        return createStringError("the unit of node '%s' has a time out of "
                                 "range",
                                 first);
  }
  return llvm::Error::success();
}

llvm::Error Check::run() const {
  if (problem.launches.size() > mostLaunches ||
      problem.tensors.size() > mostTensors)
    return createStringError("a problem has at most %zu nodes, %zu tensors",
                             mostLaunches, mostTensors);
  if (problem.units.size() > mostUnits)
    return createStringError("a problem has at most %zu units", mostUnits);
  if (llvm::Error error = checkDevice())
    return error;
  if (llvm::Error error = checkLaunches())
    return error;
  if (llvm::Error error = checkTensors())
    return error;
  if (llvm::Error error = checkInPlace())
    return error;
  if (llvm::Error error = checkUnits())
    return error;
  return checkOrders();
}

llvm::Error Problem::check() const { return Check(*this).run(); }
