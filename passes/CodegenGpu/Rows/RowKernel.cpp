//===- RowKernel.cpp - reductions by teams of threads ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenGpu/Rows/RowKernel.h"

#include "dialects/Graph/Graph.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "passes/Codegen/Bodies/Overwrite.h"
#include "passes/Codegen/Builder/ElementwiseOps.h"
#include "passes/Codegen/Builder/LongSum.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::gpu;
using codegen::LoopScope;
using codegen::Reduction;
using kernel::LoopNode;

RowKernel::RowKernel(const StageRequest &request, const ThreadNest &nest,
                     const RowPlan &plan)
    : request(request), kernel(request.b), t(kernel.builder(), kernel.loc()),
      nest(nest), plan(plan), body(kernel, nest.nest, nest.schedule),
      team(kernel, t, nest, plan, t.shared(sharedArray(moduleOf(request)))),
      entry(nest.nest.program.loops.size()) {
  body.alignments = nest.alignments;
  entry.live = nest.lanes();
}

//===-- Places ------------------------------------------------------------===//

Value RowKernel::wide(Value number) {
  return t.builder().createOrFold<arith::ExtUIOp>(t.loc(), kernel.i64Type(),
                                                  number);
}

int64_t RowKernel::piecesEach() const {
  return llvm::divideCeil(nest.pieces(), plan.team);
}

/// Gives some loops, and the vector loop behind them, their indices.
static void enterLoops(ThreadBuilder &t, const ThreadNest &nest, Value number,
                       ArrayRef<unsigned> loops, bool hasVector,
                       function_ref<Value(Value)> wide, LoopScope &scope) {
  SmallVector<int64_t> extents;
  for (unsigned loop : loops)
    extents.push_back(nest.extent(loop));
  if (hasVector)
    extents.push_back(nest.vectors());
  Values indices = t.delinearize(number, extents);
  for (auto [loop, index] : llvm::zip(loops, indices))
    scope.index[loop] = wide(index);
  if (hasVector)
    scope.index[nest.vector()] = wide(t.mul(indices.back(), nest.lanes()));
}

void RowKernel::enterUnit() {
  Value number = team.unit();
  if (nest.units() % plan.units != 0) {
    exists = t.less(number, nest.units());
    number = t.min(number, nest.units() - 1);
  }
  unit.emplace(&entry);
  enterLoops(
      t, nest, number, nest.rowLoops, !nest.vectorReduced(),
      [&](Value index) { return wide(index); }, *unit);
  body.prepare(*unit, 0);
}

RowKernel::Piece RowKernel::pieceOf(Value number, bool mayExceed) {
  Piece piece{LoopScope(&*unit), Value()};
  if (mayExceed) {
    piece.exists = t.less(number, nest.pieces());
    number = t.min(number, nest.pieces() - 1);
  }
  enterLoops(
      t, nest, number, nest.reducedLoops, nest.vectorReduced(),
      [&](Value index) { return wide(index); }, piece.scope);
  return piece;
}

/// `turn`: how many of the thread's pieces come before, as far as is known.
std::vector<RowKernel::Piece> RowKernel::piecesFrom(Value first, int64_t count,
                                                    int64_t turn) {
  std::vector<Piece> pieces;
  for (int64_t i = 0; i < count; ++i)
    pieces.push_back(pieceOf(t.add(first, i * plan.team),
                             (turn + i + 1) * plan.team > nest.pieces()));
  return pieces;
}

//===-- Reductions --------------------------------------------------------===//

SmallVector<unsigned> RowKernel::reductionsOf(int64_t stage) const {
  SmallVector<unsigned> result;
  for (auto [i, node] : llvm::enumerate(nest.nest.program.nodes))
    if (node.kind == LoopNode::Reduce && node.stage == stage)
      result.push_back(i);
  return result;
}

Reduction RowKernel::reductionOf(unsigned node) const {
  return {nest.nest.program.nodes[node].op,
          codegen::isSoftmaxShift(nest.nest, node)};
}

