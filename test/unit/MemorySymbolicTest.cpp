//===- MemorySymbolicTest.cpp - plans for every size ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file tests affine forms against enumeration, and symbolic plans against
// the validator of the problem that each point of the box makes.
//===----------------------------------------------------------------------===//
// LINK: TenonMemory LLVM NO_PCH
#include "MemoryTestPrograms.h"
#include "lib/Memory/Solve.h"
#include "lib/Memory/Symbolic/Symbolic.h"

#include "gtest/gtest.h"

using namespace tenon::mem;

static Affine form(int64_t constant, std::initializer_list<int64_t> factors) {
  Affine result = constant;
  result.factors.assign(factors.begin(), factors.end());
  return result;
}

static std::vector<int64_t> randomPoint(std::mt19937 &generator,
                                        const Box &box) {
  std::vector<int64_t> point;
  for (const Symbol &symbol : box)
    point.push_back(symbol.low +
                    int64_t(generator() % (symbol.high - symbol.low + 1)));
  return point;
}

TEST(MemorySymbolic, ExtremesAndJoinsHoldEverywhere) {
  std::mt19937 generator(1);
  for (unsigned trial = 0; trial < 2000; ++trial) {
    Box box = {{"n", 0, 0}, {"m", 0, 0}};
    for (Symbol &symbol : box) {
      symbol.low = generator() % 5;
      symbol.high = symbol.low + generator() % 5;
    }
    auto any = [&] {
      return form(int64_t(generator() % 41) - 20,
                  {int64_t(generator() % 9) - 4, int64_t(generator() % 9) - 4});
    };
    Affine a = any(), b = any(), above = join(a, b, box);
    int64_t least = INT64_MAX, most = INT64_MIN;
    for (int64_t n = box[0].low; n <= box[0].high; ++n)
      for (int64_t m = box[1].low; m <= box[1].high; ++m) {
        least = std::min(least, a.at({n, m}));
        most = std::max(most, a.at({n, m}));
        EXPECT_GE(above.at({n, m}), std::max(a.at({n, m}), b.at({n, m})));
        EXPECT_EQ((a + b).at({n, m}), a.at({n, m}) + b.at({n, m}));
        EXPECT_EQ((a - b).at({n, m}), a.at({n, m}) - b.at({n, m}));
      }
    EXPECT_EQ(a.least(box), least);
    EXPECT_EQ(a.most(box), most);
    llvm::Expected<Affine> again = readAffine(a.text(box), box);
    ASSERT_TRUE(bool(again)) << message(again.takeError());
    EXPECT_EQ(*again, a);
  }
}

/// A problem with random lives; sizes may have any sign of slope.
static Problem randomProblem(std::mt19937 &generator, Symbolic &symbolic,
                             unsigned count) {
  symbolic.symbols = {{"n", int64_t(generator() % 3), 0}, {"m", 1, 4}};
  symbolic.symbols[0].high = symbolic.symbols[0].low + generator() % 64;
  Problem problem;
  for (unsigned i = 0; i < count; ++i) {
    Buffer buffer;
    buffer.id = "b" + std::to_string(i);
    buffer.lower = int64_t(generator() % 20);
    buffer.upper = buffer.lower[0] + 1 + int64_t(generator() % 6);
    buffer.alignment = 1 << generator() % 4;
    buffer.scope = generator() % 8 == 0;
    Affine size = form(int64_t(generator() % 200), {});
    if (generator() % 2)
      size.add(0, int64_t(generator() % 40) - 8);
    if (generator() % 3 == 0)
      size.add(1, int64_t(generator() % 20));
    size.constant -= std::min<int64_t>(0, size.least(symbolic.symbols));
    symbolic.sizes.push_back(size);
    buffer.size = size.at(symbolic.top());
    problem.buffers.push_back(buffer);
  }
  return problem;
}

