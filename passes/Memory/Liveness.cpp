//===- Liveness.cpp - when buffers live -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Memory/Liveness.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::memory;

/// The allocation behind views, or null for inputs, outputs and constants.
static AllocOp storageOf(Value buffer) {
  while (auto view = buffer.getDefiningOp<ViewOp>())
    buffer = view.getSource();
  return buffer.getDefiningOp<AllocOp>();
}

SmallVector<LiveBuffer> memory::computeLiveness(func::FuncOp main) {
  llvm::MapVector<Operation *, LiveBuffer> buffers;
  int64_t now = 0;
  for (Operation &op : main.getOps()) {
    if (auto alloc = dyn_cast<AllocOp>(op))
      buffers.insert({&op, {alloc, now, now}});
    auto launch = dyn_cast<kernel::LaunchOp>(op);
    if (!launch)
      continue;
    for (Value operand : launch->getOperands())
      if (AllocOp alloc = storageOf(operand))
        buffers.find(alloc)->second.last = now;
    ++now;
  }
  SmallVector<LiveBuffer> result;
  for (auto &entry : buffers)
    result.push_back(entry.second);
  return result;
}
