//===- MemoryDrawTest.cpp - plans as pictures -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file tests what pictures show: marks, levels, ids whatever they hold,
// and that large plans stay small files.
//===----------------------------------------------------------------------===//
// LINK: TenonMemoryDraw LLVM NO_PCH
#include "lib/Memory/Draw/Draw.h"
#include "lib/Memory/Draw/Svg.h"
#include "lib/Memory/Draw/Timeline.h"
#include "lib/Memory/Solve.h"
#include "lib/Support/Bytes.h"

#include "gtest/gtest.h"
#include <random>

using namespace tenon;
using namespace tenon::mem;

static std::string message(llvm::Error error) {
  return llvm::toString(std::move(error));
}

static bool contains(const std::string &text, const std::string &piece) {
  return text.find(piece) != std::string::npos;
}

static unsigned add(Problem &problem, const char *id, int64_t lower,
                    int64_t upper, int64_t size) {
  Buffer buffer;
  buffer.id = id;
  buffer.lower = lower;
  buffer.upper = upper;
  buffer.size = size;
  problem.buffers.push_back(buffer);
  return unsigned(problem.buffers.size() - 1);
}

static std::string draw(const Problem &problem, DrawOptions options = {}) {
  EXPECT_EQ(message(problem.check()), "");
  Solution solution = solvePortfolio(problem);
  EXPECT_EQ(message(validate(problem, solution)), "");
  std::string picture = drawPlan(problem, solution, options);
  EXPECT_EQ(picture, drawPlan(problem, solution, options));
  return picture;
}

TEST(MemoryDraw, BytesReadWell) {
  EXPECT_EQ(humanBytes(0), "0 B");
  EXPECT_EQ(humanBytes(1023), "1023 B");
  EXPECT_EQ(humanBytes(1536), "1.5 KiB");
  EXPECT_EQ(humanBytes(int64_t(96) << 20), "96 MiB");
  EXPECT_EQ(humanBytes(INT64_MAX), "8 EiB");
}

TEST(MemoryDraw, TextIsEscaped) {
  EXPECT_EQ(svgEscape("a<b>&\"c\""), "a&lt;b&gt;&amp;&quot;c&quot;");
  EXPECT_EQ(svgEscape("\x01"), "\xEF\xBF\xBD");
  EXPECT_EQ(svgEscape("\xEF\xBF\xBF!"), "\xEF\xBF\xBD!");
  EXPECT_EQ(svgEscape("\xC3\xA9"), "\xC3\xA9");
  EXPECT_FALSE(contains(svgEscape("\xFFx"), "\xFF"));
  EXPECT_EQ(shortNumber(-0.001), "0");
  EXPECT_EQ(shortNumber(12.50), "12.5");
}

TEST(MemoryDraw, AnEmptyProblemHasAPicture) {
  EXPECT_TRUE(contains(draw({}), "0 buffers"));
}

TEST(MemoryDraw, BoundAndPeakAreThere) {
  Problem problem;
  add(problem, "<first>", 0, 2, 1024);
  add(problem, "second", 1, 3, 512);
  add(problem, "third", 2, 3, 1024);
  std::string picture = draw(problem, {"title & all", 4096, {}});
  EXPECT_TRUE(contains(picture, "title &amp; all"));
  EXPECT_TRUE(contains(picture, "arena = bound"));
  EXPECT_TRUE(contains(picture, ">capacity<"));
  EXPECT_TRUE(contains(picture, "peak 1.5 KiB at 1<"));
  EXPECT_TRUE(contains(picture, "<title>&lt;first&gt;\n1 KiB (1024 bytes)"));
  EXPECT_FALSE(contains(picture, "contiguous list"));
}

TEST(MemoryDraw, EveryRelationHasItsMark) {
  Problem problem;
  unsigned input = add(problem, "input", 0, 4, 65536);
  unsigned relu = add(problem, "relu", 3, 7, 65536);
  unsigned concat = add(problem, "concat", 5, 9, 131072);
  unsigned half = add(problem, "half", 4, 6, 65536);
  unsigned one = add(problem, "one", 8, 12, 20000);
  unsigned two = add(problem, "two", 8, 12, 30000);
  problem.overlays = {{input, relu, 0, Overlay::InPlace},
                      {concat, half, 65536, Overlay::View}};
  problem.lists = {{{one, two}, 4096}};
  problem.buffers[add(problem, "given", 0, 12, 8192)].fixed = 262144;
  problem.buffers[add(problem, "host", 0, 12, 8192)].scope = 1;
  std::string picture = draw(problem);
  for (const char *mark :
       {"in the place of input", "view of concat", ">contiguous list<",
        "guard of one", "guard of two", ">fixed<", ">overwrites in place<",
        ">scope 0<", ">scope 1<", "peak"})
    EXPECT_TRUE(contains(picture, mark)) << mark;
}

TEST(MemoryDraw, StreamsShareOneAxis) {
  Problem problem;
  for (unsigned stream : {0u, 1u}) {
    int64_t lower[] = {0, 0}, upper[] = {2, 1};
    Buffer buffer;
    buffer.id = "of" + std::to_string(stream);
    buffer.lower = Clock(llvm::ArrayRef<int64_t>(lower));
    buffer.upper = Clock(llvm::ArrayRef<int64_t>(upper));
    buffer.size = 64;
    buffer.stream = stream;
    problem.buffers.push_back(buffer);
  }
  std::string picture = draw(problem);
  EXPECT_TRUE(contains(picture, "lives from (0, 0) to (2, 1)\nstream 1"));
  EXPECT_TRUE(contains(picture, ">stream 0<"));
}

TEST(MemoryDraw, EndsComeBeforeWhatFollows) {
  std::mt19937 generator(7);
  for (int round = 0; round < 50; ++round) {
    Problem problem;
    std::vector<int64_t> done = {0, 0, 0};
    std::vector<std::vector<int64_t>> known(3, done); // by each stream
    for (int i = 0; i < 40; ++i) {
      // A node waits, now and then, for all that was launched before.
      unsigned stream = generator() % 3;
      if (generator() % 3 == 0)
        known[stream] = done;
      std::vector<int64_t> lower = known[stream], upper = {0, 0, 0};
      upper[stream] = known[stream][stream] = ++done[stream];
      Buffer buffer;
      buffer.id = std::to_string(i);
      buffer.lower = Clock(llvm::ArrayRef(lower));
      buffer.upper = Clock(llvm::ArrayRef(upper));
      buffer.stream = stream;
      problem.buffers.push_back(buffer);
    }
    Timeline timeline(problem);
    for (unsigned a = 0; a < 40; ++a)
      for (unsigned b = 0; b < 40; ++b)
        if (problem.buffers[a].upper <= problem.buffers[b].lower) {
          EXPECT_LE(timeline.upper(a), timeline.lower(b));
        }
  }
}

TEST(MemoryDraw, LargePlansStaySmallFiles) {
  Problem problem;
  Solution solution;
  std::mt19937 generator(1);
  for (int i = 0; i < 60000; ++i) {
    int64_t born = generator() % 100000;
    add(problem, ("b" + std::to_string(i)).c_str(), born,
        born + 1 + generator() % 500, 1 + generator() % 4096);
    solution.offsets.push_back(generator() % 1000000);
  }
  // Where they lie does not matter to how much is drawn.
  solution.arenas = {1004096};
  std::string picture = drawPlan(problem, solution);
  EXPECT_LT(picture.size(), 3u << 20);
  EXPECT_TRUE(contains(picture, "56000 small buffers are shown as a shading"));
}
