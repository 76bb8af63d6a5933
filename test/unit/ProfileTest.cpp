//===- ProfileTest.cpp - profiles against the roof ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file tests how launches are judged, the table and the trace of made-up
// times, and that the roof of this machine can be measured.
//===----------------------------------------------------------------------===//
// LINK: TenonRun NO_PCH
#include "lib/Run/Profile.h"
#include "gtest/gtest.h"
#include <algorithm>

using namespace tenon::run;

static constexpr int64_t mib = 1 << 20;

/// 100 GFLOP/s; 50, 20, 16 and 10 GB/s from 1 KB, 1 MiB, 2 MiB and memory.
static Roof makeRoof() {
  return {1,
          {{256, 100}},
          {{"L2", 1000, 50},
           {"L3", mib, 20},
           {"L3", 2 * mib, 16},
           {"memory", INT64_MAX, 10}},
          {}};
}

/// Two runs of three launches of two kernels.
static Profile makeProfile() {
  return {{{"conv", {"a"}, 8, 80000, 4000, 2, 2000, 100, 900},
           {"relu", {"b", "c"}, 4, 0, 1000, 2, 100, 1100, 40},
           {"conv", {"d"}, 8, 80000, 4000, 2, 4000, 1200, 2100}},
          makeRoof(),
          50000};
}

TEST(Profile, JudgesComputeAgainstThePeak) {
  Profile profile = makeProfile();
  Standing standing = judge(profile, profile.launches[0]);
  EXPECT_DOUBLE_EQ(standing.gflops, 80);
  EXPECT_DOUBLE_EQ(standing.ofPeak, 0.8);
  EXPECT_DOUBLE_EQ(standing.gbytes, 4);
  EXPECT_DOUBLE_EQ(standing.ofRead, 0.2);
  EXPECT_EQ(standing.place, "L3");
  EXPECT_STREQ(standing.bound, "compute");
}

TEST(Profile, JudgesCardsByWhatTheyTell) {
  Profile profile = makeProfile();
  profile.roof = roofOfDevice("GPU", 1e12, 1e11);
  EXPECT_EQ(roofJson(profile.roof),
            "{\"device\": \"GPU\", \"peaks\": [{\"gflops\": 1000}], "
            "\"reads\": [{\"place\": \"memory\", \"gbytes\": 100}]}");
  Standing standing = judge(profile, profile.launches[0]);
  EXPECT_DOUBLE_EQ(standing.ofPeak, 0.08);
  EXPECT_DOUBLE_EQ(standing.ofRead, 0.04);
  EXPECT_EQ(standing.place, "memory");
  EXPECT_TRUE(profileText(profile, false)
                  .starts_with("roofline of GPU: 1000.0 GFLOP/s of products, "
                               "memory 100.0 GB/s\n"));
  // What is not known judges nothing.
  profile.roof = roofOfDevice("GPU", 0, 0);
  EXPECT_STREQ(judge(profile, profile.launches[0]).bound, "-");
}

TEST(Profile, JudgesMemoryAgainstThePlaceThatHoldsTheData) {
  Profile profile = makeProfile();
  Standing small = judge(profile, profile.launches[1]);
  EXPECT_EQ(small.place, "L2");
  EXPECT_DOUBLE_EQ(small.ofRead, 0.4);
  EXPECT_STREQ(small.bound, "memory");
  profile.footprint = 2 * mib;
  Standing half = judge(profile, profile.launches[0]);
  EXPECT_EQ(half.place, "L3");
  EXPECT_DOUBLE_EQ(half.ofRead, 0.25);
  profile.footprint = 2 * mib + 1;
  EXPECT_EQ(judge(profile, profile.launches[0]).place, "memory");
  profile.launches[1].bytes = 1001;
  EXPECT_EQ(judge(profile, profile.launches[1]).place, "memory");
}

