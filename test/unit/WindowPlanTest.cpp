//===- WindowPlanTest.cpp - plans of windows keep the rules ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file draws pools and depthwise convolutions, and plans them for all
// processors. All plans must be valid. Their numbers are then changed one by
// one: how often each result is computed is counted out as emitters go, and
// what computes one twice or never must be refused.
//===----------------------------------------------------------------------===//
// LINK: TenonCodegenCpu TenonTile MLIR LLVM
#include "mlir/IR/Builders.h"
#include "passes/CodegenCpu/Window/Window.h"
#include "llvm/ADT/StringMap.h"
#include "gtest/gtest.h"
#include <random>

using namespace tenon;
using codegen::WindowDim;
using codegen::WindowKind;
using codegen::WindowNest;
using tile::ceilDiv;
using tile::EvenSplit;

namespace {

using Plan = codegen::WindowPlan;
/// How often each row, pixel or channel is computed.
using Counts = std::vector<int64_t>;

class WindowPlanTest : public ::testing::Test {
protected:
  std::string whyInvalid(const WindowNest &nest, const Plan &plan,
                         const tile::Target &target) {
    llvm::Error error =
        tile::validate(codegen::windowMap(nest, f32), plan, target);
    return error ? llvm::toString(std::move(error)) : "";
  }

  Plan planFor(const WindowNest &nest, const tile::Target &target,
               int64_t distance = 0) {
    return codegen::planWindowTile(nest, f32, target, distance);
  }

  mlir::MLIRContext context;
  mlir::Type f32 = mlir::Float32Type::get(&context);
};

WindowDim dimOf(int64_t input, int64_t kernel, int64_t stride, int64_t dilation,
                int64_t pad) {
  WindowDim dim;
  dim.kernel = kernel;
  dim.stride = stride;
  dim.dilation = dilation;
  dim.padBefore = dim.padAfter = pad;
  dim.input = input;
  dim.output = (input + 2 * pad - dim.span()) / stride + 1;
  return dim;
}

WindowNest nestOf(WindowKind kind, int64_t channels, WindowDim height,
                  WindowDim width) {
  WindowNest nest;
  nest.kind = kind;
  nest.dims = {WindowDim(), height, width};
  nest.channels = channels;
  nest.dims[2].pitch = channels;
  nest.dims[1].pitch = width.input * channels;
  return nest;
}

class Draw {
public:
  int64_t of(std::initializer_list<int64_t> values) {
    std::uniform_int_distribution<size_t> index(0, values.size() - 1);
    return values.begin()[index(random)];
  }

  WindowNest nest() {
    auto kind = WindowKind(of({0, 1, 2}));
    bool isDepthwise = kind == WindowKind::Depthwise;
    int64_t multiplier = isDepthwise ? of({1, 1, 1, 2, 3}) : 1;
    int64_t channels =
        multiplier * of({1, 3, 8, 16, 17, 24, 40, 64, 96, 100, 256});
    WindowNest nest = nestOf(kind, channels, dim(), dim());
    nest.multiplier = multiplier;
    nest.images = of({1, 1, 2});
    return nest;
  }

private:
  WindowDim dim() {
    int64_t kernel = of({1, 2, 3, 3, 5, 7, 12}), dilation = of({1, 1, 1, 2});
    int64_t span = (kernel - 1) * dilation + 1, stride = of({1, 1, 2, 3});
    int64_t pad = of({0, kernel / 2, kernel - 1});
    return dimOf(span + of({0, 1, 4, 6, 13, 27, 55}), kernel, stride, dilation,
                 pad);
  }

