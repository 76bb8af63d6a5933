//===- LongSumErrorTest.cpp - rounding errors of very long sums -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file compiles sums, means, pools and normalisations of up to 2^24 terms
// and holds them against f64. Errors must not grow with the number of terms:
// of equal numbers, whose roundings all go the same way, one accumulator was
// off by 1 %.
//===----------------------------------------------------------------------===//
// LINK: TenonCompiler TenonArtifact tenon_runtime
#include "passes/Codegen/Builder/LongSum.h"
#include "test/unit/ErrorBounds.h"

using namespace tenon;
using namespace tenon::test;

/// n for a sum of k in blocks, which up to three loops around each other cut:
/// passes/Codegen/Builder/LongSum.h. Lanes, vectors and parts that threads
/// share add as many as they do where sums are short, and a mean's division.
static double blockRoundings(int64_t k) {
  constexpr double block = codegen::longestInOrder, loops = 3;
  double levels = std::ceil(std::log(double(k) / block) / std::log(16.0));
  return block + 16 * (std::max(0.0, levels) + loops) + 16;
}

/// Equal numbers are the worst there is; others are expected to be better.
static double longBound(int64_t k, bool isEqual) {
  double n = blockRoundings(k);
  return isEqual ? unit * n : roundings(n);
}

static Floats numbers(int64_t count, bool isEqual) {
  return isEqual ? Floats(count, 0.1f) : draw(count, Values::Positive, 3);
}

namespace {
/// A map of which some axes are reduced.
struct Reduced {
  std::vector<int64_t> shape, axes;

  bool isReduced(size_t axis) const {
    return llvm::is_contained(axes, int64_t(axis));
  }

  std::vector<int64_t> result() const {
    std::vector<int64_t> extents = shape;
    for (int64_t axis : axes)
      extents[axis] = 1;
    return extents;
  }

  int64_t count() const {
    int64_t product = 1;
    for (int64_t extent : shape)
      product *= extent;
    return product;
  }

  int64_t terms() const {
    int64_t product = 1;
    for (int64_t axis : axes)
      product *= shape[axis];
    return product;
  }

  std::string attributes() const {
    std::string text = "axes = array<i64: ";
    for (int64_t axis : axes)
      text += (axis == axes.front() ? "" : ", ") + std::to_string(axis);
    return text + ">, keep_dims = true";
  }

  /// The results' sums of `term(x)`.
  template <typename Term>
  std::vector<Exact> sums(const Floats &x, Term term) const {
    std::vector<Exact> result(count() / terms());
    std::vector<int64_t> index(shape.size());
    for (float number : x) {
      int64_t at = 0;
      for (size_t axis = 0; axis < shape.size(); ++axis)
        at = isReduced(axis) ? at : at * shape[axis] + index[axis];
      result[at].add(term(double(number)));
      for (size_t axis = shape.size(); axis-- > 0;)
        if (++index[axis] == shape[axis])
          index[axis] = 0;
        else
          break;
    }
    return result;
  }
};
} // namespace

/// Rows, columns, columns that fill no vector, axes apart, and maps with their
/// channels last, one of which is split into parts first.
static std::vector<Reduced> longMaps() {
  constexpr int64_t million = 1 << 20;
  return {{{1, million + 37}, {1}},
          {{million, 3}, {0}},
          {{1 << 17, 17}, {0}},
          {{1000, 3, 401}, {0, 2}},
          {{50, 3, 50, 3, 50}, {0, 2, 4}},
          {{1, 256, 256, 24}, {1, 2}},
          {{2, 150, 301, 9}, {1, 2}},
          {{1, 1, 1024, 1024}, {2, 3}}};
}

namespace {
/// What a reduction of a map computes of each number.
struct Term {
  const char *reduce;
  bool isSquare; ///< products are added to sums by one instruction

  std::string text(const Reduced &map) const {
    NamedTensor in = {"x", map.shape}, square = {"s", map.shape};
    NamedTensor out = {"y", map.result()};
    std::string squares = operation(square, "graph.mul", {in, in});
    return program(
        {in}, out,
        (isSquare ? squares : "") +
            operation(out, reduce, {isSquare ? square : in}, map.attributes()));
  }

  double of(double x, int64_t terms) const {
    bool isMean = llvm::StringRef(reduce) == "graph.reduce_mean";
    return (isSquare ? x * x : x) / double(isMean ? terms : 1);
  }
};
} // namespace