TEST(Profile, ShowsWaves) {
  Profile profile = makeProfile();
  EXPECT_EQ(profileText(profile, true).find("  wave"), std::string::npos);
  for (int i : {0, 1})
    profile.launches[i].wave = 7;
  profile.launches[0].parts = {{0, 5, 100, 1800}, {2, 3, 110, 700}};
  profile.launches[1].parts = {{2, 4, 820, 50}};
  std::string table = profileText(profile, true);
  // The second thread is done at 0.87 us, the first, with "a", at 1.9.
  for (const char *row : {"tiles  wave  threads  waited  kernel",
                          "      8     7        2     1.0  conv  [a]",
                          "     7        1     0.0  relu",
                          "      8     -        -       -  conv  [d]"})
    EXPECT_NE(table.find(row), std::string::npos) << row << "\n" << table;
  std::string kernels = profileText(profile, false);
  EXPECT_EQ(kernels.find("  wave"), std::string::npos) << kernels;
  EXPECT_NE(kernels.find("      8        2     1.0  conv  [a d]"),
            std::string::npos)
      << kernels;
  EXPECT_NE(launchJson(profile, profile.launches[1]).find("\"wave\": 7"),
            std::string::npos);
  std::string trace = traceJson(profile, "m");
  for (const char *event :
       {"\"name\": \"thread_name\", \"pid\": 1, \"tid\": 4, \"args\": "
        "{\"name\": \"thread 2\"}",
        "\"name\": \"relu\", \"pid\": 1, \"tid\": 4, \"ts\": 0.82, "
        "\"dur\": 0.05, \"args\": {\"nodes\": [\"b\", \"c\"], "
        "\"tiles\": 4, \"wave\": 7}",
        "\"name\": \"waits for conv\", \"cat\": \"wait\", \"pid\": 1, "
        "\"tid\": 4, \"ts\": 0.87, \"dur\": 1.03, \"args\": {\"nodes\": "
        "[\"a\"], \"wave\": 7}"})
    EXPECT_NE(trace.find(event), std::string::npos) << event << trace;
}

TEST(Profile, KnowsNothingWithoutARoof) {
  Profile profile = makeProfile();
  profile.roof = {};
  Standing standing = judge(profile, profile.launches[0]);
  EXPECT_EQ(standing.ofPeak, 0);
  EXPECT_EQ(standing.ofRead, 0);
  EXPECT_EQ(standing.place, "");
  EXPECT_STREQ(standing.bound, "-");
  EXPECT_DOUBLE_EQ(judge(profile, ProfileRow()).gflops, 0);
}

TEST(Profile, AddsUpKernels) {
  std::vector<ProfileRow> rows = groupByKernel(makeProfile().launches);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].kernel, "conv");
  EXPECT_EQ(rows[0].calls, 4);
  EXPECT_EQ(rows[0].nanoseconds, 6000);
  EXPECT_EQ(rows[0].flops, 80000);
  EXPECT_EQ(rows[0].nodes, (std::vector<std::string>{"a", "d"}));
  EXPECT_TRUE(groupByKernel({}).empty());
}

TEST(Profile, PrintsATableByKernel) {
  EXPECT_EQ(
      profileText(makeProfile(), false),
      "roofline of 1 thread: 100.0 GFLOP/s (256-bit f32), L2 50.0 GB/s, "
      "L3 to 1 MiB 20.0 GB/s, L3 to 2 MiB 16.0 GB/s, memory 10.0 GB/s\n"
      "      us     %  calls   us/call  GFLOP/s  %peak    GB/s  %read from"
      "    bound     tiles  kernel  [nodes]\n"
      "     3.0  98.4      2       1.5    53.33   53.3    2.67   13.3 L3    "
      "  compute       8  conv  [a d]\n"
      "     0.1   1.6      1       0.1        -      -   20.00   40.0 L2    "
      "  memory        4  relu  [b c]\n"
      "     3.0 100.0      3              52.46   52.5    2.95              "
      "                  total\n");
}

