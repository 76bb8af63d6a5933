//===- Recipe.cpp - a loss or an optimiser in words -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Differentiate/Recipe.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>

using namespace llvm;
using namespace tenon::differentiate;

namespace {
/// A number that a recipe takes, within [low, high].
struct Key {
  StringLiteral name;
  double standard, low, high;
};

struct Known {
  StringLiteral name;
  ArrayRef<Key> keys;
};
} // namespace

static constexpr double kMost = 1e300;

static constexpr double kMostLabel = 9e15; // whole numbers, exactly
static constexpr Key kIgnore = {"ignore", -100, -kMostLabel, kMostLabel};
static constexpr Key kDecay = {"weight_decay", 0, 0, kMost};
static constexpr Key kCrossEntropyKeys[] = {kIgnore, {"smoothing", 0, 0, 1}};
static constexpr Key kNllKeys[] = {kIgnore};
static constexpr Key kHuberKeys[] = {{"delta", 1, 1e-30, kMost}};
static constexpr Key kSgdKeys[] = {
    {"momentum", 0, 0, 1}, {"nesterov", 0, 0, 1}, kDecay};
static constexpr Key kBeta1 = {"beta1", 0.9, 0, 0.999999999};
static constexpr Key kBeta2 = {"beta2", 0.999, 0, 0.999999999};
static constexpr Key kEpsilon = {"epsilon", 1e-8, 0, kMost};
static constexpr Key kAdamKeys[] = {kBeta1, kBeta2, kEpsilon, kDecay};
static constexpr Key kAdamwKeys[] = {
    kBeta1, kBeta2, kEpsilon, {"weight_decay", 0.01, 0, kMost}};
static constexpr Key kAdagradKeys[] = {
    {"epsilon", 1e-10, 0, kMost}, {"lr_decay", 0, 0, kMost}, kDecay};
static constexpr Key kScaleKeys[] = {{"first", 65536, kLeastScale, kMostScale},
                                     {"every", 2000, 1, kMostLabel}};

static const Known kLosses[] = {{"cross_entropy", kCrossEntropyKeys},
                                {"nll", kNllKeys},
                                {"mse", {}},
                                {"l1", {}},
                                {"huber", kHuberKeys},
                                {"bce_with_logits", {}}};
static const Known kOptimizers[] = {{"sgd", kSgdKeys},
                                    {"adam", kAdamKeys},
                                    {"adamw", kAdamwKeys},
                                    {"adagrad", kAdagradKeys}};
static const Known kScales[] = {{"none", {}}, {"dynamic", kScaleKeys}};

template <typename Range> static std::string namesOf(const Range &range) {
  std::string names;
  for (const auto &one : range)
    names += (names.empty() ? "" : ", ") + one.name.str();
  return names;
}

static Error refuse(const Twine &why) {
  return createStringError(inconvertibleErrorCode(), why);
}

static const Key *findKey(const Known &known, StringRef name) {
  for (const Key &key : known.keys)
    if (key.name == name)
      return &key;
  return nullptr;
}

/// Takes `key=0.9`, or a key alone for 1.
static Error takeNumber(StringRef text, const Known &known, Recipe &recipe) {
  auto [name, value] = text.split('=');
  name = name.trim();
  const Key *key = findKey(known, name);
  if (!key)
    return refuse(
        "'" + recipe.name + "' does not know '" + name + "'" +
        (known.keys.empty() ? Twine("") : "; it knows " + namesOf(known.keys)));
  double number = 1;
  if (text.contains('=') &&
      (value.trim().getAsDouble(number) || !std::isfinite(number)))
    return refuse("'" + value.trim() + "' is no number, of '" + name + "'");
  if (number < key->low || number > key->high)
    return refuse("'" + name + "' cannot be " + value.trim());
  recipe.numbers[name] = number;
  return Error::success();
}

/// Splits `name(a, b)`; the text in brackets is empty where there are none.
static Expected<std::pair<StringRef, StringRef>> split(StringRef text) {
  text = text.trim();
  size_t open = text.find('(');
  if (open == StringRef::npos)
    return std::pair(text, StringRef());
  if (!text.ends_with(")"))
    return refuse("'" + text + "' lacks a ')' at its end");
  return std::pair(text.take_front(open).trim(),
                   text.drop_front(open + 1).drop_back().trim());
}

static Expected<Recipe> parse(StringRef text, ArrayRef<Known> all,
                              bool takesTensors) {
  auto parts = split(text);
  if (!parts)
    return parts.takeError();
  auto [name, inside] = *parts;
  const Known *known = find_if(
      all, [name = name](const Known &one) { return one.name == name; });
  if (known == all.end())
    return refuse("there is no '" + name + "'; there are " + namesOf(all));
  Recipe recipe;
  recipe.name = name.str();
  for (const Key &key : known->keys)
    recipe.numbers[key.name] = key.standard;
  SmallVector<StringRef> arguments;
  if (!inside.empty())
    inside.split(arguments, ',');
  for (StringRef argument : arguments) {
    argument = argument.trim();
    if (takesTensors && !argument.contains('='))
      recipe.tensors.push_back(argument.str());
    else if (Error error = takeNumber(argument, *known, recipe))
      return error;
  }
  return recipe;
}

Expected<Recipe> tenon::differentiate::parseLoss(StringRef text) {
  if (text.consume_front("output:")) {
    Recipe recipe;
    recipe.name = "output";
    recipe.tensors = {text.str()};
    return recipe;
  }
  auto recipe = parse(text, kLosses, true);
  if (recipe && recipe->tensors.size() > 2)
    return refuse("'" + recipe->name + "' takes an output and labels, not " +
                  Twine(recipe->tensors.size()) + " tensors");
  return recipe;
}

Expected<Recipe> tenon::differentiate::parseOptimizer(StringRef text) {
  auto recipe = parse(text, kOptimizers, false);
  if (recipe && (*recipe)["nesterov"] != 0 && (*recipe)["momentum"] == 0)
    return refuse("'nesterov' needs a momentum");
  return recipe;
}

Expected<Recipe> tenon::differentiate::parseLossScale(StringRef text) {
  double number;
  if (text.getAsDouble(number))
    return parse(text.empty() ? "dynamic" : text, kScales, false);
  if (!(number >= kLeastScale && number <= kMostScale))
    return refuse("a scale cannot be " + text);
  Recipe recipe;
  recipe.name = "constant";
  recipe.numbers["first"] = number;
  return recipe;
}
