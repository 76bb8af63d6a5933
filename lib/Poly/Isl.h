//===- Isl.h - relations of integer points ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares handles of isl's relations, within this library only. A
// computation has an allowance of operations, which isl counts, so that it ends
// after the same work anywhere:
//
//   IslContext isl;
//   IslBuilder builder(isl, 0, 1, 1);            // { [i] -> [j] :
//   IslSum i = builder.input(0), j = builder.output(0);
//   builder.atLeast(j, i - IslSum(1));           //     i - 1 <= j
//   builder.atLeast(i + IslSum(1), j);           //     j <= i + 1 }
//   IslMap twice = builder.build().then(...);    // may be none
//   if (std::string error = isl.takeError(); !error.empty()) ...
//
// What is computed from no relation is none; the context stays usable.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_POLY_ISL_H
#define TENON_LIB_POLY_ISL_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

struct isl_ctx;
struct isl_map;

namespace tenon::poly {

class IslMap;

class IslContext {
public:
  static constexpr uint64_t defaultOperations = 10000;

  /// `operations`: of each step.
  explicit IslContext(uint64_t operations = defaultOperations);
  ~IslContext();
  IslContext(const IslContext &) = delete;

  /// From here on the allowance is a new one.
  void beginStep();
  /// Why there was no result since the last call: "isl-quota" where the
  /// allowance was spent; empty if there always was one.
  std::string takeError();

private:
  friend class IslBuilder;
  isl_ctx *context;
};

/// A relation of points of one space to points of another, with parameters. One
/// without an input space is a set. None after an error.
class IslMap {
public:
  IslMap() = default;
  explicit IslMap(isl_map *map) : map(map) {}
  IslMap(const IslMap &other);
  IslMap(IslMap &&other) : map(other.map) { other.map = nullptr; }
  IslMap &operator=(IslMap other);
  ~IslMap();

  IslMap then(const IslMap &next) const;
  IslMap inverse() const;
  IslMap operator|(const IslMap &other) const; ///< coalesced
  IslMap operator&(const IslMap &other) const;
  IslMap operator-(const IslMap &other) const;
  /// All outputs, as a set.
  IslMap outputs() const;
  /// Pairs whose output is in a set.
  IslMap within(const IslMap &set) const;
  /// For each input all outputs of which each coordinate is that of some.
  IslMap productOfSides() const;

  /// None after an error.
  std::optional<bool> isSubsetOf(const IslMap &other) const;
  std::optional<bool> isEmpty() const;
  std::optional<int64_t> countPairs() const; ///< of bounded ones
  explicit operator bool() const { return map; }

private:
  isl_map *map = nullptr;
};

/// A number and multiples of variables, which a builder numbers.
class IslSum {
public:
  explicit IslSum(int64_t constant = 0) : constant(constant) {}
  IslSum operator+(const IslSum &other) const;
  IslSum operator-(const IslSum &other) const { return *this + other * -1; }
  IslSum operator*(int64_t factor) const;

private:
  friend class IslBuilder;
  int64_t constant;
  std::vector<int64_t> factors;
};

/// Makes a relation of constraints.
class IslBuilder {
public:
  IslBuilder(IslContext &isl, unsigned parameters, unsigned inputs,
             unsigned outputs)
      : isl(isl), parameters(parameters), inputs(inputs), outputs(outputs) {}

  IslSum parameter(unsigned number) const { return variable(number); }
  IslSum input(unsigned number) const { return variable(parameters + number); }
  IslSum output(unsigned number) const {
    return variable(parameters + inputs + number);
  }
  /// floor(sum / divisor)
  IslSum quotient(const IslSum &sum, int64_t divisor);

  void atLeast(const IslSum &x, const IslSum &y);
  void equal(const IslSum &x, const IslSum &y);
  IslMap build() const;

private:
  struct Row {
    IslSum sum;
    bool isEqual; ///< to 0; else it is at least 0
  };
  IslSum variable(unsigned number) const;

  IslContext &isl;
  unsigned parameters, inputs, outputs;
  unsigned quotients = 0; ///< variables behind the outputs
  std::vector<Row> rows;
};

} // namespace tenon::poly

#endif // TENON_LIB_POLY_ISL_H
