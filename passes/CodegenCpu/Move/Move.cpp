//===- Move.cpp - the emitter of kind `move` ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Graph/Graph.h"
#include "passes/CodegenCpu/Move/Ops.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

using EmitMove = FailureOr<int64_t> (*)(Move &);

static EmitMove findMove(Operation *op) {
  using namespace tenon::graph;
  return llvm::TypeSwitch<Operation *, EmitMove>(op)
      .Case([](ConcatOp) { return emitConcat; })
      .Case([](ReshapeOp) { return emitReshapeCopy; })
      .Case([](PadOp) { return emitPad; })
      .Case([](GatherOp) { return emitGather; })
      .Case([](GatherElementsOp) { return emitGatherElements; })
      .Case([](ScatterOp) { return emitScatter; })
      .Case([](TopKOp) { return emitTopK; })
      .Case([](IotaOp) { return emitIota; })
      .Case([](ArgMaxOp) { return emitArg; })
      .Case([](ArgMinOp) { return emitArg; })
      .Case([](DetOp) { return emitDet; })
      .Case([](ResizeOp) { return emitResize; })
      .Case([](ConvTransposeOp) { return emitConvTranspose; })
      .Default([](Operation *) { return EmitMove(nullptr); });
}

/// The single operation of the group, or null after a diagnostic.
static Operation *getMove(kernel::GroupOp group) {
  Operation *op = &group.getBlock().front();
  auto yield = dyn_cast_or_null<kernel::YieldOp>(op->getNextNode());
  if (!yield || !llvm::equal(yield->getOperands(), op->getResults())) {
    group.emitError() << "a movement stands alone in its group, with all of "
                         "its results";
    return nullptr;
  }
  if (!findMove(op)) {
    op->emitError() << "'" << op->getName() << "' has no kernel";
    return nullptr;
  }
  return op;
}

static FailureOr<PlanResult> planMove(kernel::GroupOp group,
                                      const tile::Target &target) {
  Operation *op = getMove(group);
  if (!op)
    return failure();
  Builder b(group.getContext());
  NamedAttribute name =
      b.getNamedAttr("op", b.getStringAttr(op->getName().stripDialect()));
  PlanResult result;
  result.plan = kernel::PlanAttr::get(group.getContext(), "move",
                                      b.getDictionaryAttr({name}));
  if (auto det = dyn_cast<graph::DetOp>(op))
    result.scratchBytes = {detScratchBytes(det, target)};
  if (DictionaryAttr pack = convTransposePack(op, target)) {
    result.packs.resize(group.getNumOperands());
    auto filter = cast<BlockArgument>(op->getOperand(1));
    result.packs[filter.getArgNumber()] = pack;
  }
  return result;
}

static FailureOr<EmitResult> emitMove(const EmitRequest &request) {
  kernel::GroupOp group = request.group;
  Operation *op = getMove(group);
  if (!op)
    return failure();
  unsigned operands = request.operands.size(), results = request.results.size();
  bool isChecked = group->hasAttr(kernel::checkedAttr);
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
  FailureOr<int64_t> tiles = findMove(op)(move);
  if (failed(tiles))
    return failure();
  move.made.tiles = std::max<int64_t>(1, *tiles);
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

const Emitter &codegen::moveEmitter() {
  static const Emitter emitter = {"move", planMove, emitMove, canAddressMove};
  return emitter;
}
