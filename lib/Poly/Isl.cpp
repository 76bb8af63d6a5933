//===- Isl.cpp - relations of integer points ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Poly/Isl.h"

#include <algorithm>
#include <isl/constraint.h>
#include <isl/ctx.h>
#include <isl/local_space.h>
#include <isl/map.h>
#include <isl/options.h>
#include <isl/set.h>
#include <isl/space.h>
#include <isl/val.h>
#include <utility>

using namespace tenon::poly;

//===-- Contexts ----------------------------------------------------------===//

IslContext::IslContext(uint64_t operations) : context(isl_ctx_alloc()) {
  isl_options_set_on_error(context, ISL_ON_ERROR_CONTINUE);
  isl_ctx_set_max_operations(context, operations);
}

IslContext::~IslContext() { isl_ctx_free(context); }

void IslContext::beginStep() { isl_ctx_reset_operations(context); }

std::string IslContext::takeError() {
  isl_error error = isl_ctx_last_error(context);
  if (error == isl_error_none)
    return "";
  const char *message = isl_ctx_last_error_msg(context);
  std::string reason =
      error == isl_error_quota
          ? "isl-quota"
          : "isl: " + std::string(message ? message : "unknown error");
  isl_ctx_reset_error(context);
  isl_ctx_reset_operations(context);
  return reason;
}

//===-- Relations ---------------------------------------------------------===//

IslMap::IslMap(const IslMap &other) : map(isl_map_copy(other.map)) {}

IslMap &IslMap::operator=(IslMap other) {
  std::swap(map, other.map);
  return *this;
}

IslMap::~IslMap() { isl_map_free(map); }

IslMap IslMap::then(const IslMap &next) const {
  return IslMap(isl_map_apply_range(isl_map_copy(map), isl_map_copy(next.map)));
}

IslMap IslMap::inverse() const {
  return IslMap(isl_map_reverse(isl_map_copy(map)));
}

/// With fewer pieces, if that adds nothing: isl 0.25 makes 0 <= x <= 7 of
/// 0 <= x <= 1 and the even ones of 0 <= x <= 6.
static isl_map *coalesced(isl_map *map) {
  isl_map *fewer = isl_map_coalesce(isl_map_copy(map));
  bool isBetter = isl_map_n_basic_map(fewer) < isl_map_n_basic_map(map) &&
                  isl_map_is_subset(fewer, map) == isl_bool_true;
  isl_map_free(isBetter ? map : fewer);
  return isBetter ? fewer : map;
}

IslMap IslMap::operator|(const IslMap &other) const {
  return IslMap(
      coalesced(isl_map_union(isl_map_copy(map), isl_map_copy(other.map))));
}

IslMap IslMap::operator&(const IslMap &other) const {
  return IslMap(isl_map_intersect(isl_map_copy(map), isl_map_copy(other.map)));
}

IslMap IslMap::operator-(const IslMap &other) const {
  return IslMap(isl_map_subtract(isl_map_copy(map), isl_map_copy(other.map)));
}

IslMap IslMap::outputs() const {
  return IslMap(isl_map_from_range(isl_map_range(isl_map_copy(map))));
}

IslMap IslMap::within(const IslMap &set) const {
  return IslMap(isl_map_intersect_range(isl_map_copy(map),
                                        isl_map_range(isl_map_copy(set.map))));
}

IslMap IslMap::productOfSides() const {
  isl_size dims = isl_map_dim(map, isl_dim_out);
  if (dims <= 0)
    return *this;
  isl_map *product = nullptr;
  for (unsigned dim = 0; dim < unsigned(dims); ++dim) {
    isl_map *side = isl_map_copy(map);
    side = isl_map_project_out(side, isl_dim_out, dim + 1, dims - dim - 1);
    side = isl_map_project_out(side, isl_dim_out, 0, dim);
    side = isl_map_insert_dims(side, isl_dim_out, 0, dim);
    side = isl_map_insert_dims(side, isl_dim_out, dim + 1, dims - dim - 1);
    product = dim == 0 ? side : isl_map_intersect(product, side);
  }
  return IslMap(product);
}

