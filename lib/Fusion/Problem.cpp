//===- Problem.cpp - which atoms become one kernel ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Fusion/Problem.h"

using namespace tenon;
using namespace tenon::fusion;

Cost &Cost::operator+=(const Cost &other) {
  time += other.time;
  memory += other.memory;
  mid += other.mid;
  work += other.work;
  tiles += other.tiles;
  return *this;
}

Cost &Cost::operator-=(const Cost &other) {
  time -= other.time;
  memory -= other.memory;
  mid -= other.mid;
  work -= other.work;
  tiles -= other.tiles;
  return *this;
}

llvm::Error fusion::check(const Problem &problem) {
  auto fits = [&](const std::vector<bool> &flags) {
    return flags.empty() || flags.size() == problem.atoms;
  };
  if (!fits(problem.alone) || !fits(problem.cloneable))
    return llvm::createStringError("not one flag per atom");
  for (auto [from, to] : problem.edges)
    if (to >= problem.atoms || from >= to)
      return llvm::createStringError("atom %u cannot need atom %u", to, from);
  for (const std::vector<unsigned> &set : problem.readers)
    for (unsigned reader : set)
      if (reader >= problem.atoms)
        return llvm::createStringError("reader %u is no atom", reader);
  return llvm::Error::success();
}
