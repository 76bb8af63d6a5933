//===- SmallTypes.cpp - elements that are only moved and cast -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Graph/SmallTypes.h"

#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace tenon;

bool graph::isSmall(Type type) {
  if (isa<Float8E4M3FNType, Float8E4M3FNUZType, Float8E5M2Type,
          Float8E5M2FNUZType, Float8E8M0FNUType, Float4E2M1FNType>(type))
    return true;
  auto integer = dyn_cast<IntegerType>(type);
  return integer && (integer.getWidth() == 2 || integer.getWidth() == 4);
}