static void checkLongReductions(const Term &term) {
  for (const Reduced &map : longMaps()) {
    SCOPED_TRACE(map.attributes() + " of " + tensorType(map.shape));
    for (bool isEqual : {true, false}) {
      Floats x = numbers(map.count(), isEqual);
      auto of = [&](double number) { return term.of(number, map.terms()); };
      expectWithin(map.sums(x, of), term.text(map), x,
                   longBound(map.terms(), isEqual));
    }
  }
}

TEST(LongSumError, Sums) { checkLongReductions({"graph.reduce_sum", false}); }

TEST(LongSumError, Means) { checkLongReductions({"graph.reduce_mean", false}); }

TEST(LongSumError, Squares) { checkLongReductions({"graph.reduce_sum", true}); }

/// 2^24 equal numbers in a row, in a column and in two.
TEST(LongSumError, EqualNumbers) {
  constexpr int64_t k = 1 << 24;
  for (const Reduced &map :
       {Reduced{{1, k}, {1}}, Reduced{{k, 1}, {0}}, Reduced{{k / 2, 2}, {0}}}) {
    Term mean = {"graph.reduce_mean", false};
    std::vector<Exact> exact(k / map.terms(), {0.1f, 0.1f});
    expectWithin(exact, mean.text(map), numbers(k, true), longBound(k, true));
  }
}

/// Halves and doubles: sums of the former are f32, whose error is far below
/// that of the result.
static void checkOtherType(const std::string &type, double ownUnit) {
  SCOPED_TRACE(type);
  constexpr int64_t k = 1 << 24;
  std::string x = tensorType({1, k}), wide = tensorType({1, k}, type);
  std::string y = tensorType({1, 1}), sum = tensorType({1, 1}, type);
  std::string text = "func.func @main(%x: " + x + " {onnx.name = \"x\"}) -> (" +
                     y + " {onnx.name = \"y\"}) {\n%a = graph.cast %x : (" + x +
                     ") -> " + wide +
                     "\n%b = graph.reduce_mean %a {axes = array<i64: 1>} : (" +
                     wide + ") -> " + sum + "\n%y = graph.cast %b : (" + sum +
                     ") -> " + y + "\nreturn %y : " + y + "\n}\n";
  Floats numbers(k, 0.75f + 0x1p-7f);
  onAllProcessors([&](const CompileOptions &options) {
    Floats got = CompiledProgram(text, options).run<float>(numbers);
    ASSERT_EQ(got.size(), 1u);
    EXPECT_NEAR(got[0], numbers[0], longBound(k, true) + ownUnit);
  });
}

TEST(LongSumError, OtherTypes) {
  checkOtherType("f16", 0x1p-11);
  checkOtherType("bf16", 0x1p-8);
  checkOtherType("f64", 0);
}

//===-- Pools -------------------------------------------------------------===//

/// Windows of equal numbers, whose averages are that number.
static void checkEqualPool(const std::vector<int64_t> &map,
                           const std::vector<int64_t> &kernel) {
  SCOPED_TRACE(tensorType(kernel));
  constexpr int64_t channels = 3;
  NamedTensor in = {"x", {1, channels}}, out = {"y", {1, channels}};
  int64_t taps = 1, outputs = channels, inputs = channels;
  std::string windows = "kernel_shape = array<i64";
  for (auto [i, extents] : llvm::enumerate(llvm::zip(map, kernel))) {
    auto [extent, side] = extents;
    in.shape.push_back(extent);
    out.shape.push_back(extent - side + 1);
    taps *= side;
    inputs *= extent;
    outputs *= extent - side + 1;
    windows += (i == 0 ? ": " : ", ") + std::to_string(side);
  }
  std::string text = program(
      {in}, out, operation(out, "onnx.AveragePool", {in}, windows + ">"));
  expectWithin(std::vector<Exact>(outputs, {0.1f, 0.1f}), text,
               Floats(inputs, 0.1f), longBound(taps, true));
}

/// Windows of known rows, of columns, of one dimension and of three.
TEST(LongSumError, AveragePools) {
  checkEqualPool({600, 601}, {599, 599});
  checkEqualPool({1000, 12}, {990, 5});
  checkEqualPool({(1 << 20) + 3}, {1 << 20});
  checkEqualPool({60, 61, 62}, {59, 60, 61});
}

/// Windows that hang over the border have as many taps as are inside.
TEST(LongSumError, PaddedAveragePool) {
  NamedTensor in = {"x", {1, 3, 80, 80}}, out = {"y", {1, 3, 80, 80}};
  std::string text = program(
      {in}, out,
      operation(out, "onnx.AveragePool", {in},
                "kernel_shape = array<i64: 51, 51>, pads = array<i64: 25, 25, "
                "25, 25>"));
  expectWithin(std::vector<Exact>(3 * 80 * 80, {0.1f, 0.1f}), text,
               Floats(3 * 80 * 80, 0.1f), longBound(51 * 51, true));
}

