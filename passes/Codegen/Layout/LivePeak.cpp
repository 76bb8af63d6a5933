//===- LivePeak.cpp - an estimate of the arena ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Codegen/Layout/LivePeak.h"

#include "dialects/Kernel/Kernel.h"
#include "passes/Codegen/Layout/Views.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

namespace {
/// Groups, numbered in program order, both included.
struct Life {
  int64_t first, last;
};
} // namespace

static llvm::MapVector<Value, Life> livesOf(func::FuncOp function,
                                            StorageModel model) {
  llvm::MapVector<Value, Life> lives;
  int64_t now = 0;
  auto touch = [&](Value value) {
    Value storage = model.storageOf(viewedTensor(value));
    if (!storage.getDefiningOp<kernel::GroupOp>())
      return;
    auto entry = lives.insert({storage, {now, now}});
    entry.first->second.last = now;
  };
  for (auto group : function.getOps<kernel::GroupOp>()) {
    llvm::for_each(group.getOperands_(), touch);
    llvm::for_each(group.getResults(), touch);
    ++now;
  }
  Operation *terminator = function.getBody().front().getTerminator();
  for (Value output : terminator->getOperands())
    lives.erase(model.storageOf(viewedTensor(output)));
  return lives;
}

int64_t codegen::livePeak(func::FuncOp function, StorageModel model) {
  // At one moment, what ends makes room for what begins.
  SmallVector<std::pair<int64_t, int64_t>> events;
  for (auto &[storage, life] : livesOf(function, model)) {
    int64_t bytes = model.bytesOf(storage);
    events.emplace_back(life.first, bytes);
    events.emplace_back(life.last + 1, -bytes);
  }
  llvm::sort(events);
  int64_t live = 0, peak = 0;
  for (auto [time, bytes] : events)
    peak = std::max(peak, live += bytes);
  return peak;
}
