//===- StageGroup.cpp - a stage on its box, as a group --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenCpu/Stages/StageGroup.h"

#include "dialects/Graph/Graph.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

RankedTensorType codegen::tensorOf(Type type, const kernel::BoxMap &box) {
  SmallVector<int64_t> shape;
  for (const kernel::BoxDim &dim : box)
    shape.push_back(dim.span);
  return RankedTensorType::get(shape,
                               cast<RankedTensorType>(type).getElementType());
}

/// The constant that an operand of a stage is, if the box is all of it. One
/// that several stages read may lie in no order of one of them.
static graph::ConstantOp constantOf(kernel::StageOp stage, unsigned operand,
                                    Type box) {
  auto argument = dyn_cast<BlockArgument>(stage.getInputs()[operand]);
  if (!argument || !argument.hasOneUse() || box != argument.getType())
    return {};
  auto group = stage->getParentOfType<kernel::GroupOp>();
  return group.getOperands_()[argument.getArgNumber()]
      .getDefiningOp<graph::ConstantOp>();
}

/// Lets a clone have the types that its operands give it, without padding.
static void retype(Operation *op) {
  if (auto conv = dyn_cast<graph::ConvOp>(op))
    conv.setPads(SmallVector<int64_t>(conv.getPads().size(), 0));
  SmallVector<Type> types;
  auto inferred = dyn_cast<InferTypeOpInterface>(op);
  if (!inferred || failed(inferred.inferReturnTypes(
                       op->getContext(), op->getLoc(), op->getOperands(),
                       op->getDiscardableAttrDictionary(),
                       op->getPropertiesStorage(), op->getRegions(), types)))
    return;
  for (auto [result, type] : llvm::zip_equal(op->getResults(), types))
    result.setType(type);
}

StageGroup::StageGroup(Location loc) : module(ModuleOp::create(loc)) {}

/// Opens the function around the group.
Block *StageGroup::addFunction(OpBuilder &b, TypeRange operands) {
  b.setInsertionPointToEnd(module->getBody());
  auto function = func::FuncOp::create(b, module->getLoc(), "stage",
                                       b.getFunctionType(operands, {}));
  Block *entry = function.addEntryBlock();
  b.setInsertionPointToEnd(entry);
  return entry;
}

/// Opens the group.
Block *StageGroup::addGroup(OpBuilder &b, Type result, ValueRange operands) {
  group = kernel::GroupOp::create(b, module->getLoc(), result, operands);
  Block *body = &group.getBody().emplaceBlock();
  b.setInsertionPointToEnd(body);
  return body;
}

StageGroup StageGroup::copyOf(kernel::StageOp stage,
                              const kernel::StageFootprint &footprint) {
  StageGroup copy(stage.getLoc());
  OpBuilder b(stage.getContext());
  Type type = tensorOf(stage.getResult().getType(), footprint.owned);
  Block *entry = copy.addFunction(b, type);
  Block *body = copy.addGroup(b, type, entry->getArguments());
  Value argument = body->addArgument(type, stage.getLoc());
  auto order = llvm::to_vector(llvm::seq<int64_t>(0, footprint.owned.size()));
  Value result = graph::TransposeOp::create(b, stage.getLoc(), type, argument,
                                            ArrayRef<int64_t>(order));
  kernel::YieldOp::create(b, stage.getLoc(), result);
  return copy;
}

StageGroup::StageGroup(kernel::StageOp stage,
                       const kernel::StageFootprint &footprint)
    : StageGroup(stage.getLoc()) {
  Location loc = stage.getLoc();
  OpBuilder b(stage.getContext());
  SmallVector<Type> types;
  for (auto [input, box] :
       llvm::zip_equal(stage.getInputs(), footprint.operands))
    types.push_back(tensorOf(input.getType(), box));
  Block *entry = addFunction(b, types);
  SmallVector<Value> operands(entry->getArguments());
  for (unsigned i = 0; i < operands.size(); ++i)
    if (graph::ConstantOp constant = constantOf(stage, i, types[i]))
      operands[i] = b.clone(*constant)->getResult(0);
  Type result = tensorOf(stage.getResult().getType(), footprint.result);
  Block *body = addGroup(b, result, operands);
  IRMapping mapping;
  for (auto [argument, type] :
       llvm::zip_equal(stage.getBlock().getArguments(), types))
    mapping.map(argument, body->addArgument(type, loc));
  for (Operation &op : stage.getBlock().without_terminator())
    retype(b.clone(op, mapping));
  Value yielded = stage.getBlock().getTerminator()->getOperand(0);
  kernel::YieldOp::create(b, loc, mapping.lookup(yielded));
}