TEST(Profile, PrintsATableByLaunch) {
  std::string text = profileText(makeProfile(), true);
  size_t slow = text.find("conv  [d]\n"), fast = text.find("conv  [a]\n");
  EXPECT_NE(slow, std::string::npos);
  EXPECT_NE(fast, std::string::npos);
  EXPECT_LT(slow, fast);
}

TEST(Profile, CutsLongListsOfNodes) {
  Profile profile = makeProfile();
  profile.launches[0].nodes = {std::string(200, 'x')};
  std::string text = profileText(profile, true);
  EXPECT_NE(text.find("[" + std::string(117, 'x') + "...]\n"),
            std::string::npos);
}

TEST(Profile, TracesTheLatestRun) {
  std::string text = traceJson(makeProfile(), "net");
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 5);
  for (const char *event :
       {"{\"ph\": \"M\", \"name\": \"process_name\", \"pid\": 1, \"tid\": 1, "
        "\"args\": {\"name\": \"net\"}},\n",
        "\"name\": \"thread_name\", \"pid\": 1, \"tid\": 1, "
        "\"args\": {\"name\": \"run\"}},\n",
        "{\"ph\": \"X\", \"name\": \"relu\", \"pid\": 1, \"tid\": 1, "
        "\"ts\": 1.1, \"dur\": 0.04, \"args\": {\"kernel\": \"relu\", "
        "\"nodes\": [\"b\", \"c\"], \"tiles\": 4, \"flops\": 0, "
        "\"bytes\": 1000, \"gflops\": 0, \"gbytes\": 25, \"of_peak\": 0, "
        "\"of_read\": 0.5, \"read_from\": \"L2\", \"bound\": \"memory\"}},\n"})
    EXPECT_PRED_FORMAT2(testing::IsSubstring, event, text);
}

TEST(Roof, IsMeasuredForEachWidthOfThisProcessor) {
  std::vector<int> widths = vectorWidths();
  ASSERT_FALSE(widths.empty());
  EXPECT_EQ(widths[0], 128);
  for (int threads : {1, 2}) {
    Roof roof = measureRoof(widths, threads, /*copies=*/true);
    EXPECT_EQ(roof.threads, threads);
    ASSERT_EQ(roof.peaks.size(), widths.size());
    for (const Peak &peak : roof.peaks)
      EXPECT_GT(peak.gflops, 0);
    ASSERT_FALSE(roof.reads.empty());
    EXPECT_EQ(roof.reads.back().place, "memory");
    ASSERT_EQ(roof.copies.size(), roof.reads.size());
    for (const auto &rates : {roof.reads, roof.copies})
      for (const MemoryRate &place : rates)
        EXPECT_GT(place.gbytes, 0);
  }
}

TEST(Roof, LeavesOutWidthsThatThereAreNot) {
  Roof roof = measureRoof({96}, 1);
  EXPECT_TRUE(roof.peaks.empty());
  EXPECT_TRUE(roof.copies.empty());
}

TEST(Roof, IsPrintedAsJson) {
  Roof copying;
  copying.copies = {{"memory", INT64_MAX, 8}};
  EXPECT_EQ(roofJson(copying), "{\"threads\": 1, \"peaks\": [], \"reads\": "
                               "[], \"copies\": [{\"place\": \"memory\", "
                               "\"gbytes\": 8}]}");
  EXPECT_EQ(roofJson(makeRoof()),
            "{\"threads\": 1, \"peaks\": [{\"vector_bits\": 256, \"gflops\": "
            "100}], \"reads\": [{\"place\": \"L2\", \"bytes\": 1000, "
            "\"gbytes\": 50}, {\"place\": \"L3\", \"bytes\": 1048576, "
            "\"gbytes\": 20}, {\"place\": \"L3\", \"bytes\": 2097152, "
            "\"gbytes\": 16}, {\"place\": \"memory\", \"gbytes\": 10}]}");
}
