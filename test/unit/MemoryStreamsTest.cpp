//===- MemoryStreamsTest.cpp - streams, events and what they buy ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file tests that programs spread over streams keep their meaning with no
// event too many or too few, and that bought events save memory.
//===----------------------------------------------------------------------===//
// LINK: TenonMemory LLVM NO_PCH
#include "MemoryTestPrograms.h"
#include "lib/Memory/Solve.h"
#include "lib/Memory/Streams/Clocks.h"
#include "lib/Memory/Streams/LiveBytes.h"
#include "lib/Memory/Streams/StreamSchedule.h"
#include "lib/Memory/Streams/Streams.h"
#include "lib/Memory/Text/Text.h"

#include "gtest/gtest.h"

using namespace tenon::mem;

static Program sequential(unsigned seed, unsigned nodes, bool ties) {
  RandomShape shape;
  shape.nodes = nodes;
  shape.streams = 1;
  shape.eventPercent = 0;
  shape.tensors = nodes + 4;
  shape.marks = seed % 2;
  shape.ties = ties;
  Program program = randomProgram(seed, shape);
  // A few readers each, so that there is something to run side by side.
  for (Tensor &tensor : program.tensors)
    if (tensor.consumers.size() > 2 && !ties)
      tensor.consumers.resize(2);
  return program;
}

static std::string textOf(const Program &program) {
  Instance instance;
  instance.problem = problemOf(program);
  instance.program = program;
  std::string text;
  llvm::raw_string_ostream stream(text);
  writeInstance(instance, stream);
  return text;
}

TEST(MemoryStreams, NoEventIsMissingOrSuperfluous) {
  unsigned events = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    Program program = sequential(seed, 2 + seed % 25, seed % 3 == 0);
    llvm::Expected<Program> spread = assignStreams(program, 1 + seed % 5);
    ASSERT_TRUE(bool(spread)) << seed << message(spread.takeError());
    Closure closure(*spread);
    auto before = dependences(*spread);
    for (unsigned n = 0; n < before.size(); ++n)
      for (unsigned earlier : before[n])
        ASSERT_TRUE(closure.precedes(earlier, n)) << seed;
    for (size_t e = 0; e < spread->events.size(); ++e) {
      Program without = *spread;
      without.events.erase(without.events.begin() + e);
      Event event = spread->events[e];
      ASSERT_FALSE(Closure(without).precedes(event.after, event.before));
      // Nor is there one that no dependence asks for, but for what holds back
      // nodes that depend on nothing.
      ASSERT_TRUE(before[event.before].empty() ||
                  llvm::is_contained(before[event.before], event.after));
      ++events;
    }
  }
  EXPECT_GT(events, 500u);
}

TEST(MemoryStreams, PlansOfSpreadProgramsAreProven) {
  for (unsigned seed = 0; seed < 150; ++seed) {
    Program program = sequential(seed, 24, seed % 2);
    for (unsigned count : {1, 2, 8}) {
      llvm::Expected<Program> spread = assignStreams(program, count);
      ASSERT_TRUE(bool(spread)) << message(spread.takeError());
      EXPECT_EQ(spread->streams, count);
      EXPECT_EQ(textOf(*spread),
                textOf(llvm::cantFail(assignStreams(program, count))));
      if (count == 1)
        EXPECT_TRUE(spread->events.empty());
      Problem problem = problemOf(*spread);
      Solution solution = solvePortfolio(problem);
      EXPECT_EQ(message(validate(problem, solution)), "");
      EXPECT_EQ(message(validateProgram(*spread, solution)), "");
      EXPECT_LE(makespan(*spread), makespan(program));
    }
  }
}

/// The most bytes of buffers that meet pairwise, of all subsets.
static int64_t heaviestClique(const Problem &problem) {
  size_t count = problem.buffers.size();
  int64_t most = 0;
  for (unsigned set = 0; set < 1u << count; ++set) {
    int64_t bytes = 0;
    for (size_t a = 0; a < count && bytes >= 0; ++a) {
      if (!(set >> a & 1))
        continue;
      bytes += problem.buffers[a].size;
      for (size_t b = 0; b < a && bytes >= 0; ++b)
        if ((set >> b & 1) && !problem.meet(a, b))
          bytes = -1;
    }
    most = std::max(most, bytes);
  }
  return most;
}

