//===- FusionValidateTest.cpp - wrong groupings ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file holds validate() against solutions that are none.
//===----------------------------------------------------------------------===//
// LINK: TenonFusion MLIR LLVM
#include "lib/Fusion/Validate.h"
#include "test/unit/FusionTestProblems.h"
#include <gtest/gtest.h>

using namespace tenon;
using namespace tenon::fusion;

/// Each launch takes 10, each atom 1; with walls, nothing shares along an edge.
namespace {
class PlainOracle : public Oracle {
public:
  std::optional<Cost> cost(const Group &group) override {
    if (group.atoms.size() > 3)
      return std::nullopt;
    return Cost{int64_t(10 + group.atoms.size() + group.clones.size())};
  }
  bool mayShare(unsigned from, unsigned to) override { return !hasWalls; }
  bool hasWalls = false;
};
} // namespace

static std::string complaint(const Problem &problem, std::vector<Group> groups,
                             bool hasWalls = false) {
  PlainOracle oracle;
  oracle.hasWalls = hasWalls;
  Solution solution;
  solution.groups = std::move(groups);
  for (const Group &group : solution.groups)
    solution.cost += oracle.cost(group).value_or(Cost());
  return llvm::toString(validate(problem, oracle, solution));
}

TEST(FusionValidateTest, AcceptsGroupsInOrder) {
  EXPECT_EQ(complaint(chainOf(4), {{{0, 1}, {}}, {{2, 3}, {}}}), "");
}

TEST(FusionValidateTest, RejectsWrongAtoms) {
  EXPECT_EQ(complaint(chainOf(2), {{{0, 1}, {}}, {{}, {}}}),
            "a group has no atoms");
  EXPECT_EQ(complaint(chainOf(2), {{{0, 1, 2}, {}}}), "2 is no atom");
  EXPECT_EQ(complaint(chainOf(2), {{{1, 0}, {}}}),
            "the atoms of a group do not ascend");
  EXPECT_EQ(complaint(chainOf(2), {{{0, 1}, {}}, {{1}, {}}}),
            "atom 1 is in two groups");
  EXPECT_EQ(complaint(chainOf(2), {{{0}, {}}}), "atom 1 is in no group");
}

TEST(FusionValidateTest, RejectsWrongOrders) {
  EXPECT_EQ(complaint(chainOf(2), {{{1}, {}}, {{0}, {}}}),
            "atom 1 needs atom 0 too early");
  Problem problem = chainOf(3);
  problem.readers = {{0, 2}};
  EXPECT_EQ(complaint(problem, {{{0, 2}, {}}, {{1}, {}}}),
            "atom 2 needs atom 1 too early");
}

TEST(FusionValidateTest, RejectsGroupsThatFallApart) {
  Problem problem = chainOf(3);
  EXPECT_EQ(complaint(problem, {{{0, 1, 2}, {}}}), "");
  EXPECT_EQ(complaint(problem, {{{0, 1, 2}, {}}}, /*hasWalls=*/true),
            "the group of atom 0 falls apart");
  problem.readers = {{0, 2}, {1, 2}};
  EXPECT_EQ(complaint(problem, {{{0, 1, 2}, {}}}, /*hasWalls=*/true), "");
}

TEST(FusionValidateTest, RejectsCompanyOfAtomsAlone) {
  Problem problem = chainOf(2);
  problem.alone = {false, true};
  EXPECT_EQ(complaint(problem, {{{0, 1}, {}}}), "atom 1 is not alone");
  EXPECT_EQ(complaint(problem, {{{0}, {}}, {{1}, {}}}), "");
  problem.cloneable = {true, false};
  EXPECT_EQ(complaint(problem, {{{1}, {0}}}), "atom 1 is not alone");
}

TEST(FusionValidateTest, RejectsWrongClones) {
  Problem problem;
  problem.atoms = 3;
  problem.edges = {{0, 1}, {0, 2}};
  EXPECT_EQ(complaint(problem, {{{1}, {0}}, {{2}, {0}}}),
            "atom 0 is in no group");
  problem.cloneable = {true, false, true};
  EXPECT_EQ(complaint(problem, {{{1}, {0}}, {{2}, {0}}}), "");
  EXPECT_EQ(complaint(problem, {{{1}, {0}}, {{2}, {}}}),
            "atom 2 needs atom 0 too early");
  EXPECT_EQ(complaint(problem, {{{0}, {}}, {{1}, {0}}, {{2}, {}}}),
            "atom 0 is cloned, and in a group");
  EXPECT_EQ(complaint(problem, {{{1}, {0}}}), "atom 2 is in no group");
  problem.edges = {{0, 1}, {1, 2}};
  EXPECT_EQ(complaint(problem, {{{1}, {0}}, {{2}, {0}}}), "clone 0 has no use");
}

TEST(FusionValidateTest, RejectsWrongCosts) {
  PlainOracle oracle;
  Solution solution;
  solution.groups = {{{0}, {}}, {{1}, {}}};
  solution.cost = {21};
  EXPECT_EQ(llvm::toString(validate(chainOf(2), oracle, solution)),
            "the cost is not the sum of the groups'");
  EXPECT_EQ(complaint(chainOf(4), {{{0, 1, 2, 3}, {}}}),
            "the group of atom 0 is no kernel");
  TableOracle dear({{{{0, 1}, {}}, 21}});
  solution.groups = {{{0, 1}, {}}};
  EXPECT_EQ(llvm::toString(validate(chainOf(2), dear, solution)),
            "single atoms cost less");
}