  std::mt19937 random{7};
};

//===-- As emitters go ----------------------------------------------------===//

void addRow(const WindowNest &nest, const Plan &plan, int64_t unit,
            Counts &counts) {
  if (!plan.columns) {
    ++counts[unit];
    return;
  }
  auto [first, last] = nest.dims[1].interior();
  auto split = EvenSplit::of(last - first, plan.height);
  int64_t group = unit - first, count = first == last ? 0 : split.count;
  if (group < 0 || group >= count) {
    ++counts[group < 0 ? unit : unit + (last - first) - count];
    return;
  }
  int64_t begin =
      first + group * split.height - std::max<int64_t>(0, group - split.tall);
  int64_t height = split.height - (group >= split.tall ? 1 : 0);
  for (int64_t y = begin; y < begin + height; ++y)
    ++counts[y];
}

/// Rows, over all bands of a plane.
Counts countRows(const WindowNest &nest, const Plan &plan) {
  Counts counts(nest.dims[1].output.fixed());
  EvenSplit bands = EvenSplit::of(plan.heightUnits(nest).fixed(), plan.band);
  int64_t unit = 0;
  for (int64_t band = 0; band < bands.count; ++band)
    for (int64_t i = 0; i < bands.height - (band >= bands.tall ? 1 : 0); ++i) {
      // What rolls stores rows, whatever the height of tiles.
      if (plan.rolls && unit < int64_t(counts.size()))
        ++counts[unit];
      else
        addRow(nest, plan, unit, counts);
      ++unit;
    }
  return counts;
}

/// Pixels, over all spans of a row.
Counts countPixels(const WindowNest &nest, const Plan &plan) {
  const WindowDim &width = nest.dims[2];
  int64_t output = width.output.fixed();
  Counts counts(output);
  bool clips = nest.kind != WindowKind::Depthwise && !plan.columns;
  auto [first, last] =
      clips ? width.interior() : std::pair<int64_t, int64_t>(0, output);
  auto split = EvenSplit::of(last - first, plan.pixels);
  int64_t spans = plan.spans(nest);
  for (int64_t span = 0; span < spans; ++span) {
    bool isPart = spans > 1 && !plan.columns;
    for (int64_t i = 0, x = first; i < split.count && x < last; ++i) {
      int64_t pixels = split.height - (i >= split.tall ? 1 : 0);
      bool isMine = i / plan.across == span;
      for (int64_t p = 0; p < pixels; ++p, ++x)
        counts[x] += isMine || !isPart;
    }
    for (int64_t x = 0; x < output; ++x)
      counts[x] += x < first || x >= last;
  }
  return counts;
}

/// Channels, over all blocks.
Counts countChannels(const WindowNest &nest, const Plan &plan) {
  Counts counts(nest.channels);
  int64_t step = (plan.columns ? 1 : plan.vectors) * plan.lanes;
  int64_t whole = nest.channels / step * step;
  auto add = [&](int64_t from, int64_t to) {
    for (int64_t c = from; c < std::min(to, nest.channels); ++c)
      ++counts[c];
  };
  for (int64_t block = 0; block < plan.blocks(nest); ++block) {
    int64_t begin = block * plan.block * plan.lanes;
    int64_t end = begin + plan.block * plan.lanes;
    for (int64_t c = begin; c < std::min(end, whole); c += step)
      add(c, c + step);
  }
  add(whole, nest.channels);
  return counts;
}

bool areOnes(const Counts &counts) {
  return llvm::all_of(counts, [](int64_t count) { return count == 1; });
}

/// Whether each result is computed once. Numbers below one compute none.
bool computesEachOnce(const WindowNest &nest, const Plan &plan) {
  for (int64_t number : {plan.lanes, plan.pixels, plan.vectors, plan.rows,
                         plan.height, plan.block, plan.across, plan.band})
    if (number < 1)
      return false;
  return areOnes(countRows(nest, plan)) && areOnes(countPixels(nest, plan)) &&
         areOnes(countChannels(nest, plan));
}

//===-- Plans -------------------------------------------------------------===//

template <typename Visit> void forPlans(int64_t count, Visit visit) {
  Draw draw;
  for (int64_t i = 0; i < count; ++i) {
    WindowNest nest = draw.nest();
    for (const tile::Target &target : tile::targets())
      for (int64_t distance : {0, 1 << 22, 1 << 28})
        visit(nest, target, distance);
  }
}

TEST_F(WindowPlanTest, AllPlansAreValidAndComputeEachResultOnce) {
  int64_t rolling = 0, columns = 0, walking = 0;
  forPlans(1500, [&](const WindowNest &nest, const tile::Target &target,
                     int64_t distance) {
    Plan plan = planFor(nest, target, distance);
    ASSERT_EQ(whyInvalid(nest, plan, target), "") << target.name.str();
    ASSERT_TRUE(computesEachOnce(nest, plan));
    rolling += plan.rolls;
    columns += plan.columns;
    walking += plan.blocks(nest) > 1 || plan.spans(nest) > 1;
  });
  EXPECT_GT(rolling, 20);
  EXPECT_GT(columns, 1000);
  EXPECT_GT(walking, 20);
}

/// A field of `plan` by its number, changed; false if there is no such field.
bool change(Plan &plan, size_t number, int64_t way, std::string &name) {
  size_t i = 0;
  bool found = false;
  visitFields(plan, [&](llvm::StringRef field, auto &value) {
    if (i++ != number)
      return;
    found = true;
    name = field.str();
    auto before = int64_t(value);
    int64_t changed[] = {before + 1,      before - 1,      0, -1, before * 2,
                         before + 100000, int64_t(1) << 40};
    using Field = std::decay_t<decltype(value)>;
    value = std::is_same_v<Field, bool> ? Field(!value) : Field(changed[way]);
  });
  return found;
}

/// Asking for results is never wrong.
TEST_F(WindowPlanTest, ChangedPlansThatMissOrRepeatResultsAreRefused) {
  llvm::StringMap<int64_t> refused, all;
  int64_t wrong = 0;
  forPlans(60, [&](const WindowNest &nest, const tile::Target &target,
                   int64_t distance) {
    Plan plan = planFor(nest, target, distance);
    std::string name;
    for (size_t field = 0; field < 12; ++field)
      for (int64_t way = 0; way < 7; ++way) {
        Plan changed = plan;
        ASSERT_TRUE(change(changed, field, way, name));
        bool isRefused = !whyInvalid(nest, changed, target).empty();
        refused[name] += isRefused;
        ++all[name];
        // Not counted out where that would take too much time.
        if (way < 6 && !computesEachOnce(nest, changed)) {
          ++wrong;
          ASSERT_TRUE(isRefused) << name << ", way " << way;
        }
        if (way == 6 && name != "results" && name != "columns" &&
            name != "rolls")
          ASSERT_TRUE(isRefused) << name;
      }
  });
  EXPECT_GT(wrong, 1000);
  int64_t sum = 0, of = 0;
  for (const auto &entry : all) {
    int64_t count = refused[entry.first()];
    RecordProperty(entry.first().str(), std::to_string(count) + " of " +
                                            std::to_string(entry.second));
    if (entry.first() == "results")
      continue;
    sum += count;
    of += entry.second;
    EXPECT_GT(count, 0) << entry.first().str();
  }
  RecordProperty("refused", std::to_string(sum) + " of " + std::to_string(of));
  EXPECT_GT(sum, of * 3 / 4);
}

//===-- Single rules ------------------------------------------------------===//

TEST_F(WindowPlanTest, KeepsTheRules) {
  const tile::Target &target = *tile::findTarget("zen4");
  WindowDim dim = dimOf(56, 3, 1, 1, 1);
  WindowNest conv = nestOf(WindowKind::Depthwise, 144, dim, dim);
  WindowNest pool = nestOf(WindowKind::Max, 64, dim, dim);
  auto why = [&](const WindowNest &nest, auto edit) {
    Plan plan = planFor(nest, target);
    EXPECT_EQ(whyInvalid(nest, plan, target), "");
    edit(plan);
    llvm::StringRef text = "the plan of the window ";
    std::string error = whyInvalid(nest, plan, target);
    EXPECT_TRUE(llvm::StringRef(error).starts_with(text)) << error;
    return error.substr(std::min(error.size(), text.size()));
  };
  EXPECT_EQ(why(conv, [](Plan &plan) { plan.rows = 0; }),
            "has a number below one");
  EXPECT_EQ(why(conv, [](Plan &plan) { plan.prefetch = 3; }),
            "asks for what comes next more than twice");
  EXPECT_EQ(why(conv, [](Plan &plan) { plan.pixels = 31; }),
            "needs more registers than there are");
  EXPECT_EQ(why(conv, [](Plan &plan) { plan.lanes = 32; }),
            "has lanes that no vector has");
  EXPECT_EQ(why(conv, [](Plan &plan) { plan.columns = true; }),
            "has columns of something else than a small pool");
  EXPECT_EQ(why(conv, [](Plan &plan) { plan.height = 2, plan.pixels = 7; }),
            "has tiles of several rows without columns");
  EXPECT_EQ(why(conv, [](Plan &plan) { plan.block = 3, plan.vectors = 2; }),
            "has tiles that reach into the next block of channels");
  EXPECT_EQ(why(conv, [](Plan &plan) { plan.block = 100; }),
            "has more channels than there are");
  EXPECT_EQ(why(conv, [](Plan &plan) { plan.across = 57; }),
            "has more pixels than there are");
  EXPECT_EQ(why(conv, [](Plan &plan) { plan.band = 57; }),
            "has more rows than there are");
  EXPECT_EQ(why(conv, [](Plan &plan) { plan.rows = 1 << 20; }),
            "has more units than there are");
  EXPECT_EQ(why(pool, [](Plan &plan) { plan.across = 1; }),
            "computes pixels more than once");
  conv.multiplier = 3;
  EXPECT_EQ(why(conv, [](Plan &plan) { plan.lanes = 2; }),
            "has vectors that begin inside of an input channel");
}

/// Tiles that roll where all sizes are known do not where they are not.
TEST_F(WindowPlanTest, PlansOfAnySizesDoNotRoll) {
  const tile::Target &target = *tile::findTarget("zen4");
  WindowDim dim = dimOf(56, 3, 2, 1, 1);
  dim.result.push_back(64);
  WindowNest nest = nestOf(WindowKind::Max, 16, dim, dim);
  Plan plan = planFor(nest, target);
  ASSERT_TRUE(plan.rolls);
  WindowNest any = nest;
  any.images = codegen::Size(mlir::StringAttr::get(&context, "batch"));
  EXPECT_NE(whyInvalid(any, plan, target), "");
  codegen::adaptPlan(any, target, plan);
  EXPECT_EQ(whyInvalid(any, plan, target), "");
  EXPECT_EQ(plan.spans(any), 1);
}

} // namespace