TEST(MemoryStreams, BoundsAreCloseToTheHeaviestClique) {
  int64_t found = 0, heaviest = 0;
  for (unsigned seed = 0; seed < 80; ++seed) {
    Problem problem = problemOf(randomProgram(seed, RandomShape()));
    int64_t bound = lowerBound(problem), most = heaviestClique(problem);
    EXPECT_LE(bound, most) << seed;
    found += bound;
    heaviest += most;
  }
  EXPECT_GE(found * 100, heaviest * 99);
}

TEST(MemoryStreams, BranchesRunSideBySide) {
  // Four chains of three nodes, then one that joins them.
  Program program;
  for (unsigned branch = 0; branch < 4; ++branch)
    for (unsigned k = 0; k < 3; ++k) {
      unsigned n = program.nodes.size();
      program.nodes.push_back({"n" + std::to_string(n), 0, 10});
      Tensor tensor{"t" + std::to_string(n), 64};
      tensor.producer = n;
      tensor.consumers = {k < 2 ? n + 1 : 12};
      program.tensors.push_back(tensor);
    }
  program.nodes.push_back({"join", 0, 10});
  EXPECT_EQ(makespan(program), 130);
  Program spread = llvm::cantFail(assignStreams(program, 4));
  EXPECT_EQ(makespan(spread), 40);
  EXPECT_EQ(spread.events.size(), 3u);
}

/// Nodes that need nothing of each other.
static Program independent(unsigned count) {
  Program program;
  for (unsigned n = 0; n < count; ++n) {
    program.nodes.push_back({"n" + std::to_string(n), 0, 10});
    Tensor tensor{"t" + std::to_string(n), 64};
    tensor.producer = n;
    program.tensors.push_back(tensor);
  }
  return program;
}

TEST(MemoryStreams, NodesShareWhatThereIs) {
  Program program = independent(4);
  // Two fit beside each other.
  Resources resources{8, {4, 4, 4, 4}, 0};
  Program spread = llvm::cantFail(assignStreams(program, 4, resources));
  EXPECT_EQ(makespan(spread, resources), 20);
  EXPECT_EQ(makespan(program, resources), 40);
  // Three do not, and one that takes all runs alone.
  resources.widths = {8, 3, 3, 3};
  spread = llvm::cantFail(assignStreams(program, 4, resources));
  EXPECT_EQ(spread.nodes.front().id, "n0");
  EXPECT_EQ(makespan(spread, resources), 30);
}

TEST(MemoryStreams, EventsTakeTime) {
  // Two nodes that a third one needs.
  Program program = independent(3);
  program.tensors[0].consumers = {2};
  program.tensors[1].consumers = {2};
  Resources resources{0, {}, 4};
  Program spread = llvm::cantFail(assignStreams(program, 2, resources));
  EXPECT_EQ(makespan(spread, resources), 24);
  // What takes longer than it saves is not done.
  resources.eventCost = 11;
  Program same = llvm::cantFail(assignStreams(program, 2, resources));
  EXPECT_TRUE(same.events.empty());
  EXPECT_EQ(makespan(same, resources), 30);
}

