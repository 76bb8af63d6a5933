//===- Move.cpp - strategies of operations that stand alone ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Graph/Graph.h"
#include "dialects/Kernel/LoopDomain.h"
#include "passes/CodegenCpu/Contraction/Plan.h"
#include "passes/CodegenCpu/Move/Ops.h"
#include "passes/CodegenCpu/Move/ResizeLive.h"
#include "passes/CodegenCpu/Strategies.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

bool codegen::isNest(kernel::GroupOp group) {
  return !group.isStaged() && !group.getAnchor() && !standsAlone(group);
}

namespace {
/// How one operation is emitted, and of which strategy it is.
struct MoveCode {
  const Strategy *strategy = nullptr;
  FailureOr<Size> (*emit)(Move &) = nullptr;
};
} // namespace

static MoveCode findMove(Operation *op) {
  using namespace tenon::graph;
  return llvm::TypeSwitch<Operation *, MoveCode>(op)
      .Case([](ConcatOp) { return MoveCode{&copyStrategy, emitConcat}; })
      .Case([](ReshapeOp) { return MoveCode{&copyStrategy, emitReshapeCopy}; })
      .Case([](PadOp) { return MoveCode{&copyStrategy, emitPad}; })
      .Case([](GatherOp) { return MoveCode{&copyStrategy, emitGather}; })
      .Case([](GatherElementsOp) {
        return MoveCode{&copyStrategy, emitGatherElements};
      })
      .Case([](IotaOp) { return MoveCode{&copyStrategy, emitIota}; })
      .Case([](SizesOp) { return MoveCode{&copyStrategy, emitSizes}; })
      .Case([](ResizeOp) { return MoveCode{&resizeStrategy, emitResize}; })
      .Case([](ConvTransposeOp) {
        return MoveCode{&convTransposeStrategy, emitConvTranspose};
      })
      .Case([](ArgMaxOp) { return MoveCode{&argStrategy, emitArg}; })
      .Case([](ArgMinOp) { return MoveCode{&argStrategy, emitArg}; })
      .Case([](TopKOp) { return MoveCode{&topKStrategy, emitTopK}; })
      .Case([](PrefixOp) { return MoveCode{&prefixStrategy, emitPrefix}; })
      .Case([](ScatterOp) { return MoveCode{&scatterStrategy, emitScatter}; })
      .Case([](DetOp) { return MoveCode{&detStrategy, emitDet}; })
      .Default([](Operation *) { return MoveCode(); });
}

const Strategy *codegen::standsAlone(kernel::GroupOp group) {
  Operation *op = &group.getBlock().front();
  bool isAlone = op->getNextNode() == group.getBlock().getTerminator();
  if (!isAlone || isProduct(group) || kernel::canExpressLoops({op}))
    return nullptr;
  return findMove(op).strategy;
}

/// The single operation of the group, or null after a diagnostic.
static Operation *getMove(kernel::GroupOp group, const Strategy &strategy) {
  Operation *op = &group.getBlock().front();
  auto yield = dyn_cast_or_null<kernel::YieldOp>(op->getNextNode());
  if (!yield || !llvm::equal(yield->getOperands(), op->getResults())) {
    group.emitError() << "'" << op->getName()
                      << "' must be alone in its group, with all its results";
    return nullptr;
  }
  if (findMove(op).strategy != &strategy) {
    op->emitError() << "'" << op->getName() << "' is not of strategy '"
                    << strategy.name << "'";
    return nullptr;
  }
  return op;
}

template <const Strategy &strategy>
static PlannedChoice planMove(const PlanRequest &request) {
  kernel::GroupOp group = request.group;
  Operation *op = getMove(group, strategy);
  if (!op)
    return failure();
  Builder b(group.getContext());
  NamedAttribute name =
      b.getNamedAttr("op", b.getStringAttr(op->getName().stripDialect()));
  StagePlan result;
  result.plan = kernel::PlanAttr::get(group.getContext(), strategy.name,
                                      b.getDictionaryAttr({name}));
  if (auto det = dyn_cast<graph::DetOp>(op))
    result.scratchBytes = {detScratchBytes(det, request.target)};
  if (DictionaryAttr pack = convTransposePack(op, request.target)) {
    result.packs.resize(group.getNumOperands());
    auto filter = cast<BlockArgument>(op->getOperand(1));
    result.packs[filter.getArgNumber()] = pack;
  }
  return theOnlyChoice(std::move(result), request);
}

template <const Strategy &strategy>
static FailureOr<StageInfo> emitMove(const StageRequest &request) {
  kernel::GroupOp group = request.group;
  Operation *op = getMove(group, strategy);
  if (!op)
    return failure();
  unsigned operands = request.operands.size(), results = request.results.size();
  bool isChecked = group.getChecked();
  Move move{request.b, op, {}, {}, {}, {}};
  if (isChecked)
    move.fault = request.b.buffer(operands + results);
  for (Value operand : op->getOperands()) {
    unsigned number = cast<BlockArgument>(operand).getArgNumber();
    move.types.push_back(request.operands[number]);
    move.buffers.push_back(number);
  }
  for (unsigned i = 0; i < results; ++i) {
    move.types.push_back(request.results[i]);
    move.buffers.push_back(operands + i);
  }
  FailureOr<Size> tiles = findMove(op).emit(move);
  if (failed(tiles))
    return failure();
  move.made.tiles = tiles->is(0) ? Size(1) : *tiles;
  return move.made;
}

/// Copies of boxes take any strides; the others want rows without gaps.
static bool canAddressMove(kernel::GroupOp group, unsigned,
                           memory::BufferType type) {
  Operation *op = &group.getBlock().front();
  if (isa<graph::ConcatOp, graph::GatherOp, graph::GatherElementsOp,
          graph::IotaOp>(op))
    return true;
  if (isa<graph::PadOp, graph::ResizeOp, graph::ArgMaxOp, graph::ArgMinOp>(op))
    return type.getShape().empty() || type.getStrides().back() == 1;
  return type.isDense();
}

template <const Strategy &strategy> static bool matches(kernel::GroupOp group) {
  return standsAlone(group) == &strategy;
}

/// What finds its numbers in the run.
static bool takesSymbols(kernel::GroupOp group) {
  Operation *op = &group.getBlock().front();
  if (auto resize = dyn_cast<graph::ResizeOp>(op))
    return LiveTaps::canFind(resize);
  return isa<graph::ConcatOp, graph::ReshapeOp, graph::GatherOp,
             graph::GatherElementsOp, graph::IotaOp, graph::SizesOp,
             graph::PadOp, graph::ArgMaxOp, graph::ArgMinOp, graph::TopKOp,
             graph::PrefixOp, graph::ScatterOp>(op);
}

template <const Strategy &strategy>
static constexpr Strategy alone(StringRef name) {
  return {name,
          matches<strategy>,
          planMove<strategy>,
          emitMove<strategy>,
          canAddressMove,
          /*takesNarrow=*/nullptr,
          takesSymbols};
}

const Strategy codegen::copyStrategy = alone<copyStrategy>("copy");
const Strategy codegen::resizeStrategy = alone<resizeStrategy>("resize");
const Strategy codegen::convTransposeStrategy =
    alone<convTransposeStrategy>("conv_transpose");
const Strategy codegen::argStrategy = alone<argStrategy>("arg");
const Strategy codegen::topKStrategy = alone<topKStrategy>("top_k");
const Strategy codegen::prefixStrategy = alone<prefixStrategy>("prefix");
const Strategy codegen::scatterStrategy = alone<scatterStrategy>("scatter");
const Strategy codegen::detStrategy = alone<detStrategy>("det");
