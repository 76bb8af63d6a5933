//===- LoopScheduleTest.cpp - schedules of loops keep the rules -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file schedules transpositions, interleaved channels, sums, normalised
// rows and softmax of many sizes for all processors. All schedules must be
// valid. Their numbers are then changed one by one: the points that tiles have
// are counted out as kernels go, and what misses or repeats one must be
// refused.
//===----------------------------------------------------------------------===//
// LINK: TenonCodegenCpu TenonEmit TenonTargetCpu TenonInterpreter TenonKernel
#include "mlir/Parser/Parser.h"
#include "passes/CodegenCpu/Loops/Plan.h"
#include "test/unit/KernelRuns.h"

#include <map>

using namespace mlir;
using namespace tenon;
using codegen::LoopNest;
using codegen::LoopSchedule;

namespace {

std::string tensor(ArrayRef<int64_t> shape) {
  std::string text = "tensor<";
  for (int64_t extent : shape)
    text += std::to_string(extent) + "x";
  return text + "f32>";
}

/// A group of one operand: its types, and operations from %a to %y.
struct Case {
  std::string from, to, body;
};

Case transposition(ArrayRef<int64_t> shape, ArrayRef<int64_t> order) {
  SmallVector<int64_t> result;
  std::string numbers;
  for (int64_t dim : order) {
    result.push_back(shape[dim]);
    numbers += (numbers.empty() ? " " : ", ") + std::to_string(dim);
  }
  std::string from = tensor(shape), to = tensor(result);
  return {from, to,
          "%y = graph.transpose %a {permutation = array<i64:" + numbers +
              ">} : (" + from + ") -> " + to};
}

Case sum(int64_t rows, int64_t length, int64_t axis) {
  std::string from = tensor({rows, length});
  std::string to = axis == 0 ? tensor({1, length}) : tensor({rows, 1});
  return {from, to,
          "%y = graph.reduce_sum %a {axes = array<i64: " +
              std::to_string(axis) + ">} : (" + from + ") -> " + to};
}

/// x - mean, by the variance; or exp(x - max), by its sum.
Case rows(int64_t count, int64_t length, bool isSoftmax) {
  std::string all = tensor({count, length}), one = tensor({count, 1});
  std::string fold = "{axes = array<i64: 1>} : (" + all + ") -> " + one + "\n";
  std::string two = " : (" + all + ", " + one + ") -> " + all + "\n";
  std::string body = isSoftmax ? "%m = graph.reduce_max %a " + fold : //
                         "%m = graph.reduce_mean %a " + fold;
  body += "%d = graph.sub %a, %m" + two;
  body += isSoftmax ? "%e = graph.exp %d : (" + all + ") -> " + all + "\n" +
                          "%s = graph.reduce_sum %e " + fold +
                          "%y = graph.div %e, %s" + two
                    : "%e = graph.mul %d, %d : (" + all + ", " + all + ") -> " +
                          all + "\n" + "%s = graph.reduce_mean %e " + fold +
                          "%y = graph.div %d, %s" + two;
  return {all, all, body};
}

std::vector<Case> cases() {
  std::vector<Case> result;
  for (int64_t n : {1, 3, 4, 17, 64, 300})
    for (int64_t m : {1, 2, 3, 4, 31, 64, 1000, 70000}) {
      result.push_back(transposition({n, m}, {1, 0}));
      result.push_back(transposition({2, n, m}, {0, 2, 1}));
      result.push_back(sum(n, m, 0));
      result.push_back(sum(n, m, 1));
      result.push_back(rows(n, m, true));
      result.push_back(rows(n, m, false));
    }
  result.push_back(rows(8, 1 << 20, true));
  result.push_back(rows(8, 1 << 20, false));
  result.push_back(transposition({4096, 4096}, {1, 0}));
  return result;
}

class LoopScheduleTest : public ::testing::Test {
protected:
  void SetUp() override { test::loadDialects(context); }

  template <typename Visit> void forSchedules(Visit visit) {
    for (const Case &one : cases()) {
      std::string types = "(" + one.from + ") -> " + one.to;
      auto module = parseSourceString<ModuleOp>(
          "func.func @f(%x: " + one.from + ") -> " + one.to +
              " {\n%r = kernel.group(%x) : " + types + " {\n^bb0(%a: " +
              one.from + "):\n" + one.body + "\nkernel.yield %y : " + one.to +
              "\n}\nreturn %r : " + one.to + "\n}",
          &context);
      ASSERT_TRUE(module) << one.body;
      kernel::GroupOp group;
      module->walk([&](kernel::GroupOp op) { group = op; });
      auto nest = codegen::makeNest(group, codegen::denseBuffers(group));
      ASSERT_TRUE(succeeded(nest));
      for (const tile::Target &target : tile::targets())
        visit(*nest, codegen::scheduleNest(*nest, target), target);
    }
  }