TEST(MemoryStreams, PartsAreWrittenSideBySide) {
  // Two nodes write parts of a tensor that a third one reads; what lies there
  // before is read by a fourth.
  Program program;
  for (const char *id : {"make", "use", "left", "right", "join"})
    program.nodes.push_back({id, 0, 10});
  program.tensors = {{"x", 64}, {"parts", 64}};
  program.tensors[0].producer = 0;
  program.tensors[0].consumers = {1};
  program.tensors[1].producer = 2;
  program.tensors[1].coproducers = {3};
  program.tensors[1].consumers = {4};
  Program spread = llvm::cantFail(assignStreams(program, 3));
  EXPECT_EQ(makespan(spread), 20);
  // On one stream one follows the other; on three they may share bytes only
  // when both writers wait.
  EXPECT_EQ(lowerBound(problemOf(program)), 64);
  EXPECT_EQ(lowerBound(problemOf(spread)), 128);
  auto proven = [&] {
    return message(validateProgram(spread, {{0, 0}, {64}}));
  };
  EXPECT_EQ(proven(),
            "tensors 'x' and 'parts' share bytes while both are in use");
  auto place = [&](llvm::StringRef id) {
    return unsigned(
        llvm::find_if(spread.nodes,
                      [&](const Node &node) { return node.id == id; }) -
        spread.nodes.begin());
  };
  spread.events.push_back({place("use"), place("left")});
  EXPECT_EQ(proven(),
            "tensors 'x' and 'parts' share bytes while both are in use");
  spread.events.push_back({place("use"), place("right")});
  EXPECT_EQ(proven(), "");
  Spending spent =
      llvm::cantFail(spendSync(llvm::cantFail(assignStreams(program, 3)), {}));
  EXPECT_EQ(spent.bytesAfter, 64);
}

TEST(MemoryStreams, OneStreamIsTheGivenOrder) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    Program program = sequential(seed, 24, seed % 2);
    Program same = llvm::cantFail(assignStreams(program, 1));
    EXPECT_EQ(textOf(same), textOf(program));
    EXPECT_EQ(solvePortfolio(problemOf(same)).offsets,
              solvePortfolio(problemOf(program)).offsets);
  }
}

/// A chain of layers of two nodes. The first of each also reads what a node
/// without inputs wrote, as a convolution does whose halo was cleared.
static Program chainWithClears() {
  Program program;
  auto node = [&](const char *id, unsigned layer, int64_t cost, int64_t size) {
    unsigned n = program.nodes.size();
    program.nodes.push_back({id + std::to_string(layer), 0, cost});
    Tensor tensor{"t" + std::to_string(n), size};
    tensor.producer = n;
    program.tensors.push_back(tensor);
    return n;
  };
  for (unsigned layer = 0; layer < 20; ++layer) {
    unsigned clear = node("clear", layer, 10, 1000);
    unsigned conv = node("conv", layer, 40, 100);
    unsigned relu = node("relu", layer, 40, 100);
    program.tensors[clear].consumers = {conv};
    program.tensors[conv].consumers = {relu};
    if (layer)
      program.tensors[clear - 1].consumers = {conv};
  }
  return program;
}

TEST(MemoryStreams, SourcesRunBesideWhatTheirReadersWaitFor) {
  Program program = chainWithClears();
  EXPECT_EQ(makespan(program), 1800);
  for (unsigned count : {2, 8}) {
    Program spread = llvm::cantFail(assignStreams(program, count));
    EXPECT_EQ(makespan(spread), 1610) << count;
    // Without the events that hold them back, the clears would take 20,000.
    EXPECT_LE(lowerBound(problemOf(spread)), 2200) << count;
  }
}

TEST(MemoryStreams, SourcesOfOneStreamStayWithTheirReaders) {
  ScheduleStyle style;
  style.sources = Sources::Glued;
  Program program = chainWithClears();
  // All clears first.
  llvm::stable_sort(program.nodes, [](const Node &a, const Node &b) {
    return (a.id[1] == 'l') > (b.id[1] == 'l');
  });
  auto place = [](unsigned n) {
    return n % 3 ? 20 + n / 3 * 2 + n % 3 - 1 : n / 3;
  };
  for (Tensor &tensor : program.tensors) {
    tensor.producer = place(*tensor.producer);
    for (unsigned &consumer : tensor.consumers)
      consumer = place(consumer);
  }
  ASSERT_EQ(message(program.check()), "");
  Schedule schedule = scheduleStreams(program, dependences(program), style);
  ASSERT_EQ(schedule.order.size(), 60u);
  EXPECT_EQ(schedule.makespan, 1800);
  EXPECT_EQ(LiveBytes::peakOf(program, schedule.order), 1200);
  EXPECT_EQ(LiveBytes::peakOf(program, *topologicalOrder(program)), 20100);
}

