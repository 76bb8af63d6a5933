//===- Extent.cpp - sizes of dimensions -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/fuzz/Extent.h"

#include <algorithm>

using namespace tenon::fuzz;

Extent::Extent(int64_t number) {
  values.fill(number);
  addTerm({}, number);
}

void Extent::addTerm(const std::vector<std::string> &factors, int64_t number) {
  int64_t &sum = terms[factors];
  sum += number;
  if (!sum)
    terms.erase(factors);
}

Extent Extent::named(const std::string &name, const PerRun &at) {
  Extent extent;
  extent.addTerm({name}, 1);
  extent.values = at;
  return extent;
}

Extent Extent::ofData(const std::string &name) {
  PerRun at;
  at.fill(unknown);
  return named(name, at);
}

bool Extent::isIn(int64_t low, int64_t high) const {
  return std::all_of(values.begin(), values.end(), [&](int64_t value) {
    return value >= std::max<int64_t>(low, 0) && value <= high;
  });
}

std::optional<int64_t> Extent::constant() const {
  if (terms.empty())
    return 0;
  if (terms.size() == 1 && terms.begin()->first.empty())
    return terms.begin()->second;
  return std::nullopt;
}

std::optional<std::string> Extent::name() const {
  if (terms.size() != 1 || terms.begin()->second != 1 ||
      terms.begin()->first.size() != 1)
    return std::nullopt;
  return terms.begin()->first.front();
}

std::string Extent::text() const {
  std::string text;
  for (const auto &[factors, number] : terms) {
    if (!text.empty())
      text += " + ";
    text += std::to_string(number);
    for (const std::string &factor : factors)
      text += " * " + factor;
  }
  return text.empty() ? "0" : text;
}

Extent Extent::operator+(const Extent &other) const {
  Extent sum = *this;
  for (const auto &[factors, number] : other.terms)
    sum.addTerm(factors, number);
  for (unsigned run = 0; run < runCount; ++run)
    sum.values[run] = isKnown() && other.isKnown()
                          ? values[run] + other.values[run]
                          : unknown;
  return sum;
}

Extent Extent::operator*(const Extent &other) const {
  Extent product;
  for (const auto &[factors, number] : terms)
    for (const auto &[others, times] : other.terms) {
      std::vector<std::string> all = factors;
      all.insert(all.end(), others.begin(), others.end());
      std::sort(all.begin(), all.end());
      product.addTerm(all, number * times);
    }
  for (unsigned run = 0; run < runCount; ++run)
    product.values[run] = isKnown() && other.isKnown()
                              ? values[run] * other.values[run]
                              : unknown;
  return product;
}

/// `extent` with another function of its values; numbers stay numbers.
template <typename F>
static Extent mapped(const Extent &extent, const std::string &name, F f) {
  if (auto number = extent.constant())
    return Extent(f(*number));
  PerRun at = extent.at();
  if (extent.isKnown())
    std::transform(at.begin(), at.end(), at.begin(), f);
  return Extent::named(name + "(" + extent.text() + ")", at);
}

Extent Extent::dividedBy(int64_t divisor) const {
  if (divisor == 1)
    return *this;
  return mapped(*this, "div" + std::to_string(divisor), [=](int64_t value) {
    return value >= 0 ? value / divisor : -((divisor - 1 - value) / divisor);
  });
}

Extent Extent::atLeast(int64_t low) const {
  return mapped(*this, "max" + std::to_string(low),
                [=](int64_t value) { return std::max(value, low); });
}

Extent Extent::atMost(int64_t high) const {
  return mapped(*this, "min" + std::to_string(high),
                [=](int64_t value) { return std::min(value, high); });
}

Extent Extent::smaller(const Extent &other) const {
  PerRun at;
  for (unsigned run = 0; run < runCount; ++run)
    at[run] = std::min(values[run], other.values[run]);
  return named("min(" + text() + ", " + other.text() + ")", at);
}

Extent tenon::fuzz::elementsOf(const Shape &shape) {
  Extent product(1);
  for (const Extent &extent : shape)
    product = product * extent;
  return product;
}

bool tenon::fuzz::isKnown(const Shape &shape) {
  return std::all_of(shape.begin(), shape.end(),
                     [](const Extent &extent) { return extent.isKnown(); });
}

bool tenon::fuzz::isBelow(const Shape &shape, int64_t most) {
  return isKnown(shape) && elementsOf(shape).isIn(0, most);
}
