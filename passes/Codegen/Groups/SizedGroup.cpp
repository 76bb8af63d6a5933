//===- SizedGroup.cpp - a group as it is for typical sizes ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Codegen/Groups/SizedGroup.h"

#include "dialects/Graph/Shapes.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

SizedGroup::SizedGroup(kernel::GroupOp group, double number)
    : typical(graph::TypicalSizes::around(group, number)),
      instance(group, [&](Attribute dim) {
        return graph::sizeDim(dim.getContext(), sizeOf(dim));
      }) {}

int64_t SizedGroup::sizeOf(Attribute dim) const {
  if (!graph::isSymbolic(dim))
    return graph::sizeOf(dim);
  return std::max<int64_t>(1, typical.of(dim));
}