/// Keeps the ties that the rules allow.
static void addTies(std::mt19937 &generator, Problem &problem,
                    Symbolic &symbolic) {
  unsigned count = problem.buffers.size();
  for (unsigned attempt = 0; attempt < 4 * count; ++attempt) {
    Problem trial = problem;
    Symbolic forms = symbolic;
    unsigned a = generator() % count, b = generator() % count;
    if (attempt % 3 == 2) {
      trial.lists.push_back({{a, b}, int64_t(generator() % 2) * 8});
    } else {
      Affine delta = attempt % 3 ? form(8, {int64_t(generator() % 3)}) : 0;
      trial.overlays.push_back(
          {a, b, delta.at(symbolic.top()),
           attempt % 3 ? Overlay::View : Overlay::InPlace});
      forms.deltas.push_back(delta);
    }
    bool right = message(trial.check()).empty() &&
                 message(forms.check(trial)).empty() &&
                 message(planSymbolic(trial, forms).takeError()).empty();
    if (!right)
      continue;
    problem = trial;
    symbolic = forms;
  }
}

static void expectPlanHolds(std::mt19937 &generator, const Problem &problem,
                            const Symbolic &symbolic,
                            const SymbolicPlan &plan) {
  ASSERT_EQ(message(validateSymbolic(problem, symbolic, plan)), "");
  int64_t most = 0;
  for (unsigned sample = 0; sample < 40; ++sample) {
    std::vector<int64_t> point = randomPoint(generator, plan.box);
    Solution solution = plan.at(point);
    ASSERT_EQ(message(validate(symbolic.at(problem, point), solution)), "");
    most = std::max(most, solution.arenaBytes());
  }
  EXPECT_LE(most, plan.most());
}

TEST(MemorySymbolic, PlansHoldForEveryPoint) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    std::mt19937 generator(seed);
    Symbolic symbolic;
    Problem problem = randomProblem(generator, symbolic, 3 + seed % 20);
    if (seed % 3 == 0)
      addTies(generator, problem, symbolic);
    ASSERT_EQ(message(symbolic.check(problem)), "");
    llvm::Expected<SymbolicPlan> plan = planSymbolic(problem, symbolic);
    ASSERT_TRUE(bool(plan)) << message(plan.takeError());
    expectPlanHolds(generator, problem, symbolic, *plan);
  }
}

/// The chain of the header: 64n, 32n+128 and 1024 bytes, all at once.
static Problem chain(Symbolic &symbolic) {
  symbolic.symbols = {{"n", 1, 512}};
  symbolic.sizes = {form(0, {64}), form(128, {32}), form(1024, {})};
  Problem problem;
  for (const char *id : {"a", "b", "c"}) {
    Buffer buffer{id, 0, 1};
    buffer.alignment = 32;
    problem.buffers.push_back(buffer);
  }
  return symbolic.at(problem, symbolic.top());
}

TEST(MemorySymbolic, OffsetsFollowTheSymbols) {
  Symbolic symbolic;
  Problem problem = chain(symbolic);
  llvm::Expected<SymbolicPlan> plan = planSymbolic(problem, symbolic);
  ASSERT_TRUE(bool(plan)) << message(plan.takeError());
  EXPECT_EQ(plan->places[0].base.text(plan->box), "0");
  EXPECT_EQ(plan->places[1].base.text(plan->box), "64*n");
  EXPECT_EQ(plan->places[2].base.text(plan->box), "96*n+128");
  EXPECT_EQ(plan->arenaAt(0, {1}), 96 + 128 + 1024);
  EXPECT_EQ(plan->most(), 96 * 512 + 128 + 1024);
}

TEST(MemorySymbolic, NoPlanIsWorseThanTheLargestSizes) {
  double affine = 0, constant = 0;
  for (unsigned seed = 0; seed < 100; ++seed) {
    std::mt19937 generator(seed);
    Symbolic symbolic;
    Problem problem = randomProblem(generator, symbolic, 20);
    for (Affine &size : symbolic.sizes) // so that one corner is the largest
      for (int64_t &factor : size.factors)
        factor = std::max<int64_t>(factor, 0);
    problem = symbolic.at(problem, symbolic.top());
    int64_t largest = solvePortfolio(problem).arenaBytes();
    llvm::Expected<SymbolicPlan> plan = planSymbolic(problem, symbolic);
    ASSERT_TRUE(bool(plan)) << message(plan.takeError());
    EXPECT_LE(plan->most(), largest);
    std::vector<int64_t> low = {symbolic.symbols[0].low, 1};
    affine += double(plan->at(low).arenaBytes());
    constant += double(largest);
  }
  EXPECT_LT(affine, 0.9 * constant);
}

