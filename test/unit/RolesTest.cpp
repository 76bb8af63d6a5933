//===- RolesTest.cpp - what operations are to fusion ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file tests the role of every operation of the graph dialect.
//===----------------------------------------------------------------------===//
// LINK: TenonGraph MLIR LLVM
#include "dialects/Graph/Roles.h"
#include "test/unit/GraphCases.h"
#include <gtest/gtest.h>

using namespace mlir;
using namespace tenon;
using graph::Role;

namespace {
class RolesTest : public ::testing::Test {
protected:
  RolesTest() { context.loadDialect<graph::GraphDialect, func::FuncDialect>(); }

  /// Expects one role of all cases, and strikes their operations off.
  void expectRole(const std::vector<GraphCase> &cases, Role role) {
    for (const GraphCase &one : cases) {
      auto module = parseCase(one, context);
      ASSERT_TRUE(module) << one.name << " " << one.signature;
      EXPECT_EQ(graph::roleOf(operationOf(*module)), role)
          << one.name << " " << one.attributes << " " << one.signature;
      missing.erase(one.name);
    }
  }

  MLIRContext context;
  std::set<std::string> missing;
};
} // namespace

TEST_F(RolesTest, EveryOperationHasItsRole) {
  missing = statedOperations(context);
  EXPECT_GT(missing.size(), 50u);
  expectRole(elementwiseCases(), Role::Pointwise);
  std::vector<GraphCase> products = productCases(), none = staticCases();
  auto isPack = [](const GraphCase &one) { return one.name == "pack"; };
  llvm::copy_if(products, std::back_inserter(none), isPack);
  llvm::erase_if(products, isPack);
  // Numbers that the run computes are written by a kernel of their own.
  std::vector<GraphCase> moved = movementCases();
  auto isSizes = [](const GraphCase &one) { return one.name == "sizes"; };
  llvm::copy_if(none, std::back_inserter(moved), isSizes);
  llvm::erase_if(none, isSizes);
  // Running sums stand alone.
  std::vector<GraphCase> reduced = reductionCases();
  auto isPrefix = [](const GraphCase &one) { return one.name == "prefix"; };
  llvm::copy_if(reduced, std::back_inserter(moved), isPrefix);
  llvm::erase_if(reduced, isPrefix);
  expectRole(none, Role::None);
  expectRole(products, Role::Contraction);
  expectRole(windowCases(), Role::Window);
  expectRole(reduced, Role::Reduction);
  expectRole(moved, Role::Movement);
  expectRole(recurrentCases(), Role::Recurrence);
  EXPECT_TRUE(missing.empty()) << *missing.begin();
}

TEST_F(RolesTest, WhatStatesNothingHasNoRole) {
  auto module = parseCase({"abs", "", "2xf32 -> 2xf32"}, context);
  ASSERT_TRUE(module);
  EXPECT_EQ(graph::roleOf(*module), Role::None);
}
