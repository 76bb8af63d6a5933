//===- Arena.cpp - where tensors of steps lie -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Schedule/Steps/Arena.h"
#include "lib/Memory/Solve.h"
#include "lib/Support/SortUnique.h"
#include "llvm/ADT/STLExtras.h"

using namespace tenon;
using namespace tenon::sched;

/// Those that use a tensor, each once.
static std::vector<unsigned> usersOf(const Tensor &tensor) {
  std::vector<unsigned> users = tensor.writers;
  llvm::append_range(users, tensor.readers);
  sortUnique(users);
  return users;
}

/// The largest power of two that all sizes are multiples of.
static int64_t alignmentOf(const Problem &problem) {
  constexpr int64_t most = 4096;
  int64_t bits = most;
  for (const Tensor &tensor : problem.tensors)
    bits |= tensor.bytes;
  return bits & -bits;
}

namespace {
/// First and last stage of each tensor.
class Lives {
public:
  Lives(const Problem &problem, llvm::ArrayRef<Step> steps,
        llvm::ArrayRef<unsigned> stageOf, int64_t room)
      : problem(problem), stepOf(stepsOfLaunches(problem, steps)),
        stages(stageOf.empty() ? 1 : stageOf.back() + 1),
        alignment(alignmentOf(problem)) {
    for (auto [number, tensor] : llvm::enumerate(problem.tensors))
      addBuffer(std::to_string(number), tensor, steps, stageOf);
    for (auto [launch, operand] : problem.inPlace)
      addInPlace(launch, operand, stageOf);
    leaveAlone(room);
  }

  mem::Problem memory;

private:
  /// Makes all lives longer by a stage, small tensors first, as long as there
  /// is room.
  void leaveAlone(int64_t room) {
    std::vector<int64_t> live(stages, 0);
    std::vector<unsigned> order;
    std::vector<bool> isOver(memory.buffers.size(), false);
    for (const mem::Overlay &overlay : memory.overlays)
      isOver[overlay.whole] = true;
    for (auto [number, buffer] : llvm::enumerate(memory.buffers)) {
      for (int64_t at = buffer.lower[0]; at < buffer.upper[0]; ++at)
        live[at] += buffer.size;
      if (!isOver[number] && buffer.size > 0)
        order.push_back(unsigned(number));
    }
    llvm::sort(order, [&](unsigned a, unsigned b) {
      return std::pair(memory.buffers[a].size, a) <
             std::pair(memory.buffers[b].size, b);
    });
    constexpr unsigned mostStages = 32;
    for (unsigned round = 0; round < mostStages; ++round)
      for (unsigned number : order) {
        mem::Buffer &buffer = memory.buffers[number];
        int64_t end = buffer.upper[0];
        if (end == stages || live[end] + buffer.size > room)
          continue;
        live[end] += buffer.size;
        buffer.upper = end + 1;
      }
  }

  void addBuffer(std::string id, const Tensor &tensor,
                 llvm::ArrayRef<Step> steps, llvm::ArrayRef<unsigned> stageOf) {
    std::vector<unsigned> users = usersOf(tensor);
    bool given = tensor.writers.empty();
    unsigned first = given ? 0 : stages - 1, last = 0;
    for (unsigned user : users) {
      first = std::min(first, stageOf[stepOf[user]]);
      last = std::max(last, stageOf[stepOf[user]]);
    }
    auto isInside = [&](unsigned user) {
      return stepOf[user] == stepOf[users.front()];
    };
    bool vanishes = !given && !tensor.output && llvm::all_of(users, isInside) &&
                    steps[stepOf[users.front()]].unit;
    memory.buffers.push_back({std::move(id), int64_t(first),
                              int64_t(tensor.output ? stages : last + 1),
                              vanishes ? 0 : tensor.bytes, alignment});
  }

  /// The first tensor that a launch begins, alone in its stage.
  std::optional<unsigned> resultOf(unsigned launch, int64_t stage,
                                   llvm::ArrayRef<unsigned> stageOf) const {
    for (auto [number, tensor] : llvm::enumerate(problem.tensors)) {
      auto isBeside = [&](unsigned user) {
        return user != launch && stageOf[stepOf[user]] == stage;
      };
      if (llvm::is_contained(tensor.writers, launch) &&
          memory.buffers[number].lower[0] == stage)
        return llvm::any_of(usersOf(tensor), isBeside)
                   ? std::nullopt
                   : std::optional(unsigned(number));
    }
    return std::nullopt;
  }