/// Sums of products have one rounding less.
Value RowKernel::accumulateAt(unsigned node, Piece &piece, Value sum) {
  Reduction reduce = reductionOf(node);
  unsigned operand = nest.nest.program.nodes[node].operands[0];
  const LoopNode &product = nest.nest.program.nodes[operand];
  if (!piece.exists && codegen::isFloatSum(reduce) &&
      isa_and_nonnull<graph::MulOp>(product.op) &&
      sum.getType() == body.registerTypeOf(operand) &&
      !piece.scope.values.count(operand))
    return kernel.fma(body.getVector(product.operands[0], piece.scope),
                      body.getVector(product.operands[1], piece.scope), sum);
  Value value =
      codegen::widenFloat(kernel, body.getVector(operand, piece.scope));
  if (piece.exists)
    value = t.choose(piece.exists, value,
                     codegen::neutralValue(kernel, reduce, value.getType()));
  return codegen::accumulate(kernel, reduce, sum, value);
}

/// Reads what the nodes need, before anything waits for it.
void RowKernel::load(ArrayRef<unsigned> nodes, std::vector<Piece> &pieces) {
  SmallVector<bool> seen(nest.nest.program.nodes.size(), false);
  SmallVector<unsigned> left;
  auto visit = [&](unsigned node) {
    if (!std::exchange(seen[node], true))
      left.push_back(node);
  };
  for (unsigned node : nodes)
    visit(nest.nest.program.nodes[node].kind == LoopNode::Reduce
              ? nest.nest.program.nodes[node].operands[0]
              : node);
  while (!left.empty()) {
    const LoopNode &node = nest.nest.program.nodes[left.back()];
    unsigned number = left.pop_back_val();
    if (node.kind == LoopNode::Compute)
      llvm::for_each(node.operands, visit);
    if (node.kind == LoopNode::Load)
      for (Piece &piece : pieces)
        body.get(number, piece.scope);
  }
}

Values RowKernel::accumulate(int64_t stage, std::vector<Piece> &pieces,
                             ValueRange sums) {
  SmallVector<unsigned> nodes = reductionsOf(stage);
  load(nodes, pieces);
  Values next(sums);
  for (Piece &piece : pieces)
    for (auto [node, sum] : llvm::zip_equal(nodes, next))
      sum = accumulateAt(node, piece, sum);
  return next;
}

/// Visits a thread's pieces, some at once.
Values RowKernel::rounds(
    int64_t stage, ValueRange sums,
    function_ref<Values(std::vector<Piece> &, ValueRange)> visit) {
  int64_t atOnce = piecesAtOnce(nest, plan);
  int64_t count = llvm::divideCeil(piecesEach(), atOnce);
  if (count == 1) {
    auto pieces = piecesFrom(team.member(), atOnce, 0);
    return visit(pieces, sums);
  }
  bool areAll = nest.pieces() % (atOnce * plan.team) == 0;
  auto round = [&](Value number, ValueRange carried) {
    Value turn = arith::TruncIOp::create(t.builder(), t.loc(),
                                         t.builder().getI32Type(), number);
    Value first = t.add(t.mul(turn, atOnce * plan.team), team.member());
    auto pieces = piecesFrom(first, atOnce, areAll ? 0 : piecesEach());
    return visit(pieces, carried);
  };
  SmallVector<bool> areSums;
  for (unsigned node : reductionsOf(stage))
    areSums.push_back(codegen::isFloatSum(reductionOf(node)));
  Value low = kernel.index(0), high = kernel.index(count);
  if (count * atOnce <= codegen::longestInOrder ||
      !llvm::is_contained(areSums, true))
    return kernel.loop(low, high, 1, sums, round);
  return codegen::sumLoop(
      kernel, {low, high, 1, count, atOnce}, sums,
      [&](size_t number) { return areSums[number]; }, round);
}