TEST(MemoryStreams, SparingSchedulesFreeFirst) {
  // Ten branches: wide results that a second node reduces.
  Program program;
  for (unsigned branch = 0; branch < 10; ++branch)
    for (unsigned k : {0, 1}) {
      unsigned n = program.nodes.size();
      program.nodes.push_back({"n" + std::to_string(n), 0, k ? 1 : 50});
      Tensor tensor{"t" + std::to_string(n), k ? 1 : 1000};
      tensor.producer = n;
      tensor.consumers = {k ? 20 : n + 1};
      program.tensors.push_back(tensor);
    }
  program.nodes.push_back({"join", 0, 1});
  auto before = dependences(program);
  auto peak = [&](bool sparing) {
    ScheduleStyle style;
    style.sparing = sparing;
    Schedule schedule = scheduleStreams(program, before, style);
    EXPECT_EQ(schedule.makespan, 511);
    return LiveBytes::peakOf(program, schedule.order);
  };
  EXPECT_GT(peak(false), 2000);
  EXPECT_LT(peak(true), 1100);
}

/// A chain of which each result has one more reader, beside the chain.
static Program chainWithReaders() {
  Program program;
  for (unsigned n = 0; n < 200; ++n) {
    program.nodes.push_back({"n" + std::to_string(n), 0});
    if (n % 2)
      continue;
    Tensor tensor{"t" + std::to_string(n), 64};
    tensor.producer = n;
    tensor.consumers = {n + 1};
    if (n + 2 < 200)
      tensor.consumers.push_back(n + 2);
    program.tensors.push_back(tensor);
  }
  return program;
}

TEST(MemoryStreams, NodesThatNobodyWaitsForAreNotPutOff) {
  Program spread = llvm::cantFail(assignStreams(chainWithReaders(), 2));
  EXPECT_LE(makespan(spread), 110);
  for (const Tensor &tensor : spread.tensors)
    EXPECT_LE(tensor.consumers.back() - *tensor.producer, 10u);
}

TEST(MemoryStreams, OverwritingWaitsForOtherReaders) {
  // r reads a; o overwrites it in place; both may start after p.
  Program program;
  program.nodes = {{"p", 0}, {"r", 0, 9}, {"o", 0}};
  program.tensors = {{"a", 64}, {"b", 64}, {"c", 64}};
  for (unsigned t : {0, 1, 2})
    program.tensors[t].producer = t;
  program.tensors[0].consumers = {1, 2};
  program.overlays = {{0, 2, 0, Overlay::InPlace}};
  Program spread = llvm::cantFail(assignStreams(program, 2));
  EXPECT_EQ(message(spread.check()), "");
  EXPECT_EQ(makespan(spread), 11);
}

TEST(MemoryStreams, WrongRequestsAreRefused) {
  Program program = sequential(1, 4, false);
  EXPECT_EQ(message(assignStreams(program, 0).takeError()),
            "a program has 1 to 1024 streams");
  SpendOptions options;
  options.bytesPerEvent = -1;
  EXPECT_EQ(message(spendSync(program, options).takeError()),
            "the price of an event is out of range");
  EXPECT_EQ(message(assignStreams(program, 2, {8, {1}, 0}).takeError()),
            "not every node has a width");
  program.streams = 0;
  EXPECT_EQ(message(assignStreams(program, 2).takeError()),
            "a program has 1 to 1024 streams");
}

/// Two streams without events, each with a large tensor for a moment.
static Program apart() {
  Program program;
  program.streams = 2;
  program.nodes = {{"a", 0}, {"useA", 0}, {"b", 1}, {"useB", 1}};
  program.tensors = {{"x", 1024}, {"y", 1000}};
  program.tensors[0].producer = 0;
  program.tensors[0].consumers = {1};
  program.tensors[1].producer = 2;
  program.tensors[1].consumers = {3};
  return program;
}

