//===- Extent.h - sizes of dimensions ---------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares what the generator knows of an extent: how it follows from
// the symbols, so that it knows which are equal for any sizes, and what it is
// in each run, so that it knows which operators are defined there.
//===----------------------------------------------------------------------===//
#ifndef TENON_TEST_FUZZ_EXTENT_H
#define TENON_TEST_FUZZ_EXTENT_H

#include "test/fuzz/Case.h"

#include <algorithm>
#include <optional>

namespace tenon::fuzz {

/// A polynomial whose variables are symbols and extents that are none.
class Extent {
public:
  Extent(int64_t number);

  /// A symbol, or another extent by the text that says how it is made.
  static Extent named(const std::string &name, const PerRun &at);

  /// One that data decide: nothing is known of it but that it is itself.
  static Extent ofData(const std::string &name);

  /// What it is in each run.
  const PerRun &at() const { return values; }
  /// Whether data do not decide it.
  bool isKnown() const { return values[0] != unknown; }
  bool isIn(int64_t low, int64_t high) const;
  /// The largest and the smallest that it is in any run.
  int64_t most() const { return *std::max_element(at().begin(), at().end()); }
  int64_t least() const { return *std::min_element(at().begin(), at().end()); }

  std::optional<int64_t> constant() const;
  bool is(int64_t number) const { return constant() == number; }

  /// The name, where it is a symbol or the like and nothing else.
  std::optional<std::string> name() const;
  std::string text() const;

  Extent operator+(const Extent &other) const;
  Extent operator*(const Extent &other) const;

  /// Rounded down.
  Extent dividedBy(int64_t divisor) const;
  Extent atLeast(int64_t low) const;
  Extent atMost(int64_t high) const;
  /// The smaller one of each run.
  Extent smaller(const Extent &other) const;

  /// Equal for any sizes.
  bool operator==(const Extent &other) const { return terms == other.terms; }

private:
  static constexpr int64_t unknown = INT64_MIN;

  Extent() : values{} {}
  void addTerm(const std::vector<std::string> &factors, int64_t number);

  std::map<std::vector<std::string>, int64_t> terms;
  PerRun values;
};

using Shape = std::vector<Extent>;

/// Elements of a shape.
Extent elementsOf(const Shape &shape);

/// Whether data decide no extent.
bool isKnown(const Shape &shape);

/// Whether it is known and has at most so many elements in all runs.
bool isBelow(const Shape &shape, int64_t most);

} // namespace tenon::fuzz

#endif // TENON_TEST_FUZZ_EXTENT_H
