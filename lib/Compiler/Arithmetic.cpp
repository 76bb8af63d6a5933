//===- Arithmetic.cpp - what compiling may do to results ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file says in plain words what the options for arithmetic mean, and which
// of them contradict each other.
//===----------------------------------------------------------------------===//
#include "lib/Compiler/Compiler.h"

using namespace tenon;

std::string tenon::againstStrict(const CompileOptions &options,
                                 bool winogradGiven) {
  if (!options.strict)
    return "";
  if (winogradGiven && options.winograd != tile::WinogradUse::Off)
    return "--winograd=" + tile::toText(options.winograd).str();
  if (options.precision != tile::Precision::F32)
    return "--precision=" + tile::toText(options.precision).str();
  if (options.weights != Weights::F32)
    return options.weights == Weights::F16 ? "--weights=f16" : "--weights=bf16";
  return "";
}

/// What 16 bits do to what kernels of devices store; empty: nothing.
static std::string describeHalves(tile::Precision precision) {
  bool isHalf = precision == tile::Precision::F16;
  if (!isHalf && precision != tile::Precision::BF16)
    return "";
  return std::string("; on devices weights and what kernels store for others "
                     "are rounded to ") +
         (isHalf ? "f16 (11 digits" : "bf16 (8 digits") +
         "), sums and all that a kernel keeps are f32";
}

ArithmeticReport tenon::describeArithmetic(const CompileOptions &options) {
  ArithmeticReport report;
  report.strict = options.strict;
  auto winograd = options.strict ? tile::WinogradUse::Off : options.winograd;
  report.winograd = tile::toText(winograd).str();
  report.bf16x6 = options.bf16x6 && !options.strict;
  if (!options.device.empty())
    report.precision = tile::toText(options.precision).str();
  report.infinities = "they appear where direct sums have them";
  if (report.bf16x6)
    report.infinities += ", except that an infinite factor of a product on a "
                         "matrix unit (AMX) gives NaN";
  if (!options.device.empty() && options.precision == tile::Precision::F16)
    report.infinities += ", and where a value that a device stores for another "
                         "kernel is beyond 65504";
  report.smallBesideLarge = winograd == tile::WinogradUse::Off
                                ? "they are rounded as in direct sums"
                                : "kernels whose error_growth is not 1 share "
                                  "rounding errors within a tile: a value 2^24 "
                                  "times smaller than the largest may be lost "
                                  "even in outputs that do not sum both";
  report.rounding =
      options.strict
          ? "sums may be in another order; nothing else differs from the "
            "operations of the model"
          : "sums may be in another order; divisions by constants may be "
            "products with reciprocals, constant factors may be merged, moved "
            "across a product, or folded into its weights";
  if (!options.device.empty())
    report.rounding += describeHalves(options.precision);
  return report;
}