TEST(MemoryStreams, AnEventBuysReuse) {
  Spending spending = llvm::cantFail(spendSync(apart()));
  EXPECT_EQ(spending.bytesBefore, 2024);
  EXPECT_EQ(spending.bytesAfter, 1024);
  EXPECT_EQ(spending.events, 1u);
  EXPECT_EQ(spending.program.events, (std::vector<Event>{{1, 2}}));
}

TEST(MemoryStreams, AnEventThatIsTooDearIsNotBought) {
  SpendOptions options;
  options.bytesPerEvent = 1000;
  Spending spending = llvm::cantFail(spendSync(apart(), options));
  EXPECT_EQ(spending.events, 0u);
  EXPECT_EQ(spending.bytesAfter, 2024);
  options.bytesPerEvent = 999;
  EXPECT_EQ(llvm::cantFail(spendSync(apart(), options)).events, 1u);
}

TEST(MemoryStreams, SeveralEventsAreBoughtTogether) {
  // The same situation twice, a barrier between: each alone keeps the peak of
  // the other, so that only two events at once save anything.
  Program program = apart();
  for (unsigned t : {0, 1}) {
    unsigned first = program.nodes.size();
    program.nodes.push_back({t ? "d" : "c", t});
    program.nodes.push_back({t ? "useD" : "useC", t});
    Tensor tensor = program.tensors[t];
    tensor.id += "2";
    tensor.producer = first;
    tensor.consumers = {first + 1};
    program.tensors.push_back(tensor);
  }
  program.events = {{1, 6}, {3, 4}};
  Spending spending = llvm::cantFail(spendSync(program));
  EXPECT_EQ(spending.bytesBefore, 2024);
  EXPECT_EQ(spending.bytesAfter, 1024);
  EXPECT_EQ(spending.events, 2u);
}

TEST(MemoryStreams, BarriersKeepStreamsTogether) {
  // The chain's stream may run to its end before the other reads anything:
  // every tensor meets every other until barriers hold it back.
  Program spread = llvm::cantFail(assignStreams(chainWithReaders(), 2));
  SpendOptions options;
  options.bytesPerEvent = 64;
  Spending spending = llvm::cantFail(spendSync(spread, options));
  EXPECT_EQ(spending.bytesBefore, 6400);
  EXPECT_LE(spending.bytesAfter + 64 * spending.events, 2048);
  EXPECT_EQ(spending.makespanBefore, makespan(spread));
  EXPECT_EQ(spending.makespanAfter, makespan(spending.program));
}

TEST(MemoryStreams, SpendingIsWorthItAndProven) {
  int64_t before = 0, after = 0, events = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    Program program = llvm::cantFail(
        assignStreams(sequential(seed, 20, seed % 2), 2 + seed % 3));
    SpendOptions options;
    options.bytesPerEvent = 8;
    llvm::Expected<Spending> spending = spendSync(program, options);
    ASSERT_TRUE(bool(spending)) << message(spending.takeError());
    ASSERT_EQ(message(spending->program.check()), "");
    EXPECT_EQ(message(validateProgram(spending->program, spending->solution)),
              "");
    EXPECT_GE(spending->bytesBefore - spending->bytesAfter,
              8 * int64_t(spending->events));
    EXPECT_EQ(spending->program.events.size(),
              program.events.size() + spending->events);
    EXPECT_LE(spending->trials, options.trials);
    before += spending->bytesBefore;
    after += spending->bytesAfter;
    events += spending->events;
  }
  EXPECT_GT(events, 0);
  EXPECT_LT(after, before);
}

TEST(MemoryStreams, APlannerThatErrsIsNoticed) {
  SpendOptions options;
  options.planner = [](const Problem &problem) {
    return Solution{std::vector<int64_t>(problem.buffers.size(), 0), {9999}};
  };
  EXPECT_EQ(message(spendSync(apart(), options).takeError()),
            "a wrong plan: buffers 'x' and 'y' overlap");
}