Values RowKernel::accumulatePieces(int64_t stage) {
  Values sums;
  for (unsigned node : reductionsOf(stage)) {
    unsigned operand = nest.nest.program.nodes[node].operands[0];
    Type type =
        codegen::accumulatorType(kernel, body.elementOf(operand), nest.lanes());
    sums.push_back(codegen::neutralValue(kernel, reductionOf(node), type));
  }
  if (plan.kept)
    return accumulate(stage, kept, sums);
  return rounds(stage, sums, [&](std::vector<Piece> &pieces, ValueRange inner) {
    return accumulate(stage, pieces, inner);
  });
}

void RowKernel::finish(int64_t stage, ValueRange offered) {
  for (auto [node, own] : llvm::zip_equal(reductionsOf(stage), offered)) {
    Reduction reduce = reductionOf(node);
    Value total = team.take(reduce, own);
    total = codegen::finishReduction(kernel, reduce, total,
                                     nest.nest.reducedSize());
    unit->values[node] = body.isVector(node) ? total : kernel.lane(total, 0);
  }
  body.prepare(*unit, stage);
}

/// Where only rows have results, one thread of each team goes on.
void RowKernel::reduceStage(int64_t stage) {
  Values offered;
  Values sums = accumulatePieces(stage);
  for (auto [node, sum] : llvm::zip_equal(reductionsOf(stage), sums))
    offered.push_back(team.offer(reductionOf(node), sum));
  team.meet();
  bool isLast = stage == nest.nest.stages();
  if (isLast && targetOf(request.device).programmatic)
    t.launchDependents();
  if (!isLast || hasFullResult(nest.nest))
    return finish(stage, offered);
  Value isFirst = team.isAlone() ? Value() : t.equal(team.member(), 0);
  t.ifThen(t.both(exists, isFirst), [&] {
    finish(stage, offered);
    storeRows();
  });
}

//===-- Results -----------------------------------------------------------===//

void RowKernel::storeFull(std::vector<Piece> &pieces) {
  ArrayRef<kernel::LoopResult> results = nest.nest.program.results;
  SmallVector<unsigned> nodes;
  for (const kernel::LoopResult &result : results)
    if (result.full)
      nodes.push_back(result.node);
  load(nodes, pieces);
  for (Piece &piece : pieces)
    for (unsigned node : nodes)
      body.getVector(node, piece.scope);
  for (Piece &piece : pieces)
    t.ifThen(t.both(exists, piece.exists), [&] {
      for (auto [i, result] : llvm::enumerate(results))
        if (result.full)
          body.store(i, piece.scope);
    });
}

void RowKernel::storeRows() {
  for (auto [i, result] : llvm::enumerate(nest.nest.program.results))
    if (!result.full)
      body.store(i, *unit);
}

FailureOr<StageInfo> RowKernel::emit() {
  if (targetOf(request.device).programmatic)
    t.waitForGrids();
  body.prepare(entry, 0);
  enterUnit();
  if (plan.kept)
    kept = piecesFrom(team.member(), piecesEach(), 0);
  int64_t stages = nest.nest.stages();
  for (int64_t stage = 1; stage <= stages; ++stage)
    reduceStage(stage);
  if (hasFullResult(nest.nest)) {
    if (plan.kept)
      storeFull(kept);
    else
      rounds(stages + 1, {}, [&](std::vector<Piece> &pieces, ValueRange) {
        storeFull(pieces);
        return Values();
      });
    Value isFirst = team.isAlone() ? Value() : t.equal(team.member(), 0);
    t.ifThen(t.both(exists, isFirst), [&] { storeRows(); });
  }
  if (body.failed())
    return failure();
  StageInfo device =
      launchOf(request, llvm::divideCeil(nest.units(), plan.units),
               plan.threads(), sharedBytes(nest, plan));
  device.inPlace = codegen::overwritesOf(nest.nest, nest.schedule);
  return device;
}
