//===- Move.cpp - strategies of operations that stand alone ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Graph/Graph.h"
#include "passes/CodegenCpu/Move/Ops.h"
#include "passes/CodegenCpu/Move/ResizeLive.h"
#include "passes/CodegenCpu/Strategies.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

/// How one operation is emitted.
static FailureOr<Size> emit(Move &move) {
  using namespace tenon::graph;
  using Emitted = FailureOr<Size>;
  return llvm::TypeSwitch<Operation *, Emitted>(move.op)
      .Case([&](ConcatOp) { return emitConcat(move); })
      .Case([&](ReshapeOp) { return emitReshapeCopy(move); })
      .Case([&](PadOp) { return emitPad(move); })
      .Case([&](GatherOp) { return emitGather(move); })
      .Case([&](GatherElementsOp) { return emitGatherElements(move); })
      .Case([&](IotaOp) { return emitIota(move); })
      .Case([&](SizesOp) { return emitSizes(move); })
      .Case([&](ResizeOp) { return emitResize(move); })
      .Case([&](ConvTransposeOp) { return emitConvTranspose(move); })
      .Case<ArgMaxOp, ArgMinOp>([&](Operation *) { return emitArg(move); })
      .Case([&](TopKOp) { return emitTopK(move); })
      .Case([&](PrefixOp) { return emitPrefix(move); })
      .Case([&](ScatterOp) { return emitScatter(move); })
      .Case([&](DetOp) { return emitDet(move); })
      .Default([](Operation *) { return Emitted(failure()); });
}

/// The single operation of the group, or null after a diagnostic.
static Operation *getMove(kernel::GroupOp group, const Strategy &strategy,
                          MoveKind kind) {
  Operation *op = &group.getBlock().front();
  auto yield = dyn_cast_or_null<kernel::YieldOp>(op->getNextNode());
  if (!yield || !llvm::equal(yield->getOperands(), op->getResults())) {
    group.emitError() << "'" << op->getName()
                      << "' must be alone in its group, with all its results";
    return nullptr;
  }
  if (moveKind(op) != kind) {
    op->emitError() << "'" << op->getName() << "' is not of strategy '"
                    << strategy.name << "'";
    return nullptr;
  }
  return op;
}

template <const Strategy &strategy, MoveKind kind>
static PlannedChoices planMove(const PlanRequest &request) {
  kernel::GroupOp group = request.group;
  Operation *op = getMove(group, strategy, kind);
  if (!op)
    return failure();
  Builder b(group.getContext());
  NamedAttribute name =
      b.getNamedAttr("op", b.getStringAttr(op->getName().stripDialect()));
  StagePlan result;
  result.plan = kernel::PlanAttr::get(group.getContext(), strategy.name,
                                      b.getDictionaryAttr({name}));
  if (auto det = dyn_cast<graph::DetOp>(op))
    result.scratchBytes = {detScratchBytes(det, request.target).fixed()};
  if (DictionaryAttr pack = convTransposePack(op, request.target)) {
    result.packs.resize(group.getNumOperands());
    auto filter = cast<BlockArgument>(op->getOperand(1));
    result.packs[filter.getArgNumber()] = pack;
  }
  return theOnlyChoice(std::move(result), request);
}

template <const Strategy &strategy, MoveKind kind>
static FailureOr<StageInfo> emitMove(const StageRequest &request) {
  kernel::GroupOp group = request.group;
  Operation *op = getMove(group, strategy, kind);
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
  FailureOr<Size> tiles = emit(move);
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

template <MoveKind kind> static bool matches(kernel::GroupOp group) {
  return moveKind(group) == kind;
}

/// What finds its numbers in the run.
static bool takesSymbols(kernel::GroupOp group) {
  Operation *op = &group.getBlock().front();
  if (auto resize = dyn_cast<graph::ResizeOp>(op))
    return LiveTaps::canFind(resize);
  return isa<graph::ConcatOp, graph::ReshapeOp, graph::GatherOp,
             graph::GatherElementsOp, graph::IotaOp, graph::SizesOp,
             graph::PadOp, graph::ArgMaxOp, graph::ArgMinOp, graph::TopKOp,
             graph::PrefixOp, graph::ScatterOp, graph::DetOp>(op);
}

/// A copy's tile has a row at least.
static double tileElements(kernel::GroupOp group, kernel::PlanAttr) {
  auto type = cast<RankedTensorType>(group.getResultTypes().front());
  bool isCopy = moveKind(group) == MoveKind::Copy && type.getRank() > 0;
  return double(isCopy ? std::max<int64_t>(1, type.getShape().back()) : 1);
}

template <const Strategy &strategy, MoveKind kind>
static constexpr Strategy alone(StringRef name) {
  return {.name = name,
          .matches = matches<kind>,
          .plan = planMove<strategy, kind>,
          .emit = emitMove<strategy, kind>,
          .canAddress = canAddressMove,
          .takesSymbols = takesSymbols,
          .tileElements = tileElements};
}

const Strategy codegen::copyStrategy =
    alone<copyStrategy, MoveKind::Copy>("copy");
const Strategy codegen::resizeStrategy =
    alone<resizeStrategy, MoveKind::Resize>("resize");
const Strategy codegen::convTransposeStrategy =
    alone<convTransposeStrategy, MoveKind::ConvTranspose>("conv_transpose");
const Strategy codegen::argStrategy = alone<argStrategy, MoveKind::Arg>("arg");
const Strategy codegen::topKStrategy =
    alone<topKStrategy, MoveKind::TopK>("top_k");
const Strategy codegen::prefixStrategy =
    alone<prefixStrategy, MoveKind::Prefix>("prefix");
const Strategy codegen::scatterStrategy =
    alone<scatterStrategy, MoveKind::Scatter>("scatter");
const Strategy codegen::detStrategy = alone<detStrategy, MoveKind::Det>("det");
