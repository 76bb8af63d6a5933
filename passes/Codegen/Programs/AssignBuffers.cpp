//===- AssignBuffers.cpp - how tensors lie in memory ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file grants the halos that consumers asked for, in place where all users
// allow it and through a copy elsewhere, lets producers write where a movement
// would copy to, and pads the pixels of maps that windows read and the rows of
// scores.
//===----------------------------------------------------------------------===//
#include "passes/Codegen/Backends.h"
#include "passes/Codegen/Layout/InPlace.h"
#include "passes/Codegen/Passes.h"

#include "dialects/Graph/Graph.h"
#include "dialects/Graph/GraphSteps.h"
#include "dialects/Graph/Symbols.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tenon::codegen {
#define GEN_PASS_DEF_ASSIGNBUFFERSPASS
#include "passes/Codegen/Passes.h.inc"
} // namespace tenon::codegen

using namespace mlir;
using namespace tenon;
using codegen::PlacedBuffer;
using memory::BufferType;

/// A packed constant has the shape that `graph.pack` gives it.
static FailureOr<BufferType> packedType(Value operand, DictionaryAttr pack) {
  OperationState state(operand.getLoc(), graph::PackOp::getOperationName(),
                       operand, TypeRange(), pack.getValue());
  OpBuilder detached(operand.getContext());
  OwningOpRef<Operation *> op = detached.create(state);
  SmallVector<Type> types;
  if (failed(graph::PackOp::inferReturnTypes(
          operand.getContext(), operand.getLoc(), operand,
          op->getAttrDictionary(), op->getPropertiesStorage(), RegionRange(),
          types)))
    return failure();
  return BufferType::getDense(cast<RankedTensorType>(types.front()));
}

namespace {
struct AssignBuffers : codegen::impl::AssignBuffersPassBase<AssignBuffers> {
  using Base::Base;

  void runOnOperation() override {
    std::unique_ptr<codegen::Device> device = codegen::makeDevice(
        getOperation(), {target, threads, winograd, bf16x6, precision});
    if (!device)
      return signalPassFailure();
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (failed(graph::requireDims(function)) ||
          failed(assign(function, *device)))
        return signalPassFailure();
  }

  LogicalResult assign(func::FuncOp function, const codegen::Device &device) {
    SmallVector<kernel::GroupOp> groups(function.getOps<kernel::GroupOp>());
    for (kernel::GroupOp group : groups)
      if (failed(copyWhereNeeded(group, device)))
        return failure();
    codegen::Layouts layouts(function, device.thread());
    for (auto group : function.getOps<kernel::GroupOp>())
      collectHalos(group, layouts);
    SmallVector<graph::State> states = graph::statesOf(getOperation());
    if (!states.empty() && !graph::isStepsBody(function)) {
      numStates += layouts.placeStates(states);
      graph::setStates(getOperation(), states);
    }
    numInPlace += layouts.placeParts();
    numPadded += layouts.padPixels();
    for (auto group : function.getOps<kernel::GroupOp>())
      if (failed(annotate(group, layouts)))
        return failure();
    return success();
  }

  LogicalResult copyWhereNeeded(kernel::GroupOp group,
                                const codegen::Device &device) {
    for (unsigned i = 0; i < group.getOperands_().size(); ++i) {
      Value operand = group.getOperands_()[i];
      ArrayRef<int64_t> halo = group.getHalo(i);
      if (halo.empty() || codegen::Layouts::canHaveHalo(operand, halo))
        continue;
      OpBuilder builder(group);
      auto copy = codegen::createCopy(builder, operand, device);
      if (failed(copy))
        return failure();
      group.getOperands_Mutable().slice(i, 1).assign(copy->getResult(0));
      ++numCopies;
    }
    return success();
  }

  static void collectHalos(kernel::GroupOp group, codegen::Layouts &layouts) {
    for (unsigned i = 0; i < group.getOperands_().size(); ++i)
      if (ArrayRef<int64_t> wanted = group.getHalo(i); !wanted.empty())
        layouts.addHalo(group.getOperands_()[i], wanted);
  }

  LogicalResult annotate(kernel::GroupOp group,
                         const codegen::Layouts &layouts) {
    SmallVector<Type> types;
    SmallVector<int64_t> offsets;
    auto add = [&](std::optional<PlacedBuffer> buffer) -> LogicalResult {
      if (!buffer)
        return group.emitOpError("uses a view that no strides express");
      types.push_back(buffer->type);
      offsets.push_back(buffer->byteOffset);
      return success();
    };
    for (unsigned i = 0; i < group.getOperands_().size(); ++i) {
      Value operand = group.getOperands_()[i];
      DictionaryAttr pack = group.getPack(i);
      FailureOr<BufferType> packed =
          pack ? packedType(operand, pack) : BufferType();
      if (failed(packed))
        return group.emitOpError("wants an impossible packing");
      if (failed(
              add(pack ? PlacedBuffer{*packed, 0} : layouts.bufferOf(operand))))
        return failure();
    }
    for (Value result : group.getResults()) {
      if (failed(add(layouts.bufferOf(result))))
        return failure();
      numHalos += layouts.hasHalo(result);
    }
    Builder b(&getContext());
    group.setBuffersAttr(b.getTypeArrayAttr(types));
    if (llvm::any_of(offsets, [](int64_t offset) { return offset != 0; }))
      group.setOffsets(offsets);
    if (ArrayRef<int64_t> parts = layouts.partsInPlace(group); !parts.empty())
      group.setInPlace(parts);
    return success();
  }
};
} // namespace
