//===- CheckpointTestProblems.h - problems of checkpointing -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_TEST_UNIT_CHECKPOINTTESTPROBLEMS_H
#define TENON_TEST_UNIT_CHECKPOINTTESTPROBLEMS_H

#include "lib/Checkpoint/Problem.h"
#include "lib/Checkpoint/Text.h"
#include "llvm/ADT/STLExtras.h"

#include <random>
#include <set>

namespace tenon::ckpt {

/// Of a form that must be right.
inline Problem problemOf(llvm::StringRef text) {
  return llvm::cantFail(readProblem(text));
}

//===-- Chains ------------------------------------------------------------===//

inline constexpr int64_t microsecond = 1'000'000;

/// What makes a chain differ from f1..fL, the loss, g_L..g_1, all of one byte
/// and one microsecond, where backward step i reads g_i and f_(i-1). Numbers
/// count from 1.
struct ChainOptions {
  std::vector<std::pair<unsigned, unsigned>> skips = {}; ///< read by, too
  std::pair<unsigned, int64_t> bytes = {}, time = {};    ///< of one
};

/// Values: f1 to fL, then gL to g1.
inline Problem chainOf(unsigned length, const ChainOptions &options = {}) {
  Problem problem;
  auto f = [](unsigned i) { return i - 1; };
  auto g = [&](unsigned i) { return 2 * length - i; };
  auto bytes = [&](unsigned i) {
    return i == options.bytes.first ? options.bytes.second : 1;
  };
  auto operands = [&](unsigned i) {
    std::vector<unsigned> found;
    for (auto [from, by] : options.skips)
      if (by == i)
        found.push_back(f(from));
    if (i > 1)
      found.push_back(f(i - 1));
    return found;
  };
  auto add = [&](std::string name, int64_t time, std::vector<unsigned> reads,
                 std::vector<unsigned> writes) {
    problem.steps.push_back(
        {std::move(name), {{time}}, 0, std::move(reads), std::move(writes)});
  };
  for (unsigned i = 1; i <= length; ++i) {
    int64_t time =
        (i == options.time.first ? options.time.second : 1) * microsecond;
    problem.values.push_back(
        {"f" + std::to_string(i), bytes(i), false, Recipe{operands(i), time}});
    add("f" + std::to_string(i), microsecond, operands(i), {f(i)});
  }
  for (unsigned i = length; i >= 1; --i)
    problem.values.push_back({"g" + std::to_string(i), bytes(i)});
  add("loss", microsecond, {f(length)}, {g(length)});
  for (unsigned i = length; i >= 1; --i) {
    std::vector<unsigned> reads = operands(i);
    reads.push_back(g(i));
    add("g" + std::to_string(i), microsecond, reads,
        i > 1 ? std::vector<unsigned>{g(i - 1)} : std::vector<unsigned>{});
  }
  problem.loss = length;
  return problem;
}

//===-- Random training programs ------------------------------------------===//

/// Draws small programs: operations that are contractions or element-wise,
/// then their gradients, with what those absorb and overwrite.
class RandomProgram {
public:
  explicit RandomProgram(std::mt19937 &random) : random(random) {}

