//===- Steps.cpp - loops of the host --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file executes `graph.steps`, one step after the other.
//===----------------------------------------------------------------------===//
#include "lib/Interpreter/Arrays.h"
#include "lib/Interpreter/Execution.h"

#include "dialects/Graph/GraphSteps.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::interp;

/// Slice `step` of the first dimension, without that dimension.
static Datum sliceOf(const Datum &scan, int64_t step) {
  return reshaped(pickSlices(scan, 0, step), scan.getShape().drop_front());
}

FailureOr<Data> Execution::runSteps(graph::StepsOp op, Data operands) {
  for (Type type : op.getResults().getTypes())
    if (!Tensor::allocate(cast<RankedTensorType>(type)))
      return op.emitError("has a result that is too large");
  std::vector<std::vector<Datum>> given(op.getNumResults());
  for (int64_t step = 0; step < int64_t(op.getCount()); ++step) {
    Data arguments = operands;
    for (size_t i = 0; i < op.getScans(); ++i)
      arguments[i] = sliceOf(operands[i], step);
    auto results = callFunction(op, op.getBodyAttr(), arguments);
    if (failed(results))
      return failure();
    for (auto [index, next] : llvm::enumerate(op.getNext()))
      operands[op.getScans() + index] = (*results)[next];
    for (auto [index, result] : llvm::enumerate(*results)) {
      if (!op.getStacked()[index])
        given[index].clear();
      given[index].push_back(std::move(result));
    }
  }
  Data results;
  std::string reason;
  for (auto [stacked, all] : llvm::zip(op.getStacked(), given))
    results.push_back(stacked ? join(all, 0, /*isNewAxis=*/true, reason)
                              : all.back());
  return results;
}
