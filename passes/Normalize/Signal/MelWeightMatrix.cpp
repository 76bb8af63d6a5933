//===- MelWeightMatrix.cpp - bands of equal width in pitch ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file computes the triangles of a mel filter bank in double.
//===----------------------------------------------------------------------===//
#include "dialects/Onnx/Onnx.h"
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

Lowered normalize::lowerMelWeightMatrix(NormalizeContext &ctx,
                                        const Node &node) {
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
