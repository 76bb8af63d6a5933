//===- Symbolic.cpp - problems with symbols -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Memory/Symbolic/Symbolic.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace tenon::mem;

static llvm::Error wrong(const Buffer &buffer, const char *why) {
  return llvm::createStringError("buffer '%s' %s", buffer.id.c_str(), why);
}

/// The largest that any sum of the form's terms can be; never overflows for
/// forms that readAffine gives.
static double magnitude(const Affine &form, const Box &box) {
  double sum = std::abs(double(form.constant));
  for (size_t i = 0; i < form.factors.size(); ++i)
    sum += std::abs(double(form.factors[i])) *
           double(std::max<int64_t>(box[i].high, 1));
  return sum;
}

static llvm::Error checkBox(const Box &box) {
  constexpr int64_t most = int64_t(1) << 40;
  for (const Symbol &symbol : box)
    if (symbol.low < 0 || symbol.high < symbol.low || symbol.high > most)
      return llvm::createStringError(
          "symbol '%s' has a range that is empty, negative or too large",
          symbol.name.c_str());
  return llvm::Error::success();
}

llvm::Error Symbolic::check(const Problem &problem) const {
  if (llvm::Error error = checkBox(symbols))
    return error;
  if (sizes.size() != problem.buffers.size() ||
      deltas.size() != problem.overlays.size())
    return llvm::createStringError(
        "symbolic sizes are for another number of buffers or overlays");
  auto known = [&](const Affine &form) {
    return form.factors.size() <= symbols.size();
  };
  if (!llvm::all_of(sizes, known) || !llvm::all_of(deltas, known))
    return llvm::createStringError("a symbolic size has an unknown symbol");
  double total = 0;
  for (size_t i = 0; i < sizes.size(); ++i) {
    total += magnitude(sizes[i], symbols) + 2. * problem.buffers[i].alignment;
    if (total > double(int64_t(1) << 57))
      return wrong(problem.buffers[i], "makes symbolic sizes too large");
    if (sizes[i].least(symbols) < 0)
      return wrong(problem.buffers[i],
                   "has a size that is negative for some symbols");
  }
  for (size_t i = 0; i < deltas.size(); ++i) {
    const Overlay &overlay = problem.overlays[i];
    const Buffer &part = problem.buffers[overlay.part];
    total += magnitude(deltas[i], symbols);
    if (total > double(int64_t(1) << 57))
      return wrong(part, "makes symbolic sizes too large");
    Affine room = sizes[overlay.whole] - sizes[overlay.part] - deltas[i];
    if (overlay.kind == Overlay::View &&
        (deltas[i].least(symbols) < 0 || room.least(symbols) < 0))
      return wrong(part, "is a view that leaves its buffer for some symbols");
  }
  return llvm::Error::success();
}

Problem Symbolic::at(const Problem &problem,
                     llvm::ArrayRef<int64_t> point) const {
  Problem result = problem;
  for (size_t i = 0; i < sizes.size(); ++i)
    result.buffers[i].size = sizes[i].at(point);
  for (size_t i = 0; i < deltas.size(); ++i)
    result.overlays[i].delta = deltas[i].at(point);
  return result;
}

std::vector<int64_t> Symbolic::top() const { return highest(symbols); }

int64_t Place::at(llvm::ArrayRef<int64_t> point) const {
  int64_t start = base.at(point);
  return start + (-start & (alignment - 1)) + delta.at(point);
}

int64_t SymbolicPlan::arenaAt(unsigned scope,
                              llvm::ArrayRef<int64_t> point) const {
  int64_t bytes = 0;
  for (const Affine &end : arenas[scope])
    bytes = std::max(bytes, end.at(point));
  return std::min(bytes, caps[scope]);
}

Solution SymbolicPlan::at(llvm::ArrayRef<int64_t> point) const {
  Solution solution;
  for (const Place &place : places)
    solution.offsets.push_back(place.at(point));
  for (unsigned scope = 0; scope < arenas.size(); ++scope)
    solution.arenas.push_back(arenaAt(scope, point));
  return solution;
}

int64_t SymbolicPlan::most() const {
  int64_t sum = 0;
  for (size_t scope = 0; scope < arenas.size(); ++scope) {
    int64_t bytes = 0;
    for (const Affine &end : arenas[scope])
      bytes = std::max(bytes, end.most(box));
    sum += std::min(bytes, caps[scope]);
  }
  return sum;
}
