//===- LaunchProgram.cpp - launches as a program of nodes -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Memory/LaunchProgram.h"

#include "dialects/Graph/States.h"
#include "dialects/Graph/TypicalSizes.h"
#include "lib/Cost/StageCost.h"
#include "lib/Memory/Streams/Clocks.h"
#include "passes/Memory/ArenaOrder.h"
#include "passes/Memory/Overlays.h"
#include "passes/Memory/Passes.h"
#include "passes/Memory/Reach.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::memory;

/// On the processor that most machines are like: such launches are compared
/// with others, not timed.
static Time timeByWork(kernel::LaunchOp launch) {
  auto typical = graph::TypicalSizes::around(launch);
  cost::StageWork work;
  work.fma = double(launch.getFlops()) / 2;
  work.bytesRead = double(launch.getBytes());
  work.tiles = typical.of(launch.getTiles());
  work.steps = launch.getStepsAttr() ? typical.of(launch.getStepsAttr()) : 1;
  const tile::Target &target = *tile::findTarget("avx2");
  return target.timeOf(cost::estimate(work, target).cycles);
}

Time memory::timeOf(kernel::LaunchOp launch) {
  constexpr Time clearing = Time::ofMicroseconds(2); // on a device
  if (std::optional<uint64_t> time = launch.getTime())
    return {double(*time)};
  return launch.getDeviceAttr() ? clearing : timeByWork(launch);
}

namespace {
/// A launch that used a storage, and where.
struct Access {
  unsigned node;
  Reach reach;
  bool isWrite;
};

/// Who used a storage so far.
struct Uses {
  SmallVector<unsigned> all; // in launch order
  /// Of those, the ones that wrote parts of it that nobody had used.
  SmallVector<unsigned> writers;
  SmallVector<Access> accesses; // that later ones may not pass
};

class ProgramBuilder {
public:
  explicit ProgramBuilder(func::FuncOp main) : main(main) {}

  mem::Program build(bool withOverlays) {
    for (auto launch : main.getOps<kernel::LaunchOp>())
      addLaunch(launch);
    spreadWaves();
    addTensors(withOverlays);
    addOrders();
    return std::move(program);
  }

private:
  func::FuncOp main;
  mem::Program program;
  llvm::MapVector<Operation *, Uses> uses;
  llvm::MapVector<unsigned, SmallVector<unsigned>> orders; // after -> before

  void addLaunch(kernel::LaunchOp launch) {
    unsigned now = unsigned(program.nodes.size());
    mem::Node node;
    node.id = nodeName(now, launch.getNodes());
    node.cost =
        std::clamp<int64_t>(timeOf(launch).rounded(), 1, int64_t(1) << 40);
    node.stream = unsigned(launch.getStream().value_or(0));
    program.streams = std::max(program.streams, node.stream + 1);
    for (int64_t other : launch.getWaits().value_or(ArrayRef<int64_t>()))
      program.events.push_back({unsigned(other), now});
    program.nodes.push_back(std::move(node));
    for (Value buffer : launch.getReads())
      addAccess(buffer, {now, {}, /*isWrite=*/false});
    for (Value buffer : launch.getWrites())
      addAccess(buffer, {now, writtenBy(launch, buffer), /*isWrite=*/true});
    for (Value buffer : launch.getScratch())
      addAccess(buffer, {now, {}, /*isWrite=*/true});
  }

  /// Launches of a wave are on streams of their own, and wait for each other in
  /// front of it and behind it.
  void spreadWaves() {
    std::vector<unsigned> before, wave; // all of one moment
    SmallVector<int64_t> moments = momentsOf(main);
    for (unsigned node = 0; node < moments.size(); ++node) {
      if (!wave.empty() && moments[wave.front()] != moments[node])
        before = std::exchange(wave, {});
      if (!wave.empty()) {
        program.nodes[node].stream += unsigned(wave.size());
        program.streams =
            std::max(program.streams, program.nodes[node].stream + 1);
      }
      for (unsigned other : before)
        if (before.size() > 1 || !wave.empty())
          program.events.push_back({other, node});
      wave.push_back(node);
    }
  }

  /// Inputs and constants are never written; they order nothing.
  static bool isStorage(Operation *op) {
    return isa_and_nonnull<AllocOp, OutputOp>(op);
  }

