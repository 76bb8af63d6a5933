//===- MeasuredTimesTest.cpp - what plans took on a GPU -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LINK: TenonCost TenonSupport MLIR LLVM
#include "lib/Cost/MeasuredTimes.h"
#include "lib/Support/File.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "gtest/gtest.h"

using namespace tenon;
using cost::MeasuredTimes;

namespace {
/// A path in the folder for temporary files, which is removed at the end.
struct Scratch {
  Scratch() {
    EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("times", "json", path));
    remover.setFile(path);
  }
  llvm::SmallString<128> path;
  llvm::FileRemover remover;
};
} // namespace

TEST(MeasuredTimes, NoFileHasNoTimes) {
  auto times = MeasuredTimes::read("/no/such/file");
  ASSERT_TRUE(bool(times));
  EXPECT_EQ(times->size(), 0u);
}

TEST(MeasuredTimes, TheShorterTimeCounts) {
  MeasuredTimes times;
  times.add("work", "plan", 3);
  times.add("work", "plan", 2);
  times.add("work", "plan", 4);
  EXPECT_EQ(times.find("work", "plan"), 2);
  EXPECT_EQ(times.find("work", "other"), std::nullopt);
  EXPECT_EQ(times.find("other", "plan"), std::nullopt);
}

TEST(MeasuredTimes, AreReadAsTheyWereWritten) {
  Scratch scratch;
  MeasuredTimes times;
  times.add("a", "#p<\"x\", {n = 1}>", 0.1);
  times.add("a", "#p<\"y\">", 1e6);
  times.add("b", "#p<\"x\", {n = 1}>", 2.5);
  ASSERT_FALSE(llvm::errorToBool(times.write(scratch.path)));
  auto again = MeasuredTimes::read(scratch.path);
  ASSERT_TRUE(bool(again));
  EXPECT_EQ(again->size(), 3u);
  EXPECT_EQ(again->find("a", "#p<\"x\", {n = 1}>"), 0.1);
  EXPECT_EQ(again->find("a", "#p<\"y\">"), 1e6);
}

TEST(MeasuredTimes, OtherFilesAreErrors) {
  Scratch scratch;
  for (llvm::StringRef text :
       {"", "[]", "{", "{\"version\": 2}", "{\"version\": 1}",
        "{\"version\": 1, \"microseconds\": {\"a\": 1}}",
        "{\"version\": 1, \"microseconds\": {\"a\": {\"p\": \"x\"}}}",
        "{\"version\": 1, \"microseconds\": {\"a\": {\"p\": 0}}}",
        "{\"version\": 1, \"microseconds\": {\"a\": {\"p\": -1}}}"}) {
    ASSERT_FALSE(llvm::errorToBool(writeFile(scratch.path, text)));
    auto times = MeasuredTimes::read(scratch.path);
    EXPECT_FALSE(bool(times)) << text.str();
    if (!times)
      EXPECT_NE(llvm::toString(times.takeError()).find("is no file of times"),
                std::string::npos);
  }
}
