//===- Overlays.cpp - buffers that launches overwrite ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Memory/Overlays.h"

#include "dialects/Kernel/Buffers.h"
#include "lib/Memory/Streams/Clocks.h"
#include "passes/Memory/LaunchProgram.h"

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
    int64_t now = 0;
    for (auto launch : main.getOps<kernel::LaunchOp>())
      addLaunch(launch, now++);
    return std::move(overlays);
  }

private:
  ArrayRef<LiveBuffer> buffers;
  std::optional<mem::Clocks> clocks; // where there are several streams
  llvm::DenseMap<Operation *, unsigned> numbers;
  llvm::DenseMap<Operation *, SmallVector<unsigned>> used; // by which launches
  std::vector<mem::Overlay> overlays;

  void addLaunch(kernel::LaunchOp launch, int64_t now) {
    llvm::DenseMap<Operation *, unsigned> operands; // of this launch, in each
    for (Value operand : launch->getOperands())
      if (AllocOp alloc = allocOf(operand))
        ++operands[alloc];
    llvm::DenseSet<Operation *> taken;
    ArrayRef<int64_t> pairs = launch.getInPlace().value_or(ArrayRef<int64_t>());
    for (size_t i = 0; i + 1 < pairs.size(); i += 2) {
      Value read = launch.getReads()[pairs[i]];
      Value written = launch.getWrites()[pairs[i + 1]];
      AllocOp from = allocOf(read), to = allocOf(written);
      if (!from || !to || !isWhole(read) || !isWhole(written) ||
          !fits(from, to, now) || operands[from] != 1 || operands[to] != 1 ||
          taken.contains(from) || taken.contains(to))
        continue;
      taken.insert(from);
      taken.insert(to);
      overlays.push_back(
          {numbers[from], numbers[to], 0, mem::Overlay::InPlace});
    }
    for (auto [alloc, count] : operands)
      used[alloc].push_back(unsigned(now));
  }

  bool fits(AllocOp from, AllocOp to, int64_t now) {
    return from != to && bytesOf(from.getBuffer()) == bytesOf(to.getBuffer()) &&
           from.getAlignment() == to.getAlignment() && used.contains(from) &&
           buffers[numbers[from]].last == now &&
           buffers[numbers[to]].first == now && isOver(from, now);
  }

  /// Whether all other uses have finished.
  bool isOver(AllocOp from, int64_t now) {
    return !clocks || llvm::all_of(used[from], [&](unsigned use) {
      return clocks->precedes(use, unsigned(now));
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