  void addInPlace(unsigned launch, unsigned operand,
                  llvm::ArrayRef<unsigned> stageOf) {
    int64_t stage = stageOf[stepOf[launch]];
    const mem::Buffer &whole = memory.buffers[operand];
    auto isBeside = [&](unsigned user) {
      return user != launch && stageOf[stepOf[user]] == stage;
    };
    if (whole.upper[0] != stage + 1 || whole.size == 0 ||
        problem.tensors[operand].output ||
        llvm::any_of(usersOf(problem.tensors[operand]), isBeside))
      return;
    auto result = resultOf(launch, stage, stageOf);
    bool isTaken = llvm::any_of(memory.overlays, [&](const auto &overlay) {
      return overlay.part == result;
    });
    if (!result || isTaken || memory.buffers[*result].size == 0)
      return;
    memory.overlays.push_back({operand, *result, 0, mem::Overlay::InPlace});
  }

  const Problem &problem;
  std::vector<unsigned> stepOf;
  unsigned stages;
  int64_t alignment;
};
} // namespace

std::optional<Placement> sched::placeBytes(const Problem &problem,
                                           llvm::ArrayRef<Step> steps,
                                           llvm::ArrayRef<unsigned> stageOf,
                                           const PlacementOptions &options) {
  if (problem.tensors.empty())
    return Placement();
  mem::Problem memory = Lives(problem, steps, stageOf, options.room).memory;
  if (mem::lowerBound(memory) > options.most)
    return std::nullopt;
  mem::Options how;
  how.work = options.work;
  how.capacity = options.most == INT64_MAX ? 0 : options.most;
  how.solver = "repair"; // a smaller arena is worth no search
  mem::Solution solution = mem::solve(memory, how).solution;
  if (solution.arenaBytes() > options.most)
    return std::nullopt;
  return Placement{solution.offsets, solution.arenaBytes()};
}

namespace {
/// What each step begins, and what is over with it.
struct Changes {
  std::vector<int64_t> begun, ended;
  int64_t given = 0; ///< bytes from the start

  Changes(const Problem &problem, llvm::ArrayRef<Step> steps)
      : begun(steps.size(), 0), ended(steps.size(), 0) {
    std::vector<unsigned> stepOf = stepsOfLaunches(problem, steps);
    for (const Tensor &tensor : problem.tensors) {
      unsigned first = unsigned(steps.size()), last = 0;
      for (const auto *list : {&tensor.writers, &tensor.readers})
        for (unsigned user : *list) {
          first = std::min(first, stepOf[user]);
          last = std::max(last, stepOf[user]);
        }
      if (tensor.writers.empty())
        given += tensor.bytes;
      else
        begun[first] += tensor.bytes;
      if (!tensor.output && first < steps.size())
        ended[last] += tensor.bytes;
    }
  }
};
} // namespace

int64_t sched::peakInTurn(const Problem &problem, llvm::ArrayRef<Step> steps) {
  Changes changes(problem, steps);
  int64_t live = changes.given, most = live;
  for (auto [begun, ended] : llvm::zip_equal(changes.begun, changes.ended)) {
    most = std::max(most, live + begun);
    live += begun - ended;
  }
  return most;
}

std::vector<unsigned> sched::stagesAlong(const Problem &problem,
                                         llvm::ArrayRef<Step> steps,
                                         int64_t most) {
  Changes changes(problem, steps);
  auto edges = stepEdges(problem, steps);
  std::vector<unsigned> stageOf;
  int64_t live = changes.given, freed = 0;
  unsigned stage = 0;
  size_t begin = 0;
  for (size_t step = 0; step < steps.size(); ++step) {
    bool waits = llvm::any_of(edges[step],
                              [&](unsigned before) { return before >= begin; });
    if (step > 0 && (waits || live + changes.begun[step] > most)) {
      live -= freed;
      freed = 0;
      begin = step;
      ++stage;
    }
    live += changes.begun[step];
    freed += changes.ended[step];
    stageOf.push_back(stage);
  }
  return stageOf;
}
