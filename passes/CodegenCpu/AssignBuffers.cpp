//===- AssignBuffers.cpp - how tensors lie in memory ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file grants the halos that consumers asked for: on values that only
// groups use, in place; elsewhere through a copy.
//===----------------------------------------------------------------------===//
#include "passes/CodegenCpu/Passes.h"
#include "passes/CodegenCpu/Planning.h"

#include "dialects/Graph/Graph.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tenon::codegen {
#define GEN_PASS_DEF_ASSIGNBUFFERSPASS
#include "passes/CodegenCpu/Passes.h.inc"
} // namespace tenon::codegen

using namespace mlir;
using namespace tenon;
using memory::BufferType;

/// Row-major over the tensor with its halo.
static BufferType withHalo(RankedTensorType tensor, ArrayRef<int64_t> halo) {
  int64_t rank = tensor.getRank(), offset = 0, stride = 1;
  SmallVector<int64_t> strides(rank);
  for (int64_t i = rank - 1; i >= 0; --i) {
    strides[i] = stride;
    offset += halo[i] * stride;
    stride *= halo[i] + tensor.getDimSize(i) + halo[rank + i];
  }
  return BufferType::get(tensor.getContext(), tensor, strides, offset,
                         stride * graph::elementBytes(tensor.getElementType()));
}

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
    const tile::Target *cpu = codegen::requireTarget(getOperation(), target);
    if (!cpu)
      return signalPassFailure();
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (failed(assign(function, *cpu)))
        return signalPassFailure();
  }

  LogicalResult assign(func::FuncOp function, const tile::Target &cpu) {
    SmallVector<kernel::GroupOp> groups(function.getOps<kernel::GroupOp>());
    for (kernel::GroupOp group : groups)
      if (failed(copyWhereNeeded(group, cpu)))
        return failure();
    for (auto group : function.getOps<kernel::GroupOp>())
      collectHalos(group);
    for (auto group : function.getOps<kernel::GroupOp>())
      if (failed(annotate(group)))
        return failure();
    return success();
  }

  /// Only a group's result that nothing but groups use can have a halo.
  static bool canHaveHalo(Value value) {
    return value.getDefiningOp<kernel::GroupOp>() &&
           llvm::all_of(value.getUsers(), [](Operation *user) {
             return isa<kernel::GroupOp>(user);
           });
  }

  LogicalResult copyWhereNeeded(kernel::GroupOp group,
                                const tile::Target &cpu) {
    for (unsigned i = 0; i < group.getOperands_().size(); ++i) {
      Value operand = group.getOperands_()[i];
      if (codegen::wantedHalo(group, i).empty() || canHaveHalo(operand))
        continue;
      OpBuilder builder(group);
      auto copy = codegen::createCopy(builder, operand, cpu);
      if (failed(copy))
        return failure();
      group.getOperands_Mutable().slice(i, 1).assign(copy->getResult(0));
      ++numCopies;
    }
    return success();
  }

  void collectHalos(kernel::GroupOp group) {
    for (unsigned i = 0; i < group.getOperands_().size(); ++i) {
      ArrayRef<int64_t> wanted = codegen::wantedHalo(group, i);
      if (wanted.empty())
        continue;
      SmallVector<int64_t> &halo = halos[group.getOperands_()[i]];
      halo.resize(wanted.size(), 0);
      for (size_t k = 0; k < wanted.size(); ++k)
        halo[k] = std::max(halo[k], wanted[k]);
    }
  }

  BufferType typeOf(Value value) const {
    auto tensor = cast<RankedTensorType>(value.getType());
    auto found = halos.find(value);
    return found == halos.end() ? BufferType::getDense(tensor)
                                : withHalo(tensor, found->second);
  }

  LogicalResult annotate(kernel::GroupOp group) {
    SmallVector<Type> types;
    for (unsigned i = 0; i < group.getOperands_().size(); ++i) {
      Value operand = group.getOperands_()[i];
      DictionaryAttr pack = codegen::wantedPack(group, i);
      FailureOr<BufferType> type =
          pack ? packedType(operand, pack) : typeOf(operand);
      if (failed(type))
        return group.emitOpError("asks for an impossible pack");
      types.push_back(*type);
    }
    for (Value result : group.getResults()) {
      types.push_back(typeOf(result));
      numHalos += halos.contains(result);
    }
    group.setBuffersAttr(Builder(&getContext()).getTypeArrayAttr(types));
    return success();
  }

  llvm::DenseMap<Value, SmallVector<int64_t>> halos;
};
} // namespace
