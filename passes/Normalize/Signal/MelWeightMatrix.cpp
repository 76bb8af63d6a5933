//===- MelWeightMatrix.cpp - bands of equal width in pitch ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file computes the triangles of a mel filter bank in double, or has the
// run compute them.
//===----------------------------------------------------------------------===//
#include "dialects/Onnx/Onnx.h"
#include "passes/Normalize/Extents.h"
#include "passes/Normalize/Signal/Signal.h"

#include <cmath>

using namespace tenon;
using namespace tenon::normalize;

/// Larger matrices are refused.
static constexpr int64_t kMaxElements = int64_t(1) << 26;

namespace {
struct FilterBank {
  int64_t bands, length, rate;
  double lowest, highest; ///< edges in hertz

  int64_t rows() const { return length / 2 + 1; }
};
} // namespace

static std::optional<FilterBank> readFilterBank(NormalizeContext &ctx,
                                                const Node &node) {
  auto bands = integerOperand(ctx, node, 0, "num_mel_bins");
  auto length = integerOperand(ctx, node, 1, "dft_length");
  auto rate = integerOperand(ctx, node, 2, "sample_rate");
  auto lowest = realOperand(ctx, node, 3, "lower_edge_hertz");
  auto highest = realOperand(ctx, node, 4, "upper_edge_hertz");
  if (!bands || !length || !rate || !lowest || !highest)
    return std::nullopt;
  FilterBank bank{*bands, *length, *rate, *lowest, *highest};
  bool isSane = bank.bands >= 1 && bank.length >= 1 && bank.rate >= 1 &&
                bank.length <= kMaxElements &&
                bank.bands <= kMaxElements / bank.rows() && bank.lowest >= 0 &&
                bank.highest >= bank.lowest && bank.highest < 0x1p60;
  if (isSane)
    return bank;
  (void)ctx.unsupported("the numbers make no filter bank");
  return std::nullopt;
}

/// The bin of the spectrum where each band begins, and the ends of the last
/// two. A band's peak is where the next one begins.
static SmallVector<int64_t> edgesOf(const FilterBank &bank) {
  auto toMel = [](double hertz) { return 2595 * std::log10(1 + hertz / 700); };
  double low = toMel(bank.lowest), high = toMel(bank.highest);
  double step = (high - low) / double(bank.bands + 2);
  SmallVector<int64_t> edges;
  for (int64_t i = 0; i < bank.bands + 2; ++i) {
    double hertz = 700 * (std::pow(10, (double(i) * step + low) / 2595) - 1);
    double bin =
        std::floor(double(bank.length + 1) * hertz / double(bank.rate));
    edges.push_back(int64_t(std::min(bin, 0x1p40)));
  }
  return edges;
}

/// Writes one band: up from its begin to its peak, and down to its end.
static void writeBand(const FilterBank &bank, ArrayRef<int64_t> edges,
                      int64_t band, std::vector<double> &matrix) {
  int64_t begin = edges[band], peak = edges[band + 1], end = edges[band + 2];
  auto at = [&](int64_t row) -> double & {
    return matrix[row * bank.bands + band];
  };
  at(peak) = 1;
  for (int64_t row = begin; row < peak; ++row)
    at(row) = double(row - begin) / double(peak - begin);
  for (int64_t row = peak; row < end; ++row)
    at(row) = double(end - row) / double(end - peak);
}

//===-- In the run ----------------------------------------------------------//

namespace {
/// A filter bank of which the run knows some number.
class OpenBank {
public:
  OpenBank(NormalizeContext &ctx, const Node &node)
      : ctx(ctx), node(node), f64(ctx.builder().getF64Type()) {}

  /// `[rows, bands]` of f64.
  Value build();

private:
  Value operand(unsigned index) {
    Value only = onlyElement(ctx, node.operand(index));
    return ctx.cast(ctx.reshape(only, {}), f64);
  }
  Value number(double value) { return ctx.scalar(value, f64); }
  template <typename OpTy> Value with(Value x, double y) {
    return ctx.create<OpTy>(x, number(y));
  }
  Value mel(Value hertz);
  Value along(int64_t axis, mlir::Attribute size, double start);
  Value edges(Value band);
  Value sanity(Value low, Value high);
  bool checkEdges(mlir::Attribute &bands, mlir::Attribute &rows);

  NormalizeContext &ctx;
  const Node &node;
  mlir::Type f64;
  Value lowest, step; ///< in mel
  Value bins, rate;
};
} // namespace

Value OpenBank::mel(Value hertz) {
  Value ratio = with<graph::AddOp>(with<graph::DivOp>(hertz, 700.0), 1.0);
  return with<graph::MulOp>(ctx.create<graph::LogOp>(ratio),
                            2595.0 / std::log(10.0));
}

/// start, start + 1... along dimension `axis` of `[rows, bands]`.
Value OpenBank::along(int64_t axis, mlir::Attribute size, double start) {
  Dims shape(2, sizeDim(node.context(), 1));
  shape[axis] = size;
  return ctx.createTyped<graph::IotaOp>(
      typeFromDims(shape, f64), axis, llvm::APFloat(start), llvm::APFloat(1.0));
}

