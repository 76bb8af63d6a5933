//===- Inline.cpp - a kernel inside of another one ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Codegen/Steps/Steps.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

namespace {
/// Clones the operations of a kernel. What it loads of its call is known.
class Inliner {
public:
  Inliner(KernelBuilder &b, func::FuncOp kernel, Values buffers, Interval tiles)
      : b(b), kernel(kernel), call(kernel.getArgument(0)),
        buffers(std::move(buffers)), tiles(tiles) {}

  void run() {
    for (Operation &op : kernel.front().without_terminator())
      if (!isOfCall(&op) && !isStack(&op))
        copyConstants(b.builder().clone(op, mapping));
  }

private:
  bool isOfCall(Operation *op);
  bool isStack(Operation *op);
  void copyConstants(Operation *op);
  Value fieldOf(int32_t number);

  KernelBuilder &b;
  func::FuncOp kernel;
  Value call;
  Values buffers;
  Interval tiles;
  IRMapping mapping;
  /// Addresses of the call's fields and of the entries of its buffers, by
  /// number.
  llvm::DenseMap<Value, int32_t> fields, entries;
  Value table; ///< the buffers
};
} // namespace

/// A field of tenon_call.
Value Inliner::fieldOf(int32_t number) {
  constexpr int32_t scratch = 2, begin = 3;
  if (number == scratch)
    return b.threadScratch();
  return number == begin ? tiles.begin : tiles.end;
}

/// Whether it is a part of a kernel's entry that reads the call, of which
/// nothing is left.
bool Inliner::isOfCall(Operation *op) {
  if (auto address = dyn_cast<LLVM::GEPOp>(op)) {
    bool isField = address.getBase() == call;
    if (!isField && (!table || address.getBase() != table))
      return false;
    auto &numbers = isField ? fields : entries;
    numbers[address] = address.getRawConstantIndices().back();
    return true;
  }
  auto load = dyn_cast<LLVM::LoadOp>(op);
  if (!load)
    return false;
  if (auto entry = entries.find(load.getAddr()); entry != entries.end()) {
    mapping.map(load.getResult(), buffers[entry->second]);
    return true;
  }
  auto field = fields.find(load.getAddr());
  if (field == fields.end())
    return false;
  if (field->second == 0)
    table = load;
  else
    mapping.map(load.getResult(), fieldOf(field->second));
  return true;
}

/// The stack is taken once, not in each step.
bool Inliner::isStack(Operation *op) {
  auto stack = dyn_cast<LLVM::AllocaOp>(op);
  if (!stack)
    return false;
  APInt count;
  matchPattern(stack.getArraySize(), m_ConstantInt(&count));
  mapping.map(stack.getResult(),
              b.scratch(count.getSExtValue(), stack.getElemType()));
  return true;
}

/// Constants beside a kernel go with it when it leaves the module.
void Inliner::copyConstants(Operation *op) {
  auto module = kernel->getParentOfType<ModuleOp>();
  op->walk([&](LLVM::AddressOfOp address) {
    auto global = module.lookupSymbol<LLVM::GlobalOp>(address.getGlobalName());
    OpBuilder::InsertionGuard guard(b.builder());
    b.builder().setInsertionPoint(address);
    Value copy = b.constants(cast<DenseElementsAttr>(*global.getValue()));
    address.replaceAllUsesWith(copy);
    address.erase();
  });
}

void codegen::inlineKernel(KernelBuilder &b, func::FuncOp kernel,
                           Values buffers, Interval tiles) {
  Inliner(b, kernel, std::move(buffers), tiles).run();
}
