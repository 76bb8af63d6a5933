//===- Recipe.h - a loss or an optimiser in words ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares how losses and optimisers are named: `sgd(momentum=0.9)`,
// `cross_entropy(logits, labels)`, `output:loss`.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_DIFFERENTIATE_RECIPE_H
#define TENON_PASSES_DIFFERENTIATE_RECIPE_H

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace tenon::differentiate {

struct Recipe {
  std::string name;
  std::vector<std::string> tensors; ///< by name, in their order
  llvm::StringMap<double> numbers;  ///< all that the recipe knows

  double operator[](llvm::StringRef key) const { return numbers.lookup(key); }
};

/// `cross_entropy`, `nll`, `mse`, `l1`, `huber`, `bce_with_logits`, each of an
/// output (the only one may be left out) and of an input for labels
/// (`labels`); or `output` of a name. Errors name what is known.
llvm::Expected<Recipe> parseLoss(llvm::StringRef text);

/// `sgd`, `adam`, `adamw`, `adagrad`.
llvm::Expected<Recipe> parseOptimizer(llvm::StringRef text);

/// What a scale of the loss can be.
inline constexpr double kLeastScale = 0x1p-64, kMostScale = 0x1p64;

/// `none`; `dynamic` with `first` and `every`, the good steps behind which it
/// doubles; or `constant` with `first`, a number. An empty text is `dynamic`,
/// which the caller may choose not to need.
llvm::Expected<Recipe> parseLossScale(llvm::StringRef text);

} // namespace tenon::differentiate

#endif // TENON_PASSES_DIFFERENTIATE_RECIPE_H
