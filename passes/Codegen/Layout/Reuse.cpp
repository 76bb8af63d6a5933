//===- Reuse.cpp - how long ago a tensor was touched ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Codegen/Layout/Reuse.h"

#include "dialects/Graph/Graph.h"
#include "passes/Codegen/Layout/Views.h"

using namespace mlir;
using namespace tenon;

int64_t codegen::reuseDistance(Value value, kernel::GroupOp user,
                               int64_t enough) {
  Value storage = viewedTensor(value);
  int64_t distance = 0;
  for (Operation *op = user->getPrevNode(); op && distance < enough;
       op = op->getPrevNode()) {
    if (!isa<kernel::GroupOp>(op))
      continue;
    int64_t touched = 0;
    for (ValueRange values :
         {ValueRange(op->getOperands()), ValueRange(op->getResults())})
      for (Value each : values) {
        if (viewedTensor(each) == storage)
          return distance;
        touched += graph::tensorBytes(each.getType()).value_or(0);
      }
    distance += touched;
  }
  return distance;
}