/// The bin where a band begins.
Value OpenBank::edges(Value band) {
  Value pitch =
      ctx.create<graph::AddOp>(ctx.create<graph::MulOp>(band, step), lowest);
  Value power = ctx.create<graph::ExpOp>(
      with<graph::MulOp>(pitch, std::log(10.0) / 2595.0));
  Value hertz = with<graph::MulOp>(with<graph::AddOp>(power, -1.0), 700.0);
  return ctx.create<graph::FloorOp>(
      ctx.create<graph::DivOp>(ctx.create<graph::MulOp>(hertz, bins), rate));
}

/// 0 of numbers that make a filter bank, else -1.
Value OpenBank::sanity(Value low, Value high) {
  Value isSane = ctx.create<graph::AndOp>(
      ctx.create<graph::GreaterEqualOp>(low, number(0.0)),
      ctx.create<graph::GreaterEqualOp>(high, low));
  isSane = ctx.create<graph::AndOp>(
      isSane, ctx.create<graph::GreaterEqualOp>(rate, number(1.0)));
  return ctx.create<graph::SelectOp>(ctx.reshape(isSane, {1}),
                                     numberOf(ctx, int64_t(0)),
                                     numberOf(ctx, int64_t(-1)));
}

/// Reads the sizes. That bands lie within the spectrum is checked by the run.
bool OpenBank::checkEdges(mlir::Attribute &bands, mlir::Attribute &rows) {
  mlir::Attribute length =
      sizeOperand(ctx, node, 1, "dft_length", 1, kMaxElements);
  bands = length ? sizeOperand(ctx, node, 0, "num_mel_bins", 1, kMaxElements)
                 : length;
  if (!bands)
    return false;
  Value low = operand(3), high = operand(4);
  lowest = mel(low);
  rate = operand(2);
  Value width = ctx.create<graph::SubOp>(mel(high), lowest);
  Value count = sizeScalar(ctx, bands, f64);
  step = ctx.create<graph::DivOp>(width, with<graph::AddOp>(count, 2.0));
  bins = sizeScalar(ctx, graph::affineDim(length, 1, 1), f64);
  Value rowCount = sizeScalar(ctx, graph::affineDim(length, 1, 2, 2), f64);
  Value last = edges(with<graph::AddOp>(count, 1.0));
  Value peak = edges(count);
  auto room = [&](Value edge, double least) {
    Value left =
        with<graph::AddOp>(ctx.create<graph::SubOp>(rowCount, edge), -least);
    return ctx.reshape(ctx.cast(left, ctx.builder().getI64Type()), {1});
  };
  auto dims = extents(
      ctx,
      {numberOf(ctx, bands), numberOf(ctx, graph::affineDim(length, 1, 2, 2))},
      {sanity(low, high), room(last, 0.0), room(peak, 1.0)});
  if (!dims)
    return false;
  bands = dims->front();
  rows = dims->back();
  return true;
}

Value OpenBank::build() {
  mlir::Attribute bands, rows;
  if (!checkEdges(bands, rows))
    return {};
  Value row = along(0, rows, 0.0), none = number(0.0);
  Value begin = edges(along(1, bands, 0.0));
  Value peak = edges(along(1, bands, 1.0));
  Value end = edges(along(1, bands, 2.0));
  auto share = [&](Value from, Value to, Value least, Value most) {
    Value width =
        with<graph::MaxOp>(ctx.create<graph::SubOp>(most, least), 1.0);
    return ctx.create<graph::DivOp>(ctx.create<graph::SubOp>(to, from), width);
  };
  auto isIn = [&](Value low, Value high) {
    return ctx.create<graph::AndOp>(ctx.create<graph::GreaterEqualOp>(row, low),
                                    ctx.create<graph::LessOp>(row, high));
  };
  Value up = ctx.create<graph::SelectOp>(isIn(begin, peak),
                                         share(begin, row, begin, peak), none);
  Value down = ctx.create<graph::SelectOp>(isIn(peak, end),
                                           share(row, end, peak, end), up);
  return ctx.create<graph::SelectOp>(ctx.create<graph::EqualOp>(row, peak),
                                     number(1.0), down);
}

/// Whether an operand is no constant number.
static bool isOpen(NormalizeContext &ctx, const Node &node) {
  return llvm::any_of(llvm::seq(0u, 5u), [&](unsigned index) {
    return !ctx.constantReals(node.operand(index));
  });
}

Lowered normalize::lowerMelWeightMatrix(NormalizeContext &ctx,
                                        const Node &node) {
  if (isOpen(ctx, node)) {
    mlir::Type element =
        onnx::elementType(node.integer("output_datatype", 1), node.context());
    if (!element)
      return ctx.unsupported("'output_datatype' names no element type");
    return ctx.cast(OpenBank(ctx, node).build(), element);
  }
  auto bank = readFilterBank(ctx, node);
  if (!bank)
    return mlir::failure();
  mlir::Type element =
      onnx::elementType(node.integer("output_datatype", 1), node.context());
  if (!element)
    return ctx.unsupported("'output_datatype' names no element type");
  SmallVector<int64_t> edges = edgesOf(*bank);
  // Of the last band, only bins below its end are written.
  if (edges[bank->bands] >= bank->rows() || edges.back() > bank->rows())
    return ctx.unsupported("'upper_edge_hertz' is above the spectrum");
  std::vector<double> matrix(bank->rows() * bank->bands);
  for (int64_t band = 0; band < bank->bands; ++band)
    writeBand(*bank, edges, band, matrix);
  return numbers(ctx, matrix, {bank->rows(), bank->bands}, element);
}
