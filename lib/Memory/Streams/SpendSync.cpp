//===- SpendSync.cpp - trade events for memory ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Streams that never wait for each other drift apart, and everything on one
// meets everything on the others. So this file first tries barriers, evenly
// spaced, ever more of them. Then it tries the most promising events one by
// one, and, where no single one helps (several tensors make the peak), the
// best of them at once. What was of no use is taken out again.
//===----------------------------------------------------------------------===//
#include "lib/Memory/Solve.h"
#include "lib/Memory/Streams/Clocks.h"
#include "lib/Memory/Streams/Streams.h"

#include "llvm/ADT/STLExtras.h"

using namespace tenon::mem;

namespace {
/// Events that let two tensors share bytes.
struct Candidate {
  std::vector<Event> events;
  int64_t bytes; ///< that the two could share
};

class Spender {
public:
  Spender(const Program &program, const SpendOptions &options)
      : options(options), original(program.events.size()) {
    result.program = program;
  }

  llvm::Expected<Spending> run() {
    if (!plan(result.program, result.solution))
      return wrongPlan();
    result.bytesBefore = result.solution.arenaBytes();
    result.makespanBefore = makespan(result.program);
    buyBarriers();
    while (hasTrials() && improve())
      ;
    prune();
    if (!failure.empty())
      return wrongPlan();
    result.bytesAfter = result.solution.arenaBytes();
    result.makespanAfter = makespan(result.program);
    result.events = unsigned(result.program.events.size() - original);
    // Nothing that led here is taken on trust.
    if (llvm::Error error = result.program.check())
      return error;
    if (llvm::Error error = validateProgram(result.program, result.solution))
      return error;
    return std::move(result);
  }

private:
  static constexpr size_t mostTensors = 256, mostCandidates = 16;
  const SpendOptions &options;
  size_t original; ///< events of the program as it was given
  Spending result;
  std::string failure; ///< what is wrong with what the planner gave

  llvm::Error wrongPlan() const {
    return llvm::createStringError("a wrong plan: %s", failure.c_str());
  }

  bool hasTrials() const {
    return failure.empty() && result.trials < options.trials;
  }

  bool plan(const Program &program, Solution &solution) {
    Problem problem = problemOf(program);
    solution =
        options.planner ? options.planner(problem) : solvePortfolio(problem);
    failure = llvm::toString(validate(problem, solution));
    return failure.empty();
  }

  int64_t price(const Program &program) const {
    return int64_t(program.events.size()) * options.bytesPerEvent;
  }

  /// Takes a program whose plan is worth its events.
  bool take(Program &&program) {
    ++result.trials;
    Solution solution;
    if (!topologicalOrder(program) || !plan(program, solution))
      return false;
    int64_t saved = result.solution.arenaBytes() - solution.arenaBytes();
    if (saved <= price(program) - price(result.program) || saved <= 0)
      return false;
    result.program = std::move(program);
    result.solution = std::move(solution);
    return true;
  }

  /// Doubles the number of barriers as long as that pays, for at most half of
  /// the trials.
  void buyBarriers() {
    Program best = result.program;
    std::vector<unsigned> order = *topologicalOrder(best);
    unsigned misses = 0;
    for (size_t many = 1; many < order.size() && misses < 2; many *= 2) {
      if (!hasTrials() || result.trials >= options.trials / 2)
        return;
      Program program = best;
      for (size_t k = 1; k <= many; ++k)
        addBarrier(program, order, k * order.size() / (many + 1));
      misses = take(std::move(program)) ? 0 : misses + 1;
    }
  }

  /// Lets everything from a position on wait for everything before it.
  static void addBarrier(Program &program, llvm::ArrayRef<unsigned> order,
                         size_t position) {
    std::vector<std::optional<unsigned>> last(program.streams);
    std::vector<std::optional<unsigned>> first(program.streams);
    for (unsigned n : order.take_front(position))
      last[program.nodes[n].stream] = n;
    for (unsigned n : llvm::reverse(order.drop_front(position)))
      first[program.nodes[n].stream] = n;
    Clocks clocks(program);
    for (std::optional<unsigned> from : last)
      for (std::optional<unsigned> to : first)
        if (from && to && !clocks.precedes(*from, *to))
          program.events.push_back({*from, *to});
  }

  bool improve() {
    std::vector<Candidate> candidates = propose();
    for (const Candidate &candidate : candidates) {
      if (!hasTrials())
        return false;
      Program program = result.program;
      llvm::append_range(program.events, candidate.events);
      if (take(std::move(program)))
        return true;
    }
    for (size_t many = 2; many <= candidates.size() && hasTrials(); many *= 2)
      if (takeTogether(llvm::ArrayRef(candidates).take_front(many)))
        return true;
    return false;
  }