TEST(MemorySymbolic, BucketsCoverTheRange) {
  for (unsigned seed = 0; seed < 40; ++seed) {
    std::mt19937 generator(seed);
    Symbolic symbolic;
    Problem problem = randomProblem(generator, symbolic, 12);
    llvm::Expected<Buckets> buckets =
        chooseBuckets(problem, symbolic, 0, 1 + seed % 4);
    ASSERT_TRUE(bool(buckets)) << message(buckets.takeError());
    auto plans = planBuckets(problem, symbolic, *buckets);
    ASSERT_TRUE(bool(plans)) << message(plans.takeError());
    EXPECT_LE(plans->size(), 1 + seed % 4);
    int64_t next = symbolic.symbols[0].low;
    for (const SymbolicPlan &plan : *plans) {
      EXPECT_EQ(plan.box[0].low, next);
      next = plan.box[0].high + 1;
      Symbolic within = symbolic;
      within.symbols = plan.box;
      expectPlanHolds(generator, problem, within, plan);
    }
    EXPECT_EQ(next, symbolic.symbols[0].high + 1);
  }
}

TEST(MemorySymbolic, WrongBucketsAreRefused) {
  Symbolic symbolic;
  Problem problem = chain(symbolic);
  auto refusal = [&](Buckets buckets) {
    auto plans = planBuckets(problem, symbolic, buckets);
    return plans ? "" : message(plans.takeError());
  };
  EXPECT_EQ(refusal({0, {64, 512}}), "");
  for (Buckets wrong :
       {Buckets{1, {}}, Buckets{0, {0}}, Buckets{0, {513}}, Buckets{0, {9, 9}}})
    EXPECT_EQ(refusal(wrong),
              "buckets must ascend within the range of their symbol");
}

TEST(MemorySymbolic, WrongSymbolsAreRefused) {
  auto checked = [](void (*change)(Problem &, Symbolic &)) {
    Symbolic symbolic;
    Problem problem = chain(symbolic);
    change(problem, symbolic);
    llvm::Expected<SymbolicPlan> plan = planSymbolic(problem, symbolic);
    return plan ? "" : message(plan.takeError());
  };
  EXPECT_EQ(checked([](Problem &, Symbolic &) {}), "");
  EXPECT_EQ(checked([](Problem &, Symbolic &s) { s.symbols[0].low = -1; }),
            "symbol 'n' has a range that is empty, negative or too large");
  EXPECT_EQ(checked([](Problem &, Symbolic &s) { s.sizes.pop_back(); }),
            "symbolic sizes are for another number of buffers or overlays");
  EXPECT_EQ(checked([](Problem &, Symbolic &s) { s.sizes[0].add(1, 1); }),
            "a symbolic size has an unknown symbol");
  EXPECT_EQ(checked([](Problem &p, Symbolic &s) {
              p.lists = {{{0, 1}}, {{0, 2}}};
              s.sizes[0] = form(0, {32});
              p.overlays = {{1, 2, 32, Overlay::View}};
              s.deltas = {form(0, {1})};
            }),
            "buffer 'c' is a view that leaves its buffer for some symbols");
  EXPECT_EQ(checked([](Problem &p, Symbolic &s) {
              p.lists = {{{0, 1, 2}}, {{0, 2}}};
            }),
            "buffer 'c' would need two different distances for some symbols");
  EXPECT_EQ(checked([](Problem &p, Symbolic &s) {
              p.lists = {{{0, 1}}};
              s.sizes[0] = form(0, {8});
            }),
            "buffer 'b' cannot be aligned for every value of the symbols");
  EXPECT_EQ(checked([](Problem &p, Symbolic &s) {
              p.lists = {{{0, 1}}};
              p.buffers[1].fixed = 64;
            }),
            "buffer 'b' cannot lie at its fixed offset for every value of the "
            "symbols");
}

