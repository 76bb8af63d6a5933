//===- Alternate.cpp - independent chains taking turns --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Codegen/Builder/Alternate.h"

#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

namespace {
/// Puts operations of several chains into one order, each after those of its
/// own chain that came before it and after what it uses.
class Order {
public:
  explicit Order(ArrayRef<SmallVector<Operation *>> chains)
      : chains(chains), next(chains.size()) {
    for (auto [chain, operations] : llvm::enumerate(chains))
      for (auto [place, op] : llvm::enumerate(operations))
        places[op] = {chain, place};
  }

  SmallVector<Operation *> takingTurns() {
    size_t longest = 0;
    for (const SmallVector<Operation *> &chain : chains)
      longest = std::max(longest, chain.size());
    // What only the first one builds, such as addresses, is at its begin.
    for (size_t left = longest; left > 0; --left)
      for (auto [number, chain] : llvm::enumerate(chains))
        if (left <= chain.size())
          take(number, chain.size() - left);
    return std::move(order);
  }

private:
  void take(size_t chain, size_t last) {
    for (; next[chain] <= last; ++next[chain]) {
      Operation *op = chains[chain][next[chain]];
      for (Value operand : op->getOperands())
        takeSource(operand, chain);
      llvm::SetVector<Value> captured;
      getUsedValuesDefinedAbove(op->getRegions(), captured);
      for (Value value : captured)
        takeSource(value, chain);
      order.push_back(op);
    }
  }

  void takeSource(Value value, size_t user) {
    auto found = places.find(value.getDefiningOp());
    if (found != places.end() && found->second.first != user)
      take(found->second.first, found->second.second);
  }

  ArrayRef<SmallVector<Operation *>> chains;
  SmallVector<size_t> next; ///< of each chain, the first one not in order
  llvm::DenseMap<Operation *, std::pair<size_t, size_t>> places;
  SmallVector<Operation *> order;
};
} // namespace

/// The operation before the insertion point, null at the block's begin.
static Operation *lastBuilt(OpBuilder &builder) {
  Block *block = builder.getInsertionBlock();
  Block::iterator point = builder.getInsertionPoint();
  return point == block->begin() ? nullptr : &*std::prev(point);
}

void codegen::alternate(KernelBuilder &b, int64_t count,
                        function_ref<void(int64_t)> emit) {
  OpBuilder &builder = b.builder();
  Block *block = builder.getInsertionBlock();
  SmallVector<SmallVector<Operation *>> chains;
  for (int64_t number = 0; number < count; ++number) {
    Operation *before = lastBuilt(builder);
    emit(number);
    assert(builder.getInsertionBlock() == block && "left the block");
    Block::iterator at =
        before ? std::next(before->getIterator()) : block->begin();
    SmallVector<Operation *> &chain = chains.emplace_back();
    for (; at != builder.getInsertionPoint(); ++at)
      chain.push_back(&*at);
  }
  if (count < 2)
    return;
  Block::iterator end = builder.getInsertionPoint();
  for (Operation *op : Order(chains).takingTurns())
    op->moveBefore(block, end);
}
