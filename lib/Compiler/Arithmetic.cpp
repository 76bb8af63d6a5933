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
  if (options.weights != Weights::F32)
    return options.weights == Weights::F16 ? "--weights=f16" : "--weights=bf16";
  return "";
}

ArithmeticReport tenon::describeArithmetic(const CompileOptions &options) {
  ArithmeticReport report;
  report.strict = options.strict;
  auto winograd = options.strict ? tile::WinogradUse::Off : options.winograd;
  report.winograd = tile::toText(winograd).str();
  report.bf16x6 = options.bf16x6 && !options.strict;
  report.infinities = "they are where plain sums have them";
  if (report.bf16x6)
    report.infinities += "; but where a matrix unit (AMX) multiplies, an "
                         "infinity in a product becomes NaN";
  report.smallBesideLarge =
      winograd == tile::WinogradUse::Off
          ? "they are rounded as in plain sums"
          : "kernels whose error_growth is not 1 round the pixels of a tile "
            "together: one that is 2^24 times smaller than the largest is lost "
            "even where no sum has both";
  report.rounding =
      options.strict
          ? "sums may be in another order; nothing else differs from the "
            "operations of the model"
          : "sums may be in another order; divisions by constants may be "
            "products with reciprocals, constant factors may be joined, moved "
            "over a product, or folded into its weights";
  return report;
}