  void addAccess(Value buffer, Access access) {
    Operation *storage = storageOf(buffer);
    if (!isStorage(storage))
      return;
    Uses &use = uses[storage];
    bool isFree = access.isWrite && use.all.size() == use.writers.size();
    for (const Access &other : use.accesses) {
      if (!(access.isWrite || other.isWrite) ||
          !access.reach.meets(other.reach))
        continue;
      isFree = false;
      addOrder(use, other.node, access.node);
    }
    if (access.isWrite)
      llvm::erase_if(use.accesses, [&](const Access &other) {
        return access.reach.covers(other.reach);
      });
    use.accesses.push_back(access);
    if (llvm::is_contained(use.all, access.node))
      return;
    use.all.push_back(access.node);
    if (isFree)
      use.writers.push_back(access.node);
  }

  /// The producer comes before its consumers anyway.
  void addOrder(const Uses &use, unsigned after, unsigned before) {
    if (after != before && after != use.all.front() &&
        !llvm::is_contained(orders[after], before))
      orders[after].push_back(before);
  }

  void addTensors(bool withOverlays) {
    SmallVector<LiveBuffer> live = computeLiveness(main);
    mem::Problem problem = problemOf(live);
    SmallVector<unsigned> tensors; // of each buffer
    for (auto [buffer, named] : llvm::zip(live, problem.buffers)) {
      tensors.push_back(program.tensors.size());
      addTensor(uses.lookup(buffer.alloc), named.id, named.size,
                named.alignment);
    }
    if (withOverlays)
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
    for (unsigned node : llvm::drop_begin(use.all))
      (llvm::is_contained(use.writers, node) ? tensor.coproducers
                                             : tensor.consumers)
          .push_back(node);
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
  return ProgramBuilder(main).build(/*withOverlays=*/true);
}

mem::Program memory::orderOf(func::FuncOp main) {
  return ProgramBuilder(main).build(/*withOverlays=*/false);
}

bool memory::hasStreams(func::FuncOp main) {
  return llvm::any_of(main.getOps<kernel::LaunchOp>(), [](auto launch) {
    return launch.getStream().value_or(0) || launch.getWaits();
  });
}

llvm::Expected<mem::Problem> memory::problemOf(func::FuncOp main,
                                               ArrayRef<LiveBuffer> buffers) {
  mem::Problem problem = problemOf(buffers);
  if (!hasStreams(main))
    return problem;
  mem::Program program = orderOf(main);
  for (const mem::Event &event : program.events)
    if (event.after >= event.before)
      return llvm::createStringError(
          "launch %u waits for launch %u, which does not come before it",
          event.before, event.after);
  if (llvm::Error error = program.check())
    return error;
  mem::Problem timed = mem::problemOf(program);
  llvm::StringMap<unsigned> numbers;
  for (auto [number, buffer] : llvm::enumerate(timed.buffers))
    numbers[buffer.id] = unsigned(number);
  // What no launch uses lives for one moment.
  SmallVector<int64_t> start(program.streams, 0), next(program.streams, 0);
  next.front() = 1;
  for (mem::Buffer &buffer : problem.buffers) {
    auto found = numbers.find(buffer.id);
    bool isUsed = found != numbers.end();
    buffer.lower = isUsed ? timed.buffers[found->second].lower
                          : mem::Clock(ArrayRef<int64_t>(start));
    buffer.upper = isUsed ? timed.buffers[found->second].upper
                          : mem::Clock(ArrayRef<int64_t>(next));
    buffer.stream = isUsed ? timed.buffers[found->second].stream : 0;
  }
  return problem;
}

bool memory::isPlain(func::FuncOp main) {
  auto isKnown = [](Operation &op) {
    return isa<kernel::LaunchOp, func::ReturnOp>(op) ||
           (op.getNumOperands() == 0 && isMemoryEffectFree(&op)) ||
           isa<AllocOp, ViewOp, InputOp, OutputOp>(op);
  };
  return !hasSymbols(main) &&
         graph::statesOf(main->getParentOfType<ModuleOp>()).empty() &&
         llvm::all_of(main.getOps(), isKnown);
}

/// Puts an operation behind those that were placed, and what it needs before
/// it.
static void place(Operation *op, SmallPtrSetImpl<Operation *> &placed) {
  if (!placed.insert(op).second)
    return;
  for (Value operand : op->getOperands())
    if (Operation *needed = operand.getDefiningOp())
      place(needed, placed);
  op->moveBefore(op->getBlock()->getTerminator());
}

unsigned memory::reorder(func::FuncOp main, ArrayRef<unsigned> order) {
  SmallVector<kernel::LaunchOp> launches(main.getOps<kernel::LaunchOp>());
  SmallPtrSet<Operation *, 32> placed;
  unsigned moved = 0;
  for (auto [now, then] : llvm::enumerate(order)) {
    moved += now != then;
    place(launches[then], placed);
  }
  return moved;
}
