//===- Execute.cpp - groups run against their program ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Poly/Execute.h"

#include "lib/Poly/Machine.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <random>

using namespace tenon;
using namespace tenon::poly;

int64_t poly::instancesOf(const Scop &scop) {
  uint64_t sum = 0;
  for (const Statement &statement : scop.statements) {
    uint64_t instances = 1;
    for (const Dim &dim : statement.dims)
      instances = llvm::SaturatingMultiply(instances, uint64_t(dim.extent));
    sum = llvm::SaturatingAdd(sum, instances);
  }
  return int64_t(std::min(sum, uint64_t(INT64_MAX)));
}

Plan poly::planOf(const Scop &scop, llvm::ArrayRef<Group> groups) {
  Plan plan = {scop, groups.vec(), {}};
  for (const Group &group : groups)
    plan.footprints.push_back(footprintOf(scop, group));
  return plan;
}

//===-- Loops of host dimensions ------------------------------------------===//

/// All points of ranges, the last dimension the fastest.
static bool next(std::vector<int64_t> &point, llvm::ArrayRef<Range> ranges) {
  for (size_t dim = ranges.size(); dim-- > 0;) {
    point[dim] += ranges[dim].step;
    if (point[dim] <= ranges[dim].high)
      return true;
    point[dim] = ranges[dim].low;
  }
  return false;
}

static std::vector<Range> hostRanges(const Statement &statement) {
  std::vector<Range> ranges;
  for (const Dim &dim : statement.dims)
    if (dim.kind == DimKind::Host)
      ranges.push_back({0, dim.extent - 1, 1});
  return ranges;
}

/// Calls `run(item, step)` for all items in order; those that follow each other
/// and have the same host dimensions take turns in each step.
static void
forSteps(size_t items, llvm::function_ref<std::vector<Range>(size_t)> ranges,
         llvm::function_ref<void(size_t, llvm::ArrayRef<int64_t>)> run) {
  for (size_t first = 0; first < items;) {
    std::vector<Range> host = ranges(first);
    size_t end = first + 1;
    while (!host.empty() && end < items && ranges(end) == host)
      ++end;
    std::vector<int64_t> step(host.size());
    do {
      for (size_t item = first; item < end; ++item)
        run(item, step);
    } while (next(step, host));
    first = end;
  }
}

//===-- The program -------------------------------------------------------===//

static std::vector<Range> allOf(const Statement &statement,
                                llvm::ArrayRef<int64_t> step) {
  std::vector<Range> ranges;
  for (const Dim &dim : statement.dims)
    ranges.push_back({0, dim.extent - 1, 1});
  for (auto [range, at] : llvm::zip(ranges, step))
    range = {at, at, 1};
  return ranges;
}

static void runProgram(Machine &machine) {
  const Scop &scop = machine.scop();
  forSteps(
      scop.statements.size(),
      [&](size_t i) { return hostRanges(scop.statements[i]); },
      [&](size_t i, llvm::ArrayRef<int64_t> step) {
        machine.run(i, allOf(scop.statements[i], step), nullptr);
      });
}

//===-- Groups ------------------------------------------------------------===//

/// Tensors that others than a group read, or later steps of it.
static std::vector<bool> outputsOf(const Scop &scop, const Group &group) {
  std::vector<bool> outputs;
  for (const Tensor &tensor : scop.tensors)
    outputs.push_back(tensor.liveOut);
  for (auto [index, reader] : llvm::enumerate(scop.statements)) {
    bool inside = llvm::is_contained(group.statements, unsigned(index));
    for (const Access &read : reader.reads)
      if (!inside || hostDimsOf(reader) > 0)
        outputs[read.tensor] = true;
  }
  return outputs;
}

static void runTile(Machine &machine, const Plan &plan, size_t number,
                    llvm::ArrayRef<int64_t> tile, const Tile &context) {
  const Group &group = plan.groups[number];
  const Footprint &footprint = plan.footprints[number];
  BoxMath math(footprint.tiles);
  Tile local = context;
  for (auto [index, domain] :
       llvm::zip_equal(group.statements, footprint.domains)) {
    if (!domain)
      continue;
    std::vector<Range> ranges;
    for (const BoxDim &dim : domain->dims)
      ranges.push_back(math.at(dim, dim.tileDim < 0 ? 0 : tile[dim.tileDim]));
    if (llvm::none_of(ranges, [](const Range &range) { return range.empty(); }))
      machine.run(index, ranges, &local);
  }
}

/// All tiles of one step, in any order.
static void runGroup(Machine &machine, const Plan &plan, size_t number,
                     llvm::ArrayRef<int64_t> step, const Tile &context,
                     std::mt19937_64 &random) {
  std::vector<Range> ranges;
  for (const TileDim &dim : plan.footprints[number].tiles)
    ranges.push_back({0, dim.count() - 1, 1});
  for (size_t host = 0; host < step.size(); ++host)
    ranges[ranges.size() - step.size() + host] = {step[host], step[host], 1};
  std::vector<int64_t> tile;
  for (const Range &range : ranges)
    tile.push_back(range.low);
  std::vector<std::vector<int64_t>> tiles;
  do {
    tiles.push_back(tile);
  } while (next(tile, ranges));
  for (size_t i = tiles.size(); i > 1; --i)
    std::swap(tiles[i - 1], tiles[random() % i]);
  for (const std::vector<int64_t> &each : tiles)
    runTile(machine, plan, number, each, context);
}

static void runPlan(Machine &machine, const Plan &plan, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Tile> contexts(plan.groups.size());
  for (auto [group, context] : llvm::zip_equal(plan.groups, contexts))
    context.outputs = outputsOf(plan.scop, group);
  uint64_t launches = 0;
  forSteps(
      plan.groups.size(),
      [&](size_t i) {
        return hostRanges(
            plan.scop.statements[plan.groups[i].statements.front()]);
      },
      [&](size_t i, llvm::ArrayRef<int64_t> step) {
        contexts[i].launch = ++launches;
        runGroup(machine, plan, i, step, contexts[i], random);
      });
}

llvm::Error poly::execute(const Scop &scop) {
  Machine machine(scop);
  runProgram(machine);
  if (machine.problem().empty())
    return llvm::Error::success();
  return llvm::createStringError(machine.problem());
}

llvm::Error poly::compare(const Scop &program, const Plan &plan,
                          uint64_t seed) {
  Machine expected(program), actual(plan.scop);
  runProgram(expected);
  if (!expected.problem().empty())
    return llvm::createStringError("the program itself: " + expected.problem());
  runPlan(actual, plan, seed);
  std::string problem = actual.problem();
  if (problem.empty())
    problem = actual.differenceFrom(expected);
  if (problem.empty())
    return llvm::Error::success();
  return llvm::createStringError("the groups' " + problem);
}
