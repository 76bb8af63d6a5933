//===- Scop.cpp - whether a program is one --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Poly/Scop.h"

using namespace tenon;
using namespace tenon::poly;

static std::string problemOf(const Scop &scop, const Statement &statement,
                             const Access &access) {
  if (access.tensor >= scop.tensors.size())
    return "accesses tensor " + std::to_string(access.tensor) +
           ", which is none";
  const Tensor &tensor = scop.tensors[access.tensor];
  if (access.index.size() != tensor.shape.size())
    return "accesses tensor " + std::to_string(access.tensor) + " with " +
           std::to_string(access.index.size()) + " indices";
  for (const Index &index : access.index) {
    if (index.coefficients.size() > statement.dims.size())
      return "has an index of more dimensions than it has";
    if (index.divisor < 1 || index.modulus < 0)
      return "has an index that divides by " + std::to_string(index.divisor) +
             " modulo " + std::to_string(index.modulus);
  }
  return "";
}

static std::string problemOf(const Scop &scop, const Statement &statement) {
  bool isInner = false;
  for (const Dim &dim : statement.dims) {
    if (dim.extent < 1)
      return "has an extent of " + std::to_string(dim.extent);
    if (isInner && dim.kind == DimKind::Host)
      return "has a host dimension inside of others";
    isInner |= dim.kind != DimKind::Host;
  }
  std::string problem = problemOf(scop, statement, statement.write);
  for (const Access &read : statement.reads)
    if (problem.empty())
      problem = problemOf(scop, statement, read);
  return problem;
}

llvm::Error poly::check(const Scop &scop) {
  for (size_t i = 0; i < scop.statements.size(); ++i) {
    const Statement &statement = scop.statements[i];
    if (std::string problem = problemOf(scop, statement); !problem.empty())
      return llvm::createStringError("statement " + std::to_string(i) + " '" +
                                     statement.name + "' " + problem);
  }
  return llvm::Error::success();
}
