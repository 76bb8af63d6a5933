//===- AttentionKernel.cpp - attention by warps ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file holds what is copied when, and the steps over keys.
//===----------------------------------------------------------------------===//
#include "passes/CodegenGpu/Attention/AttentionKernel.h"

#include "passes/Codegen/PlanAttribute.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::gpu;

AttentionKernel::AttentionKernel(const StageRequest &request, Attention of,
                                 codegen::Epilogue between)
    : request(request), kernel(request.b), attention(std::move(of)),
      between(std::move(between)),
      plan(codegen::fromAttribute<tile::GpuAttentionPlan>(request.plan)),
      problem(attention.problem(precisionOf(request.device))),
      t(kernel.builder(), kernel.loc()),
      queries(t, attention.queries, plan.rows(), plan.threads()),
      keys(t, attention.keys, plan.keysOfStep(problem), plan.threads()),
      values(t, attention.values, plan.columns(problem), plan.threads()),
      columns(tile::ceilDiv(problem.width, 16) * 16) {
  shared = t.shared(sharedArray(moduleOf(request)));
}

//===-- Which rows --------------------------------------------------------===//

/// Blocks with the same keys follow each other; those with the most to do come
/// first.
void AttentionKernel::findPlace() {
  thread = t.thread(plan.threads());
  lane = t.rem(thread, tile::warpLanes);
  Value warp = t.div(thread, tile::warpLanes);
  warpRow = t.mul(t.rem(warp, plan.warpRows), 16);
  warpKeys = t.div(warp, plan.warpRows);
  int64_t down = tile::ceilDiv(problem.rows, plan.rows());
  Value number = t.block();
  batch = t.delinearize(t.div(number, down), attention.batch);
  Value tile = t.rem(number, down);
  if (plan.causal)
    tile = t.sub(t.number(down - 1), tile);
  firstRow = t.mul(tile, plan.rows());
  int64_t steps = plan.steps(problem), each = plan.keysOfStep(problem);
  endStep = t.number(steps);
  if (plan.causal)
    endStep =
        t.min(t.div(t.add(firstRow, plan.rows() + each - 1), each), steps);
  Value row = t.add(t.add(firstRow, warpRow), t.div(lane, 4));
  for (int64_t half : {0, 1})
    rows[half] = t.min(t.add(row, half * 8), problem.rows - 1);
  queryReader = queries.readerOf(warpRow, lane, true);
  keyReader = keys.readerOf(t.mul(warpKeys, problem.keysOfWarp()), lane, false);
  if (problem.elementBytes == 4)
    keyReader = keys.turned(keyReader);
  valueReader = values.readerOf(t.number(0), lane, false);
}

Value AttentionKernel::baseOf(const OperandLayout &layout) {
  Value base = kernel.buffer(layout.buffer);
  for (auto [at, stride] : llvm::zip_equal(batch, layout.batchStrides))
    base = t.element(base, t.mul(at, stride), layout.elementBytes());
  return base;
}

//===-- Copies ------------------------------------------------------------===//

void AttentionKernel::copyQueries() {
  queries.begin(baseOf(attention.queries), firstRow, thread);
  for (int64_t i = 0; i < problem.depthBlocks(); ++i)
    queries.copy(t.number(i), t.at(shared, i * queries.bytes()));
}

void AttentionKernel::copyKeys(Value step, Value to) {
  keys.begin(baseOf(attention.keys), t.mul(step, plan.keysOfStep(problem)),
             thread);
  for (int64_t i = 0; i < problem.depthBlocks(); ++i)
    keys.copy(t.number(i), t.at(to, i * keys.bytes()));
}

void AttentionKernel::copyValues(Value step, Value to) {
  Value first = t.mul(step, plan.warpKeys);
  to = t.at(to, problem.depthBlocks() * keys.bytes());
  for (int64_t i = 0; i < plan.warpKeys; ++i)
    values.copy(t.add(first, i), t.at(to, i * values.bytes()),
                /*mayExceed=*/true);
}

/// Keys and values are waited for apart.
void AttentionKernel::copyLater(Value step, Value to) {
  Value exists = t.less(step, endStep);
  t.ifThen(exists, [&] { copyKeys(step, to); });
  t.commitCopies();
  t.ifThen(exists, [&] { copyValues(step, to); });
  t.commitCopies();
}

