//===- SymbolicWindowTest.cpp - windows over images of any size -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file compiles depthwise convolutions and pools of images whose extents
// are symbols once for each instruction set that this processor has, and
// compares them with the interpreter where extents are small, and around the
// sizes of tiles.
//===----------------------------------------------------------------------===//
// LINK: TenonCodegenCpu TenonEmit TenonTargetCpu TenonInterpreter TenonKernel
// TenonGraph
#include "mlir/Parser/Parser.h"
#include "test/unit/SymbolicRuns.h"
#include "test/unit/TestProcessors.h"

using namespace mlir;
using namespace tenon;
using test::SymbolNumbers;

namespace {
/// A window over images, the same in both directions.
struct Window {
  int64_t channels, kernel = 3, stride = 1, pad = 1, dilation = 1;
  int64_t padBehind = pad;
  std::string element = "f32";
  std::string height = "\"h\"", width = "\"w\""; ///< symbols or numbers

  int64_t span() const { return (kernel - 1) * dilation + 1; }
  std::string images(const std::string &h, const std::string &w) const;
  std::string input() const { return images(height, width); }
  std::string result() const {
    return images(resultOf(height), resultOf(width));
  }
  std::string attributes() const;

private:
  std::string resultOf(const std::string &extent) const;
};
} // namespace

static std::string text(int64_t number) { return std::to_string(number); }

std::string Window::images(const std::string &h, const std::string &w) const {
  auto dim = [](const std::string &extent) {
    return llvm::StringRef(extent).contains('"') ? "?" : extent;
  };
  return "tensor<?x" + dim(h) + "x" + dim(w) + "x" + text(channels) + "x" +
         element + ", #graph.dims<[\"b\", " + h + ", " + w + ", " +
         text(channels) + "]>>";
}

std::string Window::resultOf(const std::string &extent) const {
  int64_t more = pad + padBehind - span(), known;
  if (!StringRef(extent).getAsInteger(10, known))
    return text((known + more) / stride + 1);
  std::string room = "(" + extent + " + " + text(more) + ")";
  return room + " floordiv " + text(stride) + " + 1";
}

std::string Window::attributes() const {
  auto both = [](int64_t number) {
    return "array<i64: " + text(number) + ", " + text(number) + ">";
  };
  std::string pads = text(pad) + ", " + text(pad) + ", " + text(padBehind) +
                     ", " + text(padBehind);
  return "strides = " + both(stride) + ", pads = array<i64: " + pads +
         ">, dilations = " + both(dilation) + ", layout = #graph<layout nhwc>";
}

/// With a bias and a tensor of the result's size added.
static std::string depthwise(const Window &window) {
  std::string in = window.input(), out = window.result();
  std::string channels = text(window.channels);
  std::string filter = "tensor<" + channels + "x1x" + text(window.kernel) +
                       "x" + text(window.kernel) + "x" + window.element + ">";
  std::string bias = "tensor<" + channels + "x" + window.element + ">";
  std::string operands = in + ", " + filter + ", " + bias + ", " + out;
  return "func.func @depthwise(%x: " + in + ", %b: " + bias + ", %y: " + out +
         ") -> " + out + " {\n%f = graph.constant dense<0.0> : " + filter +
         "\n%g = kernel.group(%x, %f, %b, %y) : (" + operands + ") -> " + out +
         " {\n^bb0(%0: " + in + ", %1: " + filter + ", %2: " + bias +
         ", %3: " + out + "):\n%4 = graph.conv %0, %1 {group = " + channels +
         " : i64, " + window.attributes() + "} : (" + in + ", " + filter +
         ") -> " + out + "\n%5 = graph.add %4, %2 : (" + out + ", " + bias +
         ") -> " + out + "\n%6 = graph.add %5, %3 : (" + out + ", " + out +
         ") -> " + out + "\nkernel.yield %6 : " + out +
         "\n}\nreturn %g : " + out + "\n}\n";
}

static std::string pool(const Window &window, const std::string &name,
                        const std::string &attributes = "") {
  std::string in = window.input(), out = window.result();
  std::string kernel =
      "kernel = array<i64: " + text(window.kernel) + ", " + text(window.kernel);
  return "func.func @" + name + "(%x: " + in + ") -> " + out +
         " {\n%g = kernel.group(%x) : (" + in + ") -> " + out +
         " {\n^bb0(%0: " + in + "):\n%1 = graph." + name + " %0 {" + kernel +
         ">, " + attributes + window.attributes() + "} : (" + in + ") -> " +
         out + "\nkernel.yield %1 : " + out + "\n}\nreturn %g : " + out +
         "\n}\n";
}