static std::optional<bool> asBool(isl_bool value) {
  if (value == isl_bool_error)
    return std::nullopt;
  return value == isl_bool_true;
}

std::optional<bool> IslMap::isSubsetOf(const IslMap &other) const {
  return asBool(isl_map_is_subset(map, other.map));
}

std::optional<bool> IslMap::isEmpty() const {
  return asBool(isl_map_is_empty(map));
}

std::optional<int64_t> IslMap::countPairs() const {
  isl_set *set = isl_map_wrap(isl_map_copy(map));
  isl_val *count = isl_set_count_val(set);
  isl_set_free(set);
  std::optional<int64_t> result;
  if (count && isl_val_is_int(count) == isl_bool_true)
    result = isl_val_get_num_si(count);
  isl_val_free(count);
  return result;
}

//===-- Constraints -------------------------------------------------------===//

IslSum IslSum::operator+(const IslSum &other) const {
  IslSum sum(constant + other.constant);
  sum.factors.resize(std::max(factors.size(), other.factors.size()));
  for (size_t i = 0; i < sum.factors.size(); ++i)
    sum.factors[i] = (i < factors.size() ? factors[i] : 0) +
                     (i < other.factors.size() ? other.factors[i] : 0);
  return sum;
}

IslSum IslSum::operator*(int64_t factor) const {
  IslSum product = *this;
  product.constant *= factor;
  for (int64_t &each : product.factors)
    each *= factor;
  return product;
}

IslSum IslBuilder::variable(unsigned number) const {
  IslSum sum;
  sum.factors.resize(number + 1);
  sum.factors[number] = 1;
  return sum;
}

IslSum IslBuilder::quotient(const IslSum &sum, int64_t divisor) {
  IslSum result = output(outputs + quotients++);
  IslSum rest = sum - result * divisor;
  atLeast(rest, IslSum(0));
  atLeast(IslSum(divisor - 1), rest);
  return result;
}

void IslBuilder::atLeast(const IslSum &x, const IslSum &y) {
  rows.push_back({x - y, false});
}

void IslBuilder::equal(const IslSum &x, const IslSum &y) {
  rows.push_back({x - y, true});
}

IslMap IslBuilder::build() const {
  unsigned all = outputs + quotients;
  isl_space *space = isl_space_alloc(isl.context, parameters, inputs, all);
  for (unsigned k = 0; k < parameters; ++k)
    space = isl_space_set_dim_name(space, isl_dim_param, k,
                                   ("T" + std::to_string(k)).c_str());
  isl_basic_map *map = isl_basic_map_universe(isl_space_copy(space));
  isl_local_space *local = isl_local_space_from_space(space);
  for (const Row &row : rows) {
    isl_local_space *copy = isl_local_space_copy(local);
    isl_constraint *constraint = row.isEqual
                                     ? isl_constraint_alloc_equality(copy)
                                     : isl_constraint_alloc_inequality(copy);
    auto value = [&](int64_t number) {
      return isl_val_int_from_si(isl.context, number);
    };
    constraint =
        isl_constraint_set_constant_val(constraint, value(row.sum.constant));
    for (unsigned i = 0; i < row.sum.factors.size(); ++i) {
      if (row.sum.factors[i] == 0)
        continue;
      isl_dim_type type = i < parameters            ? isl_dim_param
                          : i < parameters + inputs ? isl_dim_in
                                                    : isl_dim_out;
      unsigned first = type == isl_dim_param ? 0
                       : type == isl_dim_in  ? parameters
                                             : parameters + inputs;
      constraint = isl_constraint_set_coefficient_val(
          constraint, type, i - first, value(row.sum.factors[i]));
    }
    map = isl_basic_map_add_constraint(map, constraint);
  }
  isl_local_space_free(local);
  map = isl_basic_map_project_out(map, isl_dim_out, outputs, quotients);
  return IslMap(isl_map_from_basic_map(map));
}