/// All stages but one, or the only one.
void AttentionKernel::fillStages() {
  values.begin(baseOf(attention.values), t.number(0), thread);
  copyQueries();
  for (int64_t i = 0; i < std::max<int64_t>(1, plan.stages - 1); ++i)
    copyLater(t.number(i), t.at(shared, queryBytes() + i * stageBytes()));
}

//===-- Steps -------------------------------------------------------------===//

AttentionKernel::State AttentionKernel::begin() {
  constexpr double none = -std::numeric_limits<double>::infinity();
  Type f32 = kernel.f32Type();
  Value zero = kernel.constantOf(f32, 0), least = kernel.constantOf(f32, none);
  return {Values(columns / 2, zero), {least, least}, {zero, zero}};
}

Values AttentionKernel::pack(const State &state) const {
  Values all(state.sums);
  all.append({state.most[0], state.most[1], state.totals[0], state.totals[1]});
  return all;
}

AttentionKernel::State AttentionKernel::unpack(ValueRange all) const {
  size_t count = columns / 2;
  return {Values(all.take_front(count)),
          {all[count], all[count + 1]},
          {all[count + 2], all[count + 3]}};
}

AttentionKernel::State
AttentionKernel::visitStep(Value step, Value stage, const State &before,
                           function_ref<void()> copyNext) {
  State state = before;
  std::vector<Values> tensors = loadTensors(step);
  // Behind the keys are the values, and both of the stages between.
  int64_t ahead = plan.stages - 1;
  t.waitCopies(ahead > 0 ? 2 * ahead - 1 : 1);
  t.barrier();
  copyNext();
  Values own = logits(step, scores(stage), tensors);
  Value factors[2];
  Values weight = weights(own, state, factors);
  SmallVector<Fragment> fragments = fragmentsOf(weight);
  t.waitCopies(2 * ahead);
  t.barrier();
  addValues(stage, fragments, state, factors);
  return state;
}

AttentionKernel::State AttentionKernel::visitSteps() {
  int64_t ahead = plan.stages - 1, steps = plan.steps(problem);
  Value stages = t.at(shared, queryBytes());
  if (steps == 1)
    return visitStep(t.number(0), stages, begin(), [] {});
  Values init = pack(begin());
  init.append({t.number(0), t.number(ahead * stageBytes())});
  Values results =
      t.loop(t.number(0), endStep, init, [&](Value step, ValueRange carried) {
        Value reads = carried[carried.size() - 2];
        Value writes = carried.back();
        State state =
            visitStep(step, t.at(stages, reads), unpack(carried), [&] {
              copyLater(t.add(step, ahead), t.at(stages, writes));
            });
        Values next = pack(state);
        for (Value offset : {reads, writes}) {
          Value moved = t.add(offset, stageBytes());
          next.push_back(t.choose(t.equal(moved, plan.stages * stageBytes()),
                                  t.number(0), moved));
        }
        return next;
      });
  return unpack(results);
}

//===-- All of it ---------------------------------------------------------===//

FailureOr<StageInfo> AttentionKernel::emit() {
  findPlace();
  if (targetOf(request.device).programmatic)
    t.waitForGrids();
  fillStages();
  State state = visitSteps();
  if (targetOf(request.device).programmatic)
    t.launchDependents();
  // The stages become the results.
  t.waitCopies(0);
  t.barrier();
  putResults(state);
  t.barrier();
  finishPieces();
  if (failed)
    return failure();
  StageInfo device;
  device.tiles = plan.blocks(problem);
  int64_t bytes =
      tile::sharedBytes(problem, plan,
                        {queryBytes(), problem.depthBlocks() * keys.bytes(),
                         plan.warpKeys * values.bytes()});
  MLIRContext *context = t.builder().getContext();
  device.launch = kernel::DeviceAttr::get(
      context, {1, 1}, plan.threads(), bytes, /*cluster=*/1,
      /*cooperative=*/false, targetOf(request.device).programmatic,
      ArrayAttr::get(context, {}));
  return device;
}