  MLIRContext context;
};

bool isValid(const LoopNest &nest, const LoopSchedule &schedule,
             const tile::Target &target) {
  llvm::Error error = codegen::validate(nest, schedule, target);
  bool failed = bool(error);
  llvm::consumeError(std::move(error));
  return !failed;
}

/// As kernels go: tile by tile, each with rows or a piece of one. The rows that
/// there are follow from the extents.
bool coversPointsOnce(const LoopNest &nest, const LoopSchedule &schedule) {
  int64_t points = 1;
  for (unsigned loop = 0; loop < nest.program.loops.size(); ++loop)
    if (!nest.reduced(loop) && loop != schedule.vector &&
        loop != schedule.transposed && loop != schedule.interleaved)
      points *= nest.extent(loop).fixed();
  int64_t length =
      nest.reduced(schedule.cut) ? 1 : nest.extent(schedule.cut).fixed();
  std::map<int64_t, int64_t> ends; ///< of what is done of each row
  int64_t rowCount = schedule.rowCount.fixed();
  int64_t pieces = schedule.chunkCount.fixed();
  for (int64_t tile = 0; tile < schedule.tiles().fixed(); ++tile) {
    if (pieces == 1) {
      int64_t first = tile * schedule.rows;
      for (int64_t row = first; row < std::min(first + schedule.rows, rowCount);
           ++row)
        if (std::exchange(ends[row], length) != 0)
          return false;
      continue;
    }
    int64_t low = tile % pieces * schedule.chunk;
    int64_t &end = ends[tile / pieces];
    if (low != end || low >= length)
      return false;
    end = std::min(low + schedule.chunk, length);
  }
  return int64_t(ends.size()) == points && ends.rbegin()->first == points - 1 &&
         llvm::all_of(ends, [&](auto &row) { return row.second == length; });
}

TEST_F(LoopScheduleTest, AllSchedulesAreValidAndCoverPointsOnce) {
  std::map<std::string, int64_t> kinds;
  forSchedules([&](const LoopNest &nest, const LoopSchedule &schedule,
                   const tile::Target &target) {
    llvm::Error error = codegen::validate(nest, schedule, target);
    ASSERT_FALSE(error) << llvm::toString(std::move(error));
    ASSERT_TRUE(coversPointsOnce(nest, schedule));
    kinds["transposed"] += schedule.transposed.has_value();
    kinds["interleaved"] += schedule.interleaved.has_value();
    kinds["pieces"] += schedule.cutsRows();
    kinds["jam"] += schedule.jam > 1;
    kinds["overlap"] += schedule.overlap;
    kinds["samples"] += schedule.samples > 0;
    kinds["online"] += schedule.online;
    kinds["stream"] += schedule.stream;
  });
  EXPECT_EQ(kinds.size(), 8u);
  for (const auto &[kind, count] : kinds)
    EXPECT_GT(count, 0) << kind;
}

TEST_F(LoopScheduleTest, ChangedSchedulesThatMissOrRepeatPointsAreRefused) {
  using Field = int64_t LoopSchedule::*;
  const std::pair<const char *, Field> fields[] = {
      {"lanes", &LoopSchedule::lanes},     {"unroll", &LoopSchedule::unroll},
      {"jam", &LoopSchedule::jam},         {"ahead", &LoopSchedule::rowsAhead},
      {"samples", &LoopSchedule::samples}, {"rows", &LoopSchedule::rows},
      {"chunk", &LoopSchedule::chunk}};
  std::map<std::string, int64_t> refused, wrong;
  forSchedules([&](const LoopNest &nest, const LoopSchedule &schedule,
                   const tile::Target &target) {
    auto check = [&](const std::string &name, const LoopSchedule &changed) {
      bool isRefused = !isValid(nest, changed, target);
      refused[name] += isRefused;
      bool counts = changed.rows > 0 && changed.chunk > 0 &&
                    changed.cut < nest.program.loops.size();
      if (counts && changed.tiles().fixed() < 100000 &&
          !coversPointsOnce(nest, changed)) {
        ++wrong[name];
        ASSERT_TRUE(isRefused) << name;
      }
    };
    for (auto [name, field] : fields)
      for (int64_t value :
           {schedule.*field + 1, schedule.*field - 1, int64_t(-1), int64_t(0),
            schedule.*field * 2, int64_t(1) << 40}) {
        LoopSchedule changed = schedule;
        changed.*field = value;
        check(name, changed);
      }
    for (int64_t by : {-1, 1}) {
      LoopSchedule changed = schedule;
      changed.rowCount = schedule.rowCount + by;
      check("row count", changed);
      changed = schedule;
      changed.chunkCount = schedule.chunkCount + by;
      if (!changed.chunkCount.is(0))
        check("pieces", changed);
    }
    unsigned loops = nest.program.loops.size();
    for (unsigned loop = 0; loop <= loops; ++loop) {
      LoopSchedule changed = schedule;
      changed.transposed = loop;
      check("transposed", changed);
      changed = schedule;
      changed.interleaved = loop;
      check("interleaved", changed);
      changed = schedule;
      changed.cut = loop;
      check("cut", changed);
    }
    LoopSchedule changed = schedule;
    changed.vector = loops;
    EXPECT_FALSE(isValid(nest, changed, target));
    changed = schedule;
    changed.online = !schedule.online;
    check("online", changed);
    changed = schedule;
    changed.overlap = !schedule.overlap;
    check("overlap", changed);
  });
  EXPECT_EQ(refused.size(), 14u);
  int64_t sum = 0;
  for (const auto &[name, count] : refused) {
    RecordProperty(name, std::to_string(count));
    EXPECT_GT(count, 0) << name;
    sum += count;
  }
  RecordProperty("refused", std::to_string(sum));
  EXPECT_GT(wrong["row count"], 1000);
  EXPECT_GT(wrong["pieces"], 100);
}

} // namespace