TEST(LongSumError, GlobalAveragePool) {
  NamedTensor in = {"x", {1, 2, 2048, 2048}}, out = {"y", {1, 2, 1, 1}};
  std::string text =
      program({in}, out, operation(out, "onnx.GlobalAveragePool", {in}));
  expectWithin(std::vector<Exact>(2, {0.1f, 0.1f}), text,
               Floats(2 * 2048 * 2048, 0.1f), longBound(2048 * 2048, true));
}

//===-- Normalisations ----------------------------------------------------===//

/// All but the first element of a row are e^-3 of it: what is lost in the sum
/// shows in all results.
TEST(LongSumError, Softmax) {
  constexpr int64_t k = 1 << 20;
  NamedTensor in = {"x", {1, k}}, out = {"y", {1, k}};
  std::string text = program(
      {in}, out, operation(out, "graph.softmax", {in}, "axis = 1 : i64"));
  Floats x(k, -3);
  x[0] = 0;
  double power = std::exp(-3.0), sum = 1 + double(k - 1) * power;
  std::vector<Exact> exact(k, {power / sum, power / sum});
  exact[0] = {1 / sum, 1 / sum};
  expectWithin(exact, text, x, longBound(k, true));
}

/// Two halves `apart` around `centre`: deviations are known. The error of the
/// mean moves all results, that of the variance scales them.
static void checkLongNorm(const NamedTensor &in, int64_t k, bool hasMean,
                          const std::string &text) {
  constexpr float centre = 3.1f, apart = 0.7f;
  Floats x;
  for (int64_t extent = 1; int64_t d : in.shape)
    x.resize(extent *= d);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = i % 2 ? centre + apart : centre - apart;
  double low = x[0], high = x[1], middle = hasMean ? (low + high) / 2 : 0;
  double variance =
      ((low - middle) * (low - middle) + (high - middle) * (high - middle)) / 2;
  double deviation = std::sqrt(variance + 1e-5);
  double each = longBound(k, true),
         shift = hasMean ? each * middle / deviation : 0;
  std::vector<Bounded> exact;
  for (float number : x) {
    double value = (number - middle) / deviation;
    exact.push_back({value, shift + std::fabs(value) * (each + 8 * unit)});
  }
  onAllProcessors([&](const CompileOptions &options) {
    expectWithin(exact, CompiledProgram(text, options).run<float>(x));
  });
}

TEST(LongSumError, LayerNorm) {
  constexpr int64_t k = 1 << 20;
  NamedTensor in = {"x", {2, k}}, out = {"y", {2, k}}, scale = {"s", {k}};
  checkLongNorm(in, k, true,
                program({in}, out,
                        "%s = \"onnx.Constant\"() {value = dense<1.0> : " +
                            scale.type() + "} : () -> " + scale.type() + "\n" +
                            operation(out, "graph.layer_norm", {in, scale},
                                      "axis = 1 : i64, epsilon = 1.0e-5 : "
                                      "f32")));
}

TEST(LongSumError, InstanceNorm) {
  NamedTensor in = {"x", {1, 2, 1024, 1024}}, out = {"y", in.shape};
  NamedTensor scale = {"s", {2}}, bias = {"b", {2}};
  checkLongNorm(in, 1 << 20, true,
                program({in}, out,
                        constant(scale, {1, 1}) + constant(bias, {0, 0}) +
                            operation(out, "onnx.InstanceNormalization",
                                      {in, scale, bias})));
}

/// The root of a mean of squares, without a mean.
TEST(LongSumError, RootMeanSquare) {
  constexpr int64_t k = 1 << 20;
  NamedTensor in = {"x", {1, k}}, out = {"y", {1, k}}, square = {"q", {1, k}};
  NamedTensor mean = {"m", {1, 1}}, sum = {"a", {1, 1}}, root = {"r", {1, 1}};
  NamedTensor epsilon = {"e", {1}};
  checkLongNorm(in, k, false,
                program({in}, out,
                        constant(epsilon, {1e-5f}) +
                            operation(square, "graph.mul", {in, in}) +
                            operation(mean, "graph.reduce_mean", {square},
                                      "axes = array<i64: 1>") +
                            operation(sum, "graph.add", {mean, epsilon}) +
                            operation(root, "graph.sqrt", {sum}) +
                            operation(out, "graph.div", {in, root})));
}