TEST(MemorySymbolic, FixedBuffersStayAndOthersAvoidThem) {
  Symbolic symbolic;
  Problem problem = chain(symbolic);
  problem.buffers[2].fixed = 4096;
  llvm::Expected<SymbolicPlan> plan = planSymbolic(problem, symbolic);
  ASSERT_TRUE(bool(plan)) << message(plan.takeError());
  EXPECT_EQ(plan->at({7}).offsets[2], 4096);
  std::mt19937 generator(3);
  expectPlanHolds(generator, problem, symbolic, *plan);
}

TEST(MemorySymbolic, WrongPlansAreRefused) {
  auto proven = [](void (*change)(Problem &, Symbolic &, SymbolicPlan &)) {
    Symbolic symbolic;
    Problem problem = chain(symbolic);
    SymbolicPlan plan = llvm::cantFail(planSymbolic(problem, symbolic));
    change(problem, symbolic, plan);
    return message(validateSymbolic(problem, symbolic, plan));
  };
  using P = Problem;
  using S = Symbolic;
  using Plan = SymbolicPlan;
  EXPECT_EQ(proven([](P &, S &, Plan &) {}), "");
  EXPECT_EQ(proven([](P &, S &, Plan &plan) { plan.places.pop_back(); }),
            "the plan is for another problem");
  EXPECT_EQ(
      proven([](P &, S &, Plan &plan) { plan.places[1].base = form(0, {32}); }),
      "buffers 'a' and 'b' may overlap for some symbols");
  EXPECT_EQ(proven([](P &, S &, Plan &plan) { plan.places[1].alignment = 1; }),
            "buffer 'b' is not always aligned");
  EXPECT_EQ(proven([](P &, S &, Plan &plan) { plan.arenas[0] = {1024}; }),
            "buffer 'a' may be outside the arena");
  EXPECT_EQ(proven([](P &, S &, Plan &plan) { plan.caps[0] = 1024; }),
            "buffer 'a' may be outside the arena");
  EXPECT_EQ(
      proven([](P &problem, S &, Plan &) { problem.buffers[2].fixed = 64; }),
      "buffer 'c' is not always at its fixed offset");
  EXPECT_EQ(proven([](P &problem, S &, Plan &) { problem.lists = {{{1, 2}}}; }),
            "buffer 'c' is not always directly after 'b'");
  EXPECT_EQ(
      proven([](P &problem, S &, Plan &) { problem.lists = {{{0}, 64}}; }),
      "buffer 'a' may have its guard outside of the arena");
  EXPECT_EQ(proven([](P &problem, S &symbolic, Plan &) {
              problem.overlays = {{0, 1, 0, Overlay::View}};
              symbolic.deltas = {0};
            }),
            "buffer 'b' is not always at its place in 'a'");
}

/// Shifts of single places: whatever overlaps at some point is found.
TEST(MemorySymbolic, NoDamageToAPlanGoesUnnoticed) {
  unsigned wrong = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    std::mt19937 generator(seed);
    Symbolic symbolic;
    Problem problem = randomProblem(generator, symbolic, 12);
    SymbolicPlan plan = llvm::cantFail(planSymbolic(problem, symbolic));
    for (unsigned trial = 0; trial < 20; ++trial) {
      SymbolicPlan damaged = plan;
      Place &place = damaged.places[generator() % 12];
      if (generator() % 2)
        place.base.constant += int64_t(generator() % 65) - 32;
      else
        place.base.add(0, int64_t(generator() % 9) - 4);
      bool accepted =
          message(validateSymbolic(problem, symbolic, damaged)).empty();
      for (unsigned sample = 0; sample < 20; ++sample) {
        std::vector<int64_t> point = randomPoint(generator, plan.box);
        if (message(validate(symbolic.at(problem, point), damaged.at(point)))
                .empty())
          continue;
        ASSERT_FALSE(accepted) << seed;
        ++wrong;
        break;
      }
    }
  }
  EXPECT_GT(wrong, 1000u);
}
