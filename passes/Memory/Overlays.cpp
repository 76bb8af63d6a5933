//===- Overlays.cpp - buffers that launches overwrite ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Memory/Overlays.h"

#include "dialects/Kernel/Buffers.h"
#include "lib/Memory/Streams/Clocks.h"
#include "passes/Memory/LaunchProgram.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::memory;

static graph::Size bytesOf(Value buffer) {
  return kernel::bytesOf(cast<BufferType>(buffer.getType()));
}

/// The allocation that holds an operand, if one does.
static AllocOp allocOf(Value operand) {
  return dyn_cast_or_null<AllocOp>(storageOf(operand));
}

/// Whether an operand is all of its allocation: a view of its size, because
/// views lie inside of what they view.
static bool isWhole(Value operand) {
  return bytesOf(operand) == bytesOf(allocOf(operand).getBuffer());
}

SmallVector<InPlacePair> memory::inPlacePairs(kernel::LaunchOp launch) {
  llvm::DenseMap<Operation *, unsigned> operands; // of this launch, in each
  for (Value operand : launch->getOperands())
    if (AllocOp alloc = allocOf(operand))
      ++operands[alloc];
  SmallVector<InPlacePair> pairs;
  ArrayRef<int64_t> stated = launch.getInPlace().value_or(ArrayRef<int64_t>());
  for (size_t i = 0; i + 1 < stated.size(); i += 2) {
    Value read = launch.getReads()[stated[i]];
    Value written = launch.getWrites()[stated[i + 1]];
    AllocOp from = allocOf(read), to = allocOf(written);
    if (from && to && from != to && isWhole(read) && isWhole(written) &&
        bytesOf(from.getBuffer()) == bytesOf(to.getBuffer()) &&
        from.getAlignment() == to.getAlignment() && operands[from] == 1 &&
        operands[to] == 1)
      pairs.push_back({from, to});
  }
  return pairs;
}

namespace {
class OverlayFinder {
public:
  OverlayFinder(ArrayRef<LiveBuffer> buffers, const mem::Program *program)
      : buffers(buffers) {
    if (program)
      clocks.emplace(*program);
    for (auto [i, live] : llvm::enumerate(buffers))
      numbers[live.alloc] = i;
  }

  std::vector<mem::Overlay> find(func::FuncOp main) {
    SmallVector<int64_t> moments = momentsOf(main);
    for (auto [now, launch] : llvm::enumerate(main.getOps<kernel::LaunchOp>()))
      for (Value operand : launch->getOperands())
        if (AllocOp alloc = allocOf(operand))
          usersOf[alloc].insert(unsigned(now));
    for (auto [now, launch] : llvm::enumerate(main.getOps<kernel::LaunchOp>()))
      addLaunch(launch, unsigned(now), moments);
    return std::move(overlays);
  }

private:
  ArrayRef<LiveBuffer> buffers;
  std::optional<mem::Clocks> clocks; // where there are several streams
  llvm::DenseMap<Operation *, unsigned> numbers;
  llvm::DenseMap<Operation *, llvm::SmallSetVector<unsigned, 4>> usersOf;
  std::vector<mem::Overlay> overlays;

  void addLaunch(kernel::LaunchOp launch, unsigned now,
                 ArrayRef<int64_t> moments) {
    llvm::DenseSet<Operation *> taken;
    for (auto [from, to] : inPlacePairs(launch)) {
      if (taken.contains(from) || taken.contains(to) ||
          !fits(from, to, now, moments))
        continue;
      taken.insert(from);
      taken.insert(to);
      overlays.push_back(
          {numbers[from], numbers[to], 0, mem::Overlay::InPlace});
    }
  }

  bool fits(AllocOp from, AllocOp to, unsigned now, ArrayRef<int64_t> moments) {
    const LiveBuffer &read = buffers[numbers[from]];
    return usersOf[from].size() > 1 && read.last == moments[now] &&
           buffers[numbers[to]].first == moments[now] &&
           isAlone(from, now, moments) && isAlone(to, now, moments) &&
           isOver(from, now);
  }

  /// Whether no other launch of the wave uses an allocation.
  bool isAlone(AllocOp alloc, unsigned now, ArrayRef<int64_t> moments) {
    return llvm::all_of(usersOf[alloc], [&](unsigned user) {
      return user == now || moments[user] != moments[now];
    });
  }

  /// Whether all other uses have finished.
  bool isOver(AllocOp from, unsigned now) {
    return !clocks || llvm::all_of(usersOf[from], [&](unsigned user) {
      return user == now || clocks->precedes(user, now);
    });
  }
};
} // namespace

std::vector<mem::Overlay>
memory::possibleOverlays(func::FuncOp main, ArrayRef<LiveBuffer> buffers) {
  if (!hasStreams(main))
    return OverlayFinder(buffers, nullptr).find(main);
  mem::Program program = orderOf(main);
  // A program that is wrong is reported by those who plan and verify it.
  if (llvm::Error error = program.check()) {
    llvm::consumeError(std::move(error));
    return {};
  }
  return OverlayFinder(buffers, &program).find(main);
}

mem::Problem memory::plannedProblem(func::FuncOp main,
                                    ArrayRef<LiveBuffer> buffers,
                                    const mem::Solution &solution) {
  mem::Problem problem = problemOf(buffers);
  for (const mem::Overlay &overlay : possibleOverlays(main, buffers))
    if (solution.offsets[overlay.whole] == solution.offsets[overlay.part])
      problem.overlays.push_back(overlay);
  return problem;
}
