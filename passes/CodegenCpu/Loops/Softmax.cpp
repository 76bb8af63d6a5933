//===- Softmax.cpp - recognises a softmax in a nest -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Graph/Graph.h"
#include "passes/CodegenCpu/Loops/Users.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

/// Whether a node is `sum`, the sum of `power`, or `power` over that sum.
static bool isSumOrQuotient(const Users &users, unsigned node, unsigned power,
                            unsigned sum) {
  if (node == sum)
    return true;
  if (users.is<graph::DivOp>(node))
    return users.operand(node, 0) == power && users.operand(node, 1) == sum;
  if (!users.is<graph::MulOp>(node))
    return false;
  unsigned other = users.operand(node, 0) == power ? 1 : 0;
  unsigned inverse = users.operand(node, other);
  return users.is<graph::ReciprocalOp>(inverse) &&
         users.operand(inverse, 0) == sum;
}

bool codegen::isSoftmaxShift(const LoopNest &nest, unsigned node) {
  Users users(nest);
  if (!users.is<graph::ReduceMaxOp>(node))
    return false;
  auto isPower = [&](unsigned power) {
    if (!users.is<graph::ExpOp>(power))
      return false;
    std::optional<unsigned> sum;
    for (unsigned i = power + 1; i < nest.program.nodes.size() && !sum; ++i)
      if (users.is<graph::ReduceSumOp>(i) && users.operand(i, 0) == power)
        sum = i;
    return sum && users.all(power, [&](unsigned user) {
      return isSumOrQuotient(users, user, power, *sum);
    });
  };
  return users.all(node, [&](unsigned user) {
    return users.is<graph::SubOp>(user) &&
           users.operand(user, 0) == users.operand(node, 0) &&
           users.all(user, isPower);
  });
}

bool codegen::isSoftmaxPower(const LoopNest &nest, unsigned node) {
  Users users(nest);
  if (!users.is<graph::ExpOp>(node))
    return false;
  unsigned shifted = users.operand(node, 0);
  return users.is<graph::SubOp>(shifted) &&
         isSoftmaxShift(nest, users.operand(shifted, 1));
}
