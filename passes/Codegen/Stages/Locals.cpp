//===- Locals.cpp - where results of stages lie in scratch ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Codegen/Stages/Stages.h"

#include "dialects/Graph/Graph.h"
#include "dialects/Graph/Roles.h"
#include "lib/Memory/Solve.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;
using kernel::BoxDim;
using kernel::StageFootprint;

/// Of what any tile needs of a stage's result.
static int64_t localBytes(kernel::StageOp stage,
                          const StageFootprint &footprint,
                          const TileGrid &grid) {
  auto type = cast<RankedTensorType>(stage.getResult().getType());
  int64_t bytes = graph::elementBytes(type.getElementType());
  for (const BoxDim &dim : footprint.needed)
    bytes *= dim.length(dim.tileDim < 0 ? 0 : grid.size(unsigned(dim.tileDim)));
  return bytes;
}

std::optional<unsigned> codegen::producerOf(kernel::StageOp stage,
                                            unsigned operand) {
  auto producer = stage.getInputs()[operand].getDefiningOp<kernel::StageOp>();
  if (!producer)
    return std::nullopt;
  auto first = producer->getBlock()->begin();
  return unsigned(std::distance(first, Block::iterator(producer)));
}

SmallVector<int64_t> codegen::lastReaders(kernel::GroupOp group) {
  SmallVector<int64_t> last;
  for (auto stage : group.getBlock().getOps<kernel::StageOp>()) {
    auto number = int64_t(last.size());
    last.push_back(number);
    for (unsigned i = 0; i < stage.getInputs().size(); ++i)
      if (std::optional<unsigned> producer = producerOf(stage, i))
        last[*producer] = number;
  }
  return last;
}

bool codegen::mayLeaveIn(kernel::GroupOp group, kernel::Level level) {
  return llvm::all_of(group.getBlock().getOps<kernel::StageOp>(),
                      [&](kernel::StageOp stage) {
                        auto own = stage.getLevel().value_or(level);
                        return own == level || own == kernel::Level::Memory;
                      });
}

Overwrites codegen::noOverwrites(kernel::GroupOp group) {
  auto stages = group.getBlock().getOps<kernel::StageOp>();
  return Overwrites(std::distance(stages.begin(), stages.end()), -1);
}

Overwrites codegen::overwritesOf(kernel::GroupOp group, kernel::PlanAttr plan) {
  Overwrites overwrites = noOverwrites(group);
  auto stated = plan.getParams().getAs<DenseI64ArrayAttr>("in_place");
  if (stated && size_t(stated.size()) == overwrites.size())
    llvm::copy(stated.asArrayRef(), overwrites.begin());
  return overwrites;
}

FailureOr<LocalBuffers> codegen::localBuffers(kernel::GroupOp group,
                                              const TileGrid &grid,
                                              ArrayRef<int64_t> overwrites) {
  SmallVector<int64_t> last = lastReaders(group);
  mem::Problem problem;
  SmallVector<unsigned> owners;
  SmallVector<unsigned> bufferOf(last.size());
  auto stages = group.getBlock().getOps<kernel::StageOp>();
  for (auto [number, stage] : llvm::enumerate(stages)) {
    if (!grid.place(number).isLocal)
      continue;
    bufferOf[number] = unsigned(owners.size());
    owners.push_back(number);
    if (canOverwrite(stage, number, overwrites[number], grid))
      problem.overlays.push_back(
          {bufferOf[*producerOf(stage, overwrites[number])], bufferOf[number],
           /*delta=*/0, mem::Overlay::InPlace});
    mem::Buffer &buffer = problem.buffers.emplace_back();
    buffer.id = std::to_string(number);
    buffer.lower = int64_t(number);
    buffer.upper = last[number] + 1;
    buffer.size = localBytes(stage, grid.footprints()[number], grid);
    buffer.alignment = LocalBuffers::alignment;
  }
  mem::Solution solution = mem::solvePortfolio(problem);
  if (llvm::Error error = mem::validate(problem, solution))
    return group.emitError("the memory plan is wrong: ")
           << llvm::toString(std::move(error));
  LocalBuffers locals;
  locals.offsets.resize(last.size());
  for (auto [owner, offset] : llvm::zip_equal(owners, solution.offsets))
    locals.offsets[owner] = offset;
  locals.size = llvm::alignTo(solution.arenaBytes(), LocalBuffers::alignment);
  return locals;
}

//===-- Overwriting -------------------------------------------------------===//

bool codegen::canOverwrite(kernel::StageOp stage, unsigned number,
                           int64_t operand, const TileGrid &grid) {
  auto inputs = stage.getInputs();
  if (operand < 0 || operand >= int64_t(inputs.size()))
    return false;
  std::optional<unsigned> producer = producerOf(stage, unsigned(operand));
  auto group = stage->getParentOfType<kernel::GroupOp>();
  auto bytes = [](Value value) {
    auto type = cast<RankedTensorType>(value.getType());
    return graph::elementBytes(type.getElementType());
  };
  auto isWhole = [&] {
    return grid.footprints()[number].operands[operand] ==
           grid.footprints()[*producer].needed;
  };
  return producer && grid.place(number).isLocal &&
         grid.place(*producer).isLocal && isWhole() &&
         lastReaders(group)[*producer] == number &&
         llvm::count(inputs, inputs[operand]) == 1 &&
         bytes(inputs[operand]) == bytes(stage.getResult());
}

/// Whether a stage has no product, window or recurrence.
static bool isAlone(kernel::StageOp stage) {
  return llvm::none_of(stage.getBlock(), [](Operation &op) {
    return graph::isAnchor(graph::roleOf(&op));
  });
}

Overwrites codegen::mayOverwrite(kernel::GroupOp group, const TileGrid &grid) {
  Overwrites candidates;
  for (auto stage : group.getBlock().getOps<kernel::StageOp>()) {
    auto number = unsigned(candidates.size());
    int64_t candidate = -1;
    for (int64_t i = stage.getInputs().size(); i-- > 0;)
      if (canOverwrite(stage, number, i, grid))
        candidate = i;
    // Roles take longer to find out.
    candidates.push_back(candidate >= 0 && isAlone(stage) ? candidate : -1);
  }
  return candidates;
}
