//===- Finish.cpp - what the reductions of a stage come to ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file ends stages. Rows that are reduced together have their results in
// one vector, a row in each lane, and what depends on such results alone is
// computed for all of these rows at once:
//
//   sums of 4 rows -> { s0 s1 s2 s3 } -> 1 / sqrt(s / n + epsilon), four times
//===----------------------------------------------------------------------===//
#include "passes/CodegenCpu/Loops/Kernel.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;
using kernel::LoopNode;

void LoopsKernel::finish(int64_t stage, ArrayRef<LoopScope *> rows,
                         ValueRange accumulators) {
  SmallVector<unsigned> nodes = reductionsOf(stage);
  size_t stride = accumulators.size() / nodes.size();
  DenseMap<unsigned, Values> sums;
  for (auto [r, node] : llvm::enumerate(nodes)) {
    Values mine(accumulators.slice(r * stride, stride));
    for (size_t copy = rows.size(); copy < stride; ++copy) {
      Value &sum = mine[copy % rows.size()];
      sum = accumulate(b, reductionOf(node), sum, mine[copy]);
    }
    mine.truncate(rows.size());
    sums[node] = pack(node, mine);
  }
  for (unsigned node : nodes)
    if (!isMoment(node))
      spread(node, rows, finishReductions(node, sums[node]));
    else if (node == moments->mean)
      finishMoments(rows, sums[node], sums[moments->variance]);
}

/// All rows in one vector where lanes held parts of them; else each by itself,
/// in vectors of equal lanes if nothing varies along these.
Values LoopsKernel::pack(unsigned node, ValueRange rows) {
  if (vectorReduced())
    return {combineRows(b, reductionOf(node), rows)};
  Values result(rows);
  for (Value &row : result)
    row = body.isVector(node) ? row : b.lane(row, 0);
  return result;
}

void LoopsKernel::spread(unsigned node, ArrayRef<LoopScope *> rows,
                         ValueRange packs) {
  if (vectorReduced())
    together[node] = packs[0];
  for (auto [r, row] : llvm::enumerate(rows))
    row->values[node] = vectorReduced() ? b.lane(packs[0], r) : packs[r];
}

Values LoopsKernel::finishReductions(unsigned node, ValueRange packs) {
  Values result;
  for (Value value : packs)
    result.push_back(
        finishReduction(b, reductionOf(node), value, nest.reducedSize()));
  return result;
}

/// What is the same in all rows and known before them is put into all lanes.
Value LoopsKernel::operandOfAll(unsigned node, ArrayRef<LoopScope *> rows) {
  if (Value known = together.lookup(node))
    return known;
  if (variesByRow(node) || nest.program.nodes[node].full)
    return Value();
  Type type = b.vectorType(body.elementOf(node), rows.size());
  return b.splat(body.get(node, *rows[0]), type);
}

void LoopsKernel::computeTogether(int64_t stage, ArrayRef<LoopScope *> rows) {
  for (auto [i, node] : llvm::enumerate(nest.program.nodes)) {
    if (node.kind != LoopNode::Compute || node.full || node.stage > stage ||
        together.count(i) ||
        !llvm::any_of(node.operands, [&](unsigned operand) {
          return together.count(operand);
        }))
      continue;
    Values operands;
    for (unsigned operand : node.operands)
      operands.push_back(operandOfAll(operand, rows));
    if (llvm::is_contained(operands, Value()))
      continue;
    spread(i, rows, body.apply(i, operands, rows.size()));
  }
}