/// Images that have results, each extent in turn and both at once.
static std::vector<SymbolNumbers> casesOf(const Window &window,
                                          const SymbolNumbers &typical,
                                          ArrayRef<int64_t> extents) {
  std::vector<SymbolNumbers> cases = {typical};
  auto add = [&](int64_t images, int64_t height, int64_t width) {
    int64_t least = window.span() - window.pad - window.padBehind;
    if (height >= least && width >= least)
      cases.push_back({{"b", images}, {"h", height}, {"w", width}});
  };
  for (int64_t images : {0, 1, 3})
    add(images, 5, 6);
  for (int64_t extent : extents) {
    add(1, extent, typical.at("w"));
    add(1, typical.at("h"), extent);
    add(2, extent, extent);
  }
  return cases;
}

/// Around tiles of 3 to 14 pixels.
constexpr int64_t aroundTiles[] = {1,  2,  3,  4,  5,  6,  7,  8,  9, 11,
                                   12, 13, 14, 15, 16, 17, 27, 28, 29};

static void
check(const Window &window, const std::string &program,
      const SymbolNumbers &typical = {{"b", 1}, {"h", 14}, {"w", 28}},
      ArrayRef<int64_t> extents = aroundTiles) {
  MLIRContext context;
  test::loadDialects(context);
  auto module = parseSourceString<ModuleOp>(program, &context);
  ASSERT_TRUE(module) << program;
  auto function = *module->getOps<func::FuncOp>().begin();
  test::fillWeights(function);
  for (const std::string &name : test::processors()) {
    auto target = cpu::resolveCpu(name);
    ASSERT_TRUE(bool(target)) << llvm::toString(target.takeError());
    test::checkSizes(function, typical, casesOf(window, typical, extents),
                     *target);
  }
}

//===-- Depthwise convolutions --------------------------------------------===//

static void checkDepthwise(const Window &window) {
  check(window, depthwise(window));
}

TEST(SymbolicWindow, Depthwise) {
  checkDepthwise({.channels = 24});
  checkDepthwise({.channels = 17, .stride = 2});
  checkDepthwise({.channels = 32, .kernel = 5, .pad = 2});
  checkDepthwise({.channels = 5, .kernel = 5, .stride = 2, .pad = 2});
}

TEST(SymbolicWindow, DepthwiseOfOtherPadding) {
  checkDepthwise({.channels = 16, .pad = 0});
  checkDepthwise({.channels = 9, .stride = 2, .pad = 0, .padBehind = 1});
  checkDepthwise({.channels = 40, .pad = 2, .dilation = 2});
}

/// What is planned for a small image serves large ones, and the other way
/// round.
TEST(SymbolicWindow, DepthwiseOfOtherPlans) {
  Window window{.channels = 48};
  check(window, depthwise(window), {{"b", 1}, {"h", 1}, {"w", 1}}, {2, 3, 30});
  check(window, depthwise(window), {{"b", 2}, {"h", 112}, {"w", 112}},
        {1, 2, 9, 30});
}

/// Only some extents are symbols.
TEST(SymbolicWindow, DepthwiseOfKnownExtents) {
  for (const char *height : {"12", "\"h\""})
    for (const char *width : {"19", "\"w\""})
      checkDepthwise({.channels = 24, .height = height, .width = width});
}

//===-- Pools -------------------------------------------------------------===//

static void checkMaxima(const Window &window) {
  check(window, pool(window, "max_pool"));
}

static void checkPools(const Window &window) {
  checkMaxima(window);
  check(window, pool(window, "avg_pool", "count_include_pad = false, "));
  check(window, pool(window, "avg_pool", "count_include_pad = true, "));
}

TEST(SymbolicWindow, Pools) {
  checkPools({.channels = 24});
  checkPools({.channels = 17, .stride = 2});
  checkPools({.channels = 32, .kernel = 2, .stride = 2, .pad = 0});
  checkPools({.channels = 7, .kernel = 5, .pad = 2});
}

TEST(SymbolicWindow, PoolsOfOtherPadding) {
  checkPools({.channels = 8, .pad = 0});
  checkPools({.channels = 16, .stride = 2, .pad = 0, .padBehind = 1});
  checkPools({.channels = 33, .pad = 2, .dilation = 2});
}

/// More taps than are unrolled, and maps that tiles would roll down.
TEST(SymbolicWindow, PoolsOfOtherPlans) {
  checkPools({.channels = 16, .kernel = 13, .pad = 6});
  Window window{.channels = 64, .stride = 2};
  check(window, pool(window, "max_pool"), {{"b", 1}, {"h", 56}, {"w", 56}},
        {1, 2, 9, 30});
}

TEST(SymbolicWindow, PoolsOfKnownExtents) {
  for (const char *height : {"12", "\"h\""})
    for (const char *width : {"19", "\"w\""})
      checkMaxima({.channels = 24, .height = height, .width = width});
}

TEST(SymbolicWindow, PoolsOfIntegers) {
  for (const char *element : {"i8", "ui8", "i32"}) {
    Window window{.channels = 24, .element = element};
    check(window, pool(window, "max_pool"));
  }
}
