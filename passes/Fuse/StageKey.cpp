//===- StageKey.cpp - stages that cost the same ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Fuse/StageKey.h"

#include "dialects/Graph/Graph.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;
using namespace tenon;

namespace {
class KeyWriter {
public:
  std::string key;

  void add(int64_t number) {
    key.append(reinterpret_cast<const char *>(&number), sizeof number);
  }
  void add(const void *pointer) { add(int64_t(intptr_t(pointer))); }
  void add(const kernel::BoxMap &box) {
    for (const kernel::BoxDim &dim : box)
      add(dim.span);
  }
  void add(Block &block) {
    for (Value argument : block.getArguments())
      number(argument);
    for (Operation &op : block)
      add(op);
  }

private:
  void number(Value value) {
    numbers.try_emplace(value, int64_t(numbers.size()));
    add(value.getType().getAsOpaquePointer());
  }
  void add(Operation &op) {
    add(op.getName().getAsOpaquePointer());
    add(op.getAttrDictionary().getAsOpaquePointer());
    for (Value operand : op.getOperands())
      add(numbers.lookup(operand));
    for (Value result : op.getResults())
      number(result);
    for (Region &region : op.getRegions())
      for (Block &block : region)
        add(block);
  }

  llvm::DenseMap<Value, int64_t> numbers;
};
} // namespace

bool fuse::isConstantOf(kernel::StageOp stage, Value input) {
  auto argument = dyn_cast<BlockArgument>(input);
  auto group = stage->getParentOfType<kernel::GroupOp>();
  return argument && group.getOperands_()[argument.getArgNumber()]
                         .getDefiningOp<graph::ConstantOp>();
}

std::string fuse::keyOf(kernel::StageOp stage) {
  KeyWriter writer;
  writer.add(stage.getBlock());
  for (Value input : stage.getInputs())
    writer.add(int64_t(isConstantOf(stage, input)));
  return std::move(writer.key);
}

std::string fuse::keyOf(kernel::GroupOp group) {
  KeyWriter writer;
  writer.add(group.getBlock());
  for (Value operand : group.getOperands_())
    writer.add(int64_t(operand.getDefiningOp<graph::ConstantOp>() != nullptr));
  return std::move(writer.key);
}

std::string fuse::keyOf(const kernel::StageFootprint &boxes) {
  KeyWriter writer;
  for (const kernel::BoxMap &box : boxes.operands)
    writer.add(box);
  writer.add(boxes.result);
  return std::move(writer.key);
}
