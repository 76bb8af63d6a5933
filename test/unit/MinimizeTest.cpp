//===- MinimizeTest.cpp - the fewest that still fail ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LINK: TenonReduce
#include "lib/Reduce/Minimize.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <gtest/gtest.h>

using namespace tenon::reduce;
using llvm::BitVector;

/// What is left of `count` where all of `culprits` are needed.
static std::vector<unsigned>
leftOf(unsigned count, std::vector<unsigned> culprits, unsigned &calls) {
  BitVector set = minimize(count, [&](const BitVector &kept) {
    ++calls;
    return llvm::all_of(culprits, [&](unsigned i) { return kept.test(i); });
  });
  return {set.set_bits_begin(), set.set_bits_end()};
}

TEST(Minimize, FindsOneCulpritByBisection) {
  for (unsigned culprit : {0u, 1u, 700u, 1499u}) {
    unsigned calls = 0;
    EXPECT_EQ(leftOf(1500, {culprit}, calls), std::vector<unsigned>{culprit});
    EXPECT_LE(calls, 24u);
  }
}

TEST(Minimize, FindsCulpritsThatAreFarApart) {
  unsigned calls = 0;
  std::vector<unsigned> culprits = {3, 500, 501, 1400};
  EXPECT_EQ(leftOf(1500, culprits, calls), culprits);
  EXPECT_LE(calls, 200u);
}

TEST(Minimize, KeepsAllWhereAllAreNeeded) {
  unsigned calls = 0;
  std::vector<unsigned> culprits = {0, 1, 2, 3, 4};
  EXPECT_EQ(leftOf(5, culprits, calls), culprits);
  EXPECT_EQ(leftOf(1, {0}, calls), std::vector<unsigned>{0});
  EXPECT_EQ(leftOf(0, {}, calls), std::vector<unsigned>{});
}

TEST(Minimize, EndsWhereLessFailsNotAlways) {
  // Fails with an even number only: bisection is misled, the end still fails.
  auto fails = [](const BitVector &kept) { return kept.count() % 2 == 0; };
  BitVector set = minimize(64, fails);
  EXPECT_TRUE(fails(set));
}
