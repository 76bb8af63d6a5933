//===- Overlays.cpp - buffers that launches overwrite ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Memory/Overlays.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::memory;

static int64_t bytesOf(Value buffer) {
  return cast<BufferType>(buffer.getType()).getBytes();
}

namespace {
/// The allocation that holds an operand, if one does.
struct Storage {
  AllocOp alloc;
  bool whole = true; ///< the operand is all of it, not a part
};

class OverlayFinder {
public:
  explicit OverlayFinder(ArrayRef<LiveBuffer> buffers) : buffers(buffers) {
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
  llvm::DenseMap<Operation *, unsigned> numbers;
  llvm::DenseSet<Operation *> used; // by earlier launches
  std::vector<mem::Overlay> overlays;

  static Storage storageOf(Value buffer) {
    Storage storage;
    int64_t bytes = bytesOf(buffer);
    while (auto view = buffer.getDefiningOp<ViewOp>()) {
      storage.whole &= view.getByteOffset() == 0;
      buffer = view.getSource();
    }
    storage.alloc = buffer.getDefiningOp<AllocOp>();
    storage.whole &= bytes == bytesOf(buffer);
    return storage;
  }

  void addLaunch(kernel::LaunchOp launch, int64_t now) {
    llvm::DenseMap<Operation *, unsigned> operands; // of this launch, in each
    for (Value operand : launch->getOperands())
      if (AllocOp alloc = storageOf(operand).alloc)
        ++operands[alloc];
    llvm::DenseSet<Operation *> taken;
    ArrayRef<int64_t> pairs = launch.getInPlace().value_or(ArrayRef<int64_t>());
    for (size_t i = 0; i + 1 < pairs.size(); i += 2) {
      Storage read = storageOf(launch.getReads()[pairs[i]]);
      Storage written = storageOf(launch.getWrites()[pairs[i + 1]]);
      if (!fits(read, written, now) || operands[read.alloc] != 1 ||
          operands[written.alloc] != 1 || taken.contains(read.alloc) ||
          taken.contains(written.alloc))
        continue;
      taken.insert(read.alloc);
      taken.insert(written.alloc);
      overlays.push_back({numbers[read.alloc], numbers[written.alloc], 0,
                          mem::Overlay::InPlace});
    }
    for (auto [alloc, count] : operands)
      used.insert(alloc);
  }

  bool fits(const Storage &read, const Storage &written, int64_t now) {
    AllocOp from = read.alloc, to = written.alloc;
    return from && to && from != to && read.whole && written.whole &&
           bytesOf(from.getBuffer()) == bytesOf(to.getBuffer()) &&
           from.getAlignment() == to.getAlignment() && used.contains(from) &&
           buffers[numbers[from]].last == now &&
           buffers[numbers[to]].first == now;
  }
};
} // namespace

std::vector<mem::Overlay>
memory::possibleOverlays(func::FuncOp main, ArrayRef<LiveBuffer> buffers) {
  return OverlayFinder(buffers).find(main);
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