  /// The candidates one after the other, as long as none closes a cycle with
  /// those before, and without those that the rest makes superfluous.
  bool takeTogether(llvm::ArrayRef<Candidate> candidates) {
    Program program = result.program;
    for (const Candidate &candidate : candidates) {
      Clocks clocks(program);
      for (const Event &event : candidate.events)
        if (!clocks.precedes(event.after, event.before) &&
            !clocks.precedes(event.before, event.after))
          program.events.push_back(event);
    }
    if (!topologicalOrder(program))
      return false;
    Solution solution;
    ++result.trials;
    if (!plan(program, solution) ||
        solution.arenaBytes() >= result.solution.arenaBytes())
      return false;
    size_t first = result.program.events.size();
    dropUseless(program, solution, first);
    return hasTrials() && take(std::move(program));
  }

  /// Removes events from `first` on without which the plan is no larger: many
  /// at once, then ever fewer.
  void dropUseless(Program &program, Solution &solution, size_t first) {
    size_t many = program.events.size() - first;
    for (; many > 0; many /= 2)
      for (size_t end = program.events.size(); end > first && hasTrials();) {
        size_t begin = end - std::min(many, end - first);
        Program without = program;
        without.events.erase(without.events.begin() + begin,
                             without.events.begin() + end);
        end = begin;
        Solution other;
        ++result.trials;
        if (!plan(without, other) || other.arenaBytes() > solution.arenaBytes())
          continue;
        program = std::move(without);
        solution = std::move(other);
      }
  }

  void prune() { dropUseless(result.program, result.solution, original); }

  /// The largest tensors that may end early, or begin late.
  std::vector<unsigned> largest() const {
    const std::vector<Tensor> &tensors = result.program.tensors;
    std::vector<unsigned> chosen;
    for (unsigned t = 0; t < tensors.size(); ++t)
      if (tensors[t].size && !tensors[t].lifelong && !tensors[t].fixed)
        chosen.push_back(t);
    llvm::stable_sort(chosen, [&](unsigned a, unsigned b) {
      return tensors[a].size > tensors[b].size;
    });
    chosen.resize(std::min(chosen.size(), mostTensors));
    return chosen;
  }

  std::vector<Candidate> propose() const {
    Clocks clocks(result.program);
    Problem problem = problemOf(result.program);
    std::vector<unsigned> chosen = largest();
    std::vector<Candidate> candidates;
    for (unsigned a : chosen)
      for (unsigned b : chosen)
        if (a != b && problem.meet(a, b))
          addCandidate(a, b, clocks, candidates);
    // Bytes per event.
    llvm::stable_sort(candidates, [](const Candidate &x, const Candidate &y) {
      return x.bytes / int64_t(x.events.size()) >
             y.bytes / int64_t(y.events.size());
    });
    if (candidates.size() > mostCandidates)
      candidates.erase(candidates.begin() + mostCandidates, candidates.end());
    return candidates;
  }

  /// Events after which `a` would be done before `b`.
  void addCandidate(unsigned a, unsigned b, const Clocks &clocks,
                    std::vector<Candidate> &candidates) const {
    const Tensor &first = result.program.tensors[a];
    const Tensor &second = result.program.tensors[b];
    if (first.output || !second.producer || first.scope != second.scope)
      return;
    Candidate candidate{{}, std::min(first.size, second.size)};
    for (unsigned start : result.program.producersOf(b))
      if (!addEvents(a, start, clocks, candidate))
        return;
    if (!candidate.events.empty())
      candidates.push_back(std::move(candidate));
  }

  /// Lets a node wait for all uses of a tensor; false where that would close a
  /// cycle.
  bool addEvents(unsigned tensor, unsigned start, const Clocks &clocks,
                 Candidate &candidate) const {
    std::vector<unsigned> waits;
    for (unsigned use : result.program.usesOf(tensor)) {
      if (use == start || clocks.precedes(start, use))
        return false;
      if (!clocks.precedes(use, start))
        waits.push_back(use);
    }
    for (unsigned use : waits)
      if (llvm::none_of(waits, [&](unsigned later) {
            return clocks.precedes(use, later);
          }))
        candidate.events.push_back({use, start});
    return true;
  }
};
} // namespace

llvm::Expected<Spending> tenon::mem::spendSync(const Program &program,
                                               const SpendOptions &options) {
  if (llvm::Error error = program.check())
    return error;
  if (options.bytesPerEvent < 0 || options.bytesPerEvent > int64_t(1) << 40)
    return llvm::createStringError("the price of an event is out of range");
  return Spender(program, options).run();
}
