//===- ScheduleTestProblems.h - problems of scheduling ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_TEST_UNIT_SCHEDULETESTPROBLEMS_H
#define TENON_TEST_UNIT_SCHEDULETESTPROBLEMS_H

#include "lib/Schedule/Problem.h"
#include "lib/Schedule/Text.h"
#include "llvm/ADT/STLExtras.h"

#include <random>

namespace tenon::sched {

/// Of a form that must be right.
inline Problem problemOf(llvm::StringRef text) {
  return llvm::cantFail(readProblem(text));
}

/// Two sides between a begin and an end.
inline constexpr const char *diamond = R"(
threads 1 2
device 2 join 0.2
node a ka 10 6
node b kb 20 12
node c kc 16 10
node d kd 10 6
tensor 8 a : b c
tensor 6 b : d
tensor 6 c : d
tensor 4 d : out
)";

/// Two sides with much between their two halves.
inline constexpr const char *branches = R"(
threads 1 2
device 2 join 0.2
node x kx 4 3
node p1 k1 20 12
node q1 k1 20 12
node p2 k2 10 6
node q2 k2 10 6
node y ky 4 3
tensor 8 x : p1 q1
tensor 40 p1 : p2
tensor 40 q1 : q2
tensor 4 p2 : y
tensor 4 q2 : y
tensor 2 y : out
)";

/// Two launches and what joins them, beside a long one.
inline constexpr const char *join = R"(
threads 1 2
device 2 join 0.2
node h kh 4 3
node c1 kc 10 6
node c2 kc 10 6
node s ks 2 1.5
node z kz 22 13
node o ko 4 3
tensor 4 h : c1 c2 z
tensor 4 c1 : s
tensor 4 c2 : s
tensor 4 s : o
tensor 4 z : o
tensor 4 o : out
)";

/// Two writers of one tensor, in no order.
inline constexpr const char *concatenation = R"(
threads 1 2
device 2 join 0.2
node a ka 4 3
node b kb 20 12
node c kb 20 12
node d kd 4 3
tensor 8 a : b c
tensor 12 b c : d
tensor 4 d : out
)";

/// Launches of five kinds: some gain from threads, some do not.
inline Launch randomLaunch(std::mt19937 &random, unsigned number,
                           unsigned threads) {
  int64_t kind = random() % 5, work = 4 + 7 * kind, serial = 5 + 10 * kind;
  Launch launch{"n" + std::to_string(number), "k" + std::to_string(kind), {}};
  for (unsigned count = 1; count <= threads; ++count)
    launch.times.push_back(work * (10 * serial + 10 * (100 - serial) / count) +
                           (count > 1 ? 400 : 0));
  if (random() % 2)
    launch.tiles = 1 + random() % 6;
  return launch;
}

/// Each later launch reads it by chance.
inline void addTensor(std::mt19937 &random, Problem &problem, Tensor tensor,
                      unsigned after, unsigned inAHundred) {
  for (unsigned reader = after; reader < problem.launches.size(); ++reader)
    if (random() % 100 < inAHundred)
      tensor.readers.push_back(reader);
  tensor.output = tensor.readers.empty() && random() % 2;
  if (tensor.writers.empty() && tensor.readers.empty())
    tensor.output = true;
  problem.tensors.push_back(std::move(tensor));
}

inline void addInPlace(std::mt19937 &random, Problem &problem) {
  for (unsigned launch = 0; launch < problem.launches.size(); ++launch)
    for (auto [number, tensor] : llvm::enumerate(problem.tensors))
      if (llvm::is_contained(tensor.readers, launch) && random() % 2)
        problem.inPlace.push_back({launch, unsigned(number)});
}

/// Sparse or dense, with tensors from the start, concatenations, orders without
/// data and results in place.
inline Problem randomProblem(std::mt19937 &random, unsigned launches,
                             unsigned threads) {
  Problem problem;
  problem.threads = threads;
  problem.join = random() % 2 ? 500 : 100;
  problem.threadCounts.clear();
  for (unsigned count = 1; count <= threads; ++count)
    problem.threadCounts.push_back(count);
  for (unsigned number = 0; number < launches; ++number)
    problem.launches.push_back(randomLaunch(random, number, threads));
  unsigned density = 15 + 10 * (random() % 5);
  for (unsigned writer = 0; writer < launches; ++writer)
    addTensor(random, problem, {int64_t(1 + random() % 9), {writer}},
              writer + 1, density);
  if (random() % 3 == 0)
    addTensor(random, problem, {int64_t(1 + random() % 9)}, 0, density);
  if (unsigned one = random() % launches, other = random() % launches;
      one < other)
    addTensor(random, problem, {int64_t(2 + random() % 9), {one, other}},
              other + 1, 30);
  if (unsigned one = random() % launches, other = random() % launches;
      one < other)
    problem.orders.push_back({one, other});
  if (random() % 2)
    addInPlace(random, problem);
  return problem;
}

/// Two or three launches that may be one: fused or merged, convex or not.
inline void addUnits(std::mt19937 &random, Problem &problem, unsigned count) {
  unsigned launches = unsigned(problem.launches.size());
  for (; count > 0; --count) {
    std::vector<unsigned> members;
    unsigned size = std::min(unsigned(2 + random() % 2), launches);
    while (members.size() < size)
      if (unsigned launch = random() % launches;
          !llvm::is_contained(members, launch))
        members.push_back(launch);
    llvm::sort(members);
    Unit unit{members, {}};
    int64_t percent = 50 + 10 * int64_t(random() % 6);
    for (size_t at = 0; at < problem.threadCounts.size(); ++at) {
      int64_t sum = 0;
      for (unsigned launch : members)
        sum += problem.launches[launch].times[at];
      unit.times.push_back(sum * percent / 100);
    }
    problem.units.push_back(std::move(unit));
  }
}

/// The same for a GPU: parts of it, blocks of two shapes, and so many
/// parameters that few launches share a wave.
inline Problem onGpu(std::mt19937 &random, Problem problem) {
  problem.threads = 1;
  problem.threadCounts = {1};
  problem.join = 0;
  problem.hop = 800;
  problem.processors = 100;
  for (Launch &launch : problem.launches) {
    launch.times.resize(1);
    launch.part = int64_t(1 + random() % 10) * wholeDevice / 10;
    if (unsigned size = random() % 3)
      launch.blocks = {128 * size, 1024, 1, int64_t(random() % 2500)};
  }
  for (Unit &unit : problem.units)
    unit.times.resize(1);
  return problem;
}

} // namespace tenon::sched

#endif // TENON_TEST_UNIT_SCHEDULETESTPROBLEMS_H
