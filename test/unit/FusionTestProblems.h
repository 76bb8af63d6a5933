//===- FusionTestProblems.h - problems of grouping -----------------*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_TEST_UNIT_FUSIONTESTPROBLEMS_H
#define TENON_TEST_UNIT_FUSIONTESTPROBLEMS_H

#include "lib/Fusion/Problem.h"
#include "llvm/ADT/STLExtras.h"

#include <map>
#include <random>

namespace tenon::fusion {

/// Any costs, the same for the same group.
class RandomOracle : public Oracle {
public:
  RandomOracle(uint64_t seed, unsigned impossible)
      : seed(seed), saving(int(seed % 19) - 4), impossible(impossible) {}

  std::optional<Cost> cost(const Group &group) override {
    ++asked;
    return costOf(group);
  }
  std::optional<Cost> bound(const Group &group) override {
    std::optional<Cost> cost = costOf(group);
    if (!hasBounds)
      return Cost();
    if (!cost)
      return hash(group, 3) % 2 ? std::optional(Cost{1}) : std::nullopt;
    cost->time -= int64_t(hash(group, 4) % 8);
    cost->memory = 0;
    return cost;
  }
  bool mayShare(unsigned from, unsigned to) override {
    return !hasWalls || hash({{from, to}, {}}, 5) % 6 != 0;
  }

  int64_t asked = 0;
  bool hasBounds = false, hasWalls = false;

private:
  uint64_t hash(const Group &group, uint64_t salt) const {
    uint64_t state = seed * 1000003 + salt;
    auto mix = [&](uint64_t value) {
      state = (state ^ (value + 1)) * 0x9E3779B97F4A7C15u;
      state ^= state >> 29;
    };
    llvm::for_each(group.atoms, mix);
    mix(1000);
    llvm::for_each(group.clones, mix);
    return state >> 8;
  }
  /// Around what the atoms take apart: mostly above or mostly below, as the
  /// seed will have it.
  std::optional<Cost> costOf(const Group &group) const {
    unsigned size = group.atoms.size() + group.clones.size();
    if (size > 1 && hash(group, 1) % 100 < impossible)
      return std::nullopt;
    int64_t time = 0;
    for (unsigned atom : group.atoms)
      time += 20 + int64_t(hash({{atom}, {}}, 2) % 20);
    time += int64_t(size - 1) * (int64_t(hash(group, 2) % 21) - 10 - saving);
    time += int64_t(group.clones.size()) * 4;
    return Cost{std::max<int64_t>(time, 1), int64_t(hash(group, 6) % 50)};
  }

  uint64_t seed;
  int64_t saving;
  unsigned impossible; ///< of a hundred groups
};

/// Costs from a table; groups that are not in it do not exist. Single atoms
/// take 10.
class TableOracle : public Oracle {
public:
  explicit TableOracle(std::map<Group, int64_t> table)
      : table(std::move(table)) {}

  std::optional<Cost> cost(const Group &group) override {
    ++asked;
    if (auto found = table.find(group); found != table.end())
      return Cost{found->second};
    if (group.atoms.size() == 1 && group.clones.empty())
      return Cost{10};
    return std::nullopt;
  }

  int64_t asked = 0;

private:
  std::map<Group, int64_t> table;
};

/// Each launch takes 10, each atom 1, and a group 3 more from 7 atoms on: so
/// the best groups are neither the smallest nor the largest.
class LaunchOracle : public Oracle {
public:
  std::optional<Cost> cost(const Group &group) override {
    ++asked;
    int64_t atoms = group.atoms.size();
    return Cost{10 + atoms + std::max<int64_t>(0, atoms - 6) * 3};
  }
  int64_t asked = 0;
};

/// Whether edges and readers hold all atoms together.
inline bool isConnected(const Problem &problem) {
  std::vector<bool> reached(problem.atoms, false);
  reached[0] = true;
  for (unsigned round = 0; round < problem.atoms; ++round) {
    for (auto [from, to] : problem.edges)
      if (reached[from] || reached[to])
        reached[from] = reached[to] = true;
    for (const std::vector<unsigned> &set : problem.readers)
      if (llvm::any_of(set, [&](unsigned atom) { return reached[atom]; }))
        for (unsigned atom : set)
          reached[atom] = true;
  }
  return !llvm::is_contained(reached, false);
}

/// Edge by edge from the bits: 0-1, 0-2, 1-2, 0-3, ...
inline Problem problemOf(unsigned atoms, unsigned bits) {
  Problem problem;
  problem.atoms = atoms;
  for (unsigned to = 1; to < atoms; ++to)
    for (unsigned from = 0; from < to; ++from, bits >>= 1)
      if (bits & 1)
        problem.edges.push_back({from, to});
  return problem;
}

/// Sparse or dense, with readers, atoms alone and ones that may be cloned.
inline Problem randomProblem(std::mt19937 &random, unsigned atoms) {
  Problem problem;
  problem.atoms = atoms;
  unsigned density = 2 + random() % 5;
  for (unsigned to = 1; to < atoms; ++to)
    for (unsigned from = 0; from < to; ++from)
      if (random() % atoms < density)
        problem.edges.push_back({from, to});
  for (unsigned sets = random() % 3; sets > 0; --sets) {
    std::vector<unsigned> set;
    for (unsigned atom = 0; atom < atoms; ++atom)
      if (random() % 3 == 0)
        set.push_back(atom);
    problem.readers.push_back(std::move(set));
  }
  for (unsigned atom = 0; atom < atoms; ++atom) {
    problem.alone.push_back(random() % 10 == 0);
    problem.cloneable.push_back(random() % 2);
  }
  return problem;
}

/// 0 - 1 - 2 - ...
inline Problem chainOf(unsigned atoms) {
  Problem problem;
  problem.atoms = atoms;
  for (unsigned atom = 1; atom < atoms; ++atom)
    problem.edges.push_back({atom - 1, atom});
  return problem;
}

/// Each of some diamonds has a top, two sides and the next one's top as its
/// bottom.
inline Problem diamondsOf(unsigned count) {
  Problem problem;
  problem.atoms = 3 * count + 1;
  for (unsigned top = 0; top < 3 * count; top += 3) {
    problem.edges.push_back({top, top + 1});
    problem.edges.push_back({top, top + 2});
    problem.edges.push_back({top + 1, top + 3});
    problem.edges.push_back({top + 2, top + 3});
    problem.readers.push_back({top + 1, top + 2});
  }
  return problem;
}

/// Each of the second half needs all of the first half.
inline Problem fanOf(unsigned half, bool areReaders) {
  Problem problem;
  problem.atoms = 2 * half;
  for (unsigned from = 0; from < half; ++from) {
    std::vector<unsigned> readers;
    for (unsigned to = half; to < 2 * half; ++to) {
      problem.edges.push_back({from, to});
      readers.push_back(to);
    }
    if (areReaders)
      problem.readers.push_back(readers);
  }
  return problem;
}

} // namespace tenon::fusion

#endif // TENON_TEST_UNIT_FUSIONTESTPROBLEMS_H