  /// With `operations` forward operations, an operation's result at most twice
  /// an operand of the others.
  Problem draw(unsigned operations) {
    problem = {{12'000, 2 * microsecond}};
    drawOperations(operations);
    for (unsigned i = 0; i < operations; ++i)
      addForward(i);
    problem.loss = operations - 1;
    addLosses();
    for (unsigned i = operations; i-- > 0;)
      addBackward(i);
    return std::move(problem);
  }

private:
  struct Operation {
    std::vector<unsigned> operands;
    bool contracts;
    int64_t bytes;
  };

  bool chance(unsigned inAHundred) { return random() % 100 < inAHundred; }

  void drawOperations(unsigned count) {
    static constexpr int64_t sizes[] = {1, 2, 4, 8, 16, 3, 6, 12};
    operations.clear();
    for (unsigned i = 0; i < count; ++i) {
      std::set<unsigned> operands;
      if (i > 0)
        operands.insert(chance(70) ? i - 1 : random() % i);
      if (i > 1 && chance(35))
        operands.insert(random() % i);
      int64_t bytes = sizes[random() % 8] << 20;
      Operation operation{
          {operands.begin(), operands.end()}, chance(45), bytes};
      if (i > 0 && !operation.contracts && chance(70)) {
        operation.bytes = 0;
        for (unsigned operand : operands)
          operation.bytes =
              std::max(operation.bytes, operations[operand].bytes);
      }
      operations.push_back(std::move(operation));
    }
  }

  /// As traffic of its result, times what it does with it.
  int64_t timeOf(const Operation &operation) {
    int64_t traffic = operation.bytes * 1'000'000 / 12'000;
    int64_t percent =
        operation.contracts ? 300 + random() % 3700 : 10 + random() % 110;
    return traffic * percent / 100;
  }

  int64_t stateOf() { return random() % 2 ? 1 << 20 : 0; }

  unsigned addValue(std::string name, int64_t bytes) {
    problem.values.push_back({std::move(name), bytes});
    return unsigned(problem.values.size() - 1);
  }

  void addForward(unsigned i) {
    const Operation &operation = operations[i];
    std::string name = "f" + std::to_string(i);
    int64_t time = timeOf(operation);
    int64_t state = operation.contracts || i == 0 ? stateOf() : 0;
    unsigned value = addValue(name, operation.bytes);
    problem.values[value].recipe =
        Recipe{operation.operands, time, state, {}, !operation.contracts};
    problem.steps.push_back(
        {name, {{time}}, state, operation.operands, {value}});
  }

  bool isRead(unsigned value) const {
    return llvm::any_of(operations, [&](const Operation &operation) {
      return llvm::is_contained(operation.operands, value);
    });
  }

  void addLosses() {
    gradients.assign(operations.size(), std::nullopt);
    for (unsigned i = 0; i < operations.size(); ++i) {
      if (isRead(i))
        continue;
      int64_t bytes = operations[i].bytes;
      std::string name = "l" + std::to_string(i);
      unsigned value = addValue(name, bytes);
      gradients[i] = value;
      problem.steps.push_back(
          {name, {{bytes * 1'000'000 / 12'000 / 5}}, 0, {i}, {value}});
      problem.steps.back().overwrites = {i};
    }
  }

  /// What an element-wise step could compute itself: element-wise chains that
  /// are no larger than what they make.
  void addAbsorbs(Step &step, std::vector<unsigned> work) {
    std::set<unsigned> seen;
    while (!work.empty()) {
      unsigned value = work.back();
      work.pop_back();
      const Operation &operation = operations[value];
      if (!seen.insert(value).second || operation.contracts ||
          operation.operands.empty() || !chance(70) ||
          llvm::any_of(operation.operands, [&](unsigned operand) {
            return operations[operand].bytes > operation.bytes;
          }))
        continue;
      step.absorbs.push_back({value, problem.values[value].recipe->time});
      llvm::append_range(work, operation.operands);
    }
    llvm::sort(step.absorbs, [](const Absorb &one, const Absorb &other) {
      return one.value < other.value;
    });
  }

  void addBackward(unsigned i) {
    const Operation &operation = operations[i];
    std::set<unsigned> kept;
    for (unsigned operand : operation.operands)
      if (operation.contracts || chance(60))
        kept.insert(operand);
    if (!operation.contracts && chance(60))
      kept.insert(i);
    std::string name = "b" + std::to_string(i);
    Step step{name, {{timeOf(operation)}}, stateOf()};
    std::set<unsigned> reads = kept;
    reads.insert(*gradients[i]);
    for (unsigned operand : operation.operands) {
      if (gradients[operand])
        reads.insert(*gradients[operand]);
      unsigned value = addValue(name + "_" + std::to_string(operand),
                                operations[operand].bytes);
      step.writes.push_back(value);
      gradients[operand] = value;
    }
    step.reads.assign(reads.begin(), reads.end());
    if (!operation.contracts) {
      addAbsorbs(step, {kept.begin(), kept.end()});
      for (unsigned value = 0; value < problem.values.size(); ++value)
        if (!llvm::is_contained(step.writes, value))
          step.overwrites.push_back(value);
    }
    problem.steps.push_back(std::move(step));
  }

  std::mt19937 &random;
  Problem problem;
  std::vector<Operation> operations;
  std::vector<std::optional<unsigned>> gradients;
};

/// A training program of `least` to `most` values.
inline Problem randomProgram(std::mt19937 &random, unsigned least,
                             unsigned most) {
  while (true) {
    Problem problem =
        RandomProgram(random).draw(3 + random() % std::max(1u, most / 2 - 2));
    if (problem.values.size() >= least && problem.values.size() <= most)
      return problem;
  }
}

/// The same with what else a problem may say, by chance: pinned results,
/// states that are updated, slower variants.
inline Problem richProgram(std::mt19937 &random, unsigned least,
                           unsigned most) {
  Problem problem = randomProgram(random, least, most);
  std::vector<unsigned> births = birthsOf(problem);
  for (auto [index, value] : llvm::enumerate(problem.values)) {
    value.pinned = random() % 8 == 0;
    if (value.recipe && random() % 4 == 0)
      value.recipe->until =
          births[index] + random() % (problem.steps.size() - births[index]);
  }
  for (auto [index, step] : llvm::enumerate(problem.steps)) {
    llvm::erase_if(step.absorbs, [&, at = unsigned(index)](const Absorb &a) {
      return !mayCompute(problem.values[a.value], at);
    });
    Variant &first = step.variants.front();
    if (random() % 4)
      continue;
    first.scratch = int64_t(1 + random() % 8) << 20;
    step.variants.push_back({first.time + first.time / 2, first.scratch / 2});
  }
  return problem;
}

} // namespace tenon::ckpt

#endif // TENON_TEST_UNIT_CHECKPOINTTESTPROBLEMS_H
