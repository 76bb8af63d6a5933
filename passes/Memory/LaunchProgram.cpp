//===- LaunchProgram.cpp - launches as a program of nodes -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Memory/LaunchProgram.h"

#include "dialects/Graph/Instances.h"
#include "lib/Cost/StageCost.h"
#include "passes/Memory/Overlays.h"
#include "passes/Memory/Passes.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::memory;

namespace {
/// Who used a storage so far.
struct Uses {
  SmallVector<unsigned> all;      // in launch order
  std::optional<unsigned> writer; // the last
  SmallVector<unsigned> readers;  // since then
};

/// From what a launch says of itself, on the processor that most machines are
/// like: launches are compared with each other, not timed.
int64_t costOf(kernel::LaunchOp launch, const graph::TypicalSizes &typical) {
  cost::StageWork work;
  work.fma = double(launch.getFlops()) / 2;
  work.bytesRead = double(launch.getBytes());
  work.tiles = typical.of(launch.getTiles());
  work.steps = launch.getStepsAttr() ? typical.of(launch.getStepsAttr()) : 1;
  double cycles = cost::estimate(work, *tile::findTarget("avx2")).cycles;
  return int64_t(std::clamp(cycles, 1.0, 0x1p40));
}

class ProgramBuilder {
public:
  explicit ProgramBuilder(func::FuncOp main)
      : main(main),
        typical(graph::TypicalSizes::in(main->getParentOfType<ModuleOp>())) {}

  mem::Program build() {
    for (auto launch : main.getOps<kernel::LaunchOp>())
      addLaunch(launch);
    addTensors();
    addOrders();
    return std::move(program);
  }

private:
  func::FuncOp main;
  graph::TypicalSizes typical;
  mem::Program program;
  llvm::MapVector<Operation *, Uses> uses;
  llvm::MapVector<unsigned, SmallVector<unsigned>> orders; // after -> before

  void addLaunch(kernel::LaunchOp launch) {
    unsigned now = unsigned(program.nodes.size());
    mem::Node node;
    node.id = nodeName(now, launch.getNodes());
    node.cost = costOf(launch, typical);
    program.nodes.push_back(std::move(node));
    for (Value buffer : launch.getReads())
      addRead(storageOf(buffer), now);
    for (Value buffer : launch.getWrites())
      addWrite(storageOf(buffer), now);
    for (Value buffer : launch.getScratch())
      addWrite(storageOf(buffer), now);
  }

  /// Inputs and constants are never written; they order nothing.
  static bool isStorage(Operation *op) {
    return isa_and_nonnull<AllocOp, OutputOp>(op);
  }

  void addRead(Operation *storage, unsigned now) {
    if (!isStorage(storage))
      return;
    Uses &use = uses[storage];
    if (use.writer)
      addOrder(use, *use.writer, now);
    use.readers.push_back(now);
    addUse(use, now);
  }

  void addWrite(Operation *storage, unsigned now) {
    if (!isStorage(storage))
      return;
    Uses &use = uses[storage];
    if (use.writer)
      addOrder(use, *use.writer, now);
    for (unsigned reader : use.readers)
      addOrder(use, reader, now);
    use.readers.clear();
    use.writer = now;
    addUse(use, now);
  }

  static void addUse(Uses &use, unsigned now) {
    if (!llvm::is_contained(use.all, now))
      use.all.push_back(now);
  }

  /// The producer comes before its consumers anyway.
  void addOrder(const Uses &use, unsigned after, unsigned before) {
    if (after != before && after != use.all.front() &&
        !llvm::is_contained(orders[after], before))
      orders[after].push_back(before);
  }

  void addTensors() {
    SmallVector<LiveBuffer> live = computeLiveness(main);
    mem::Problem problem = problemOf(live);
    SmallVector<unsigned> tensors; // of each buffer
    for (auto [buffer, named] : llvm::zip(live, problem.buffers)) {
      tensors.push_back(program.tensors.size());
      addTensor(uses.lookup(buffer.alloc), named.id, named.size,
                named.alignment);
    }
    addOverlays(live, tensors);
    unsigned output = 0;
    for (auto &[storage, use] : uses)
      if (isa<OutputOp>(storage))
        addTensor(use, "output" + std::to_string(output++), 0, 1);
  }

  /// What the plan shares, if there is one, else what it could.
  void addOverlays(ArrayRef<LiveBuffer> live, ArrayRef<unsigned> tensors) {
    MemoryDialect::ArenaBytesAttrHelper bytesOf(main.getContext());
    auto overlays =
        bytesOf.isAttrPresent(main)
            ? plannedProblem(main, live, solutionOf(main, live)).overlays
            : possibleOverlays(main, live);
    for (mem::Overlay overlay : overlays) {
      overlay.whole = tensors[overlay.whole];
      overlay.part = tensors[overlay.part];
      program.overlays.push_back(overlay);
    }
  }

  void addTensor(const Uses &use, std::string id, int64_t size,
                 int64_t alignment) {
    if (use.all.empty())
      return; // never used: it needs no bytes
    mem::Tensor tensor;
    tensor.id = std::move(id);
    tensor.size = size;
    tensor.alignment = alignment;
    tensor.producer = use.all.front();
    tensor.consumers.assign(use.all.begin() + 1, use.all.end());
    program.tensors.push_back(std::move(tensor));
  }

  void addOrders() {
    for (auto &[after, before] : orders) {
      if (before.empty())
        continue;
      mem::Tensor tensor;
      tensor.id = "after" + std::to_string(after);
      tensor.producer = after;
      tensor.consumers.assign(before.begin(), before.end());
      program.tensors.push_back(std::move(tensor));
    }
  }
};
} // namespace

mem::Program memory::programOf(func::FuncOp main) {
  return ProgramBuilder(main).build();
}
