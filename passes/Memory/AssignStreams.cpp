//===- AssignStreams.cpp - launches of a device side by side --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file implements tenon-assign-streams. What launches share is the device:
// two that fill it gain nothing from running side by side.
//===----------------------------------------------------------------------===//
#include "passes/Memory/LaunchProgram.h"
#include "passes/Memory/Passes.h"

#include "dialects/Graph/Programs.h"
#include "dialects/Graph/Shapes.h"
#include "lib/Memory/Solve.h"
#include "lib/Memory/Streams/Clocks.h"
#include "lib/Memory/Streams/Streams.h"
#include "lib/Tile/Gpu.h"
#include "passes/Memory/Overlays.h"

namespace tenon::memory {
#define GEN_PASS_DEF_ASSIGNSTREAMSPASS
#include "passes/Memory/Passes.h.inc"
} // namespace tenon::memory

using namespace mlir;
using namespace tenon;
using namespace tenon::memory;

/// Nanoseconds by which a kernel starts later when it waits for one of another
/// stream instead of the one before it: half of what a fork and a join cost.
static constexpr int64_t hopTime = 400;

/// Of the bytes of one stream, in percent.
static constexpr int64_t mostArena = 130;

/// For what is compared, not shipped.
static constexpr int64_t planWork = 20'000'000;

static bool isOnDevice(func::FuncOp main) {
  return llvm::all_of(main.getOps<kernel::LaunchOp>(),
                      [](auto launch) { return bool(launch.getDeviceAttr()); });
}

/// The part of a multiprocessor that a block takes: its registers, of which a
/// thread is taken to have 128, and shared memory.
static double shareOf(kernel::DeviceAttr device, const tile::GpuTarget &gpu) {
  constexpr double registersOfThread = 128;
  return std::max(double(device.getThreads()) * registersOfThread /
                      double(gpu.registers),
                  double(device.getShared()) / double(gpu.processorShared));
}

/// The part of the device that a launch takes while it runs: of room for
/// blocks, of what memory can move, or of what products of f32 reach.
static double partOf(kernel::LaunchOp launch, int64_t nanoseconds,
                     const tile::GpuTarget &gpu) {
  kernel::DeviceAttr device = launch.getDeviceAttr();
  double blocks = double(graph::sizeOf(launch.getTilesAttr()));
  for (int64_t extent : device.getGrid())
    blocks *= double(extent);
  double time = double(nanoseconds) / 1000;
  return std::max({blocks * shareOf(device, gpu) / double(gpu.processors),
                   double(launch.getBytes()) / (time * gpu.memoryBytes),
                   double(launch.getFlops()) / (time * gpu.tensorFlops / 6)});
}

static mem::Resources resourcesOf(func::FuncOp main,
                                  const mem::Program &program,
                                  const tile::GpuTarget &gpu) {
  mem::Resources resources;
  resources.capacity = gpu.processors;
  resources.eventCost = hopTime;
  auto launches = main.getOps<kernel::LaunchOp>();
  for (auto [launch, node] : llvm::zip(launches, program.nodes)) {
    double part = std::clamp(partOf(launch, node.cost, gpu), 0.0, 1.0);
    resources.widths.push_back(
        std::max<int64_t>(int64_t(part * double(gpu.processors)), 1));
  }
  return resources;
}

/// Nodes and events of a program in an order that its events allow: those that
/// were bought go where they like.
static void sortLaunches(mem::Program &program) {
  std::vector<unsigned> order = *mem::topologicalOrder(program);
  std::vector<unsigned> places(order.size());
  std::vector<mem::Node> nodes;
  for (auto [place, node] : llvm::enumerate(order)) {
    places[node] = unsigned(place);
    nodes.push_back(program.nodes[node]);
  }
  program.nodes = std::move(nodes);
  for (mem::Event &event : program.events)
    event = {places[event.after], places[event.before]};
  // Nobody looks at what they compute any more.
  program.tensors.clear();
  program.overlays.clear();
}

static mem::Solution place(const mem::Problem &problem) {
  mem::Options options;
  options.work = planWork;
  return mem::solve(problem, options).solution;
}

namespace {
/// Spreads the launches of a program.
class Spreader {
public:
  Spreader(func::FuncOp main, const tile::GpuTarget &gpu, int64_t cap)
      : main(main), program(orderOf(main)),
        resources(resourcesOf(main, program, gpu)),
        most(cap >= 0 ? cap
                      : place(mem::problemOf(programOf(main))).arenaBytes() /
                            100 * mostArena) {
    for (auto [number, node] : llvm::enumerate(program.nodes))
      numbers[node.id] = unsigned(number);
  }

  /// On at most so many streams: those that need no more memory than is worth
  /// it.
  std::optional<mem::Program> run(unsigned count) {
    for (; count > 1; --count) {
      llvm::Expected<mem::Program> spread =
          mem::assignStreams(program, count, resources);
      // What is wrong with a program is said by those who plan it.
      if (!spread) {
        llvm::consumeError(spread.takeError());
        return std::nullopt;
      }
      if (spread->events.empty() && isOneStream(*spread))
        return std::nullopt;
      if (fits(*spread) || (shrink(*spread) && isWorthIt(*spread)))
        return std::move(*spread);
    }
    return std::nullopt;
  }

  int64_t timeOf(const mem::Program &spread) const {
    mem::Resources moved = resources;
    for (auto [width, node] : llvm::zip(moved.widths, spread.nodes))
      width = resources.widths[numberOf(node)];
    return mem::makespan(spread, moved);
  }

  int64_t timeBefore() const { return mem::makespan(program, resources); }

  unsigned numberOf(const mem::Node &node) const {
    return numbers.lookup(node.id);
  }

private:
  func::FuncOp main;
  mem::Program program;
  mem::Resources resources;
  int64_t most; ///< bytes
  llvm::StringMap<unsigned> numbers;

  static bool isOneStream(const mem::Program &spread) {
    return llvm::all_of(spread.nodes, [&](const mem::Node &node) {
      return node.stream == spread.nodes.front().stream;
    });
  }

  bool fits(const mem::Program &spread) const {
    return place(mem::problemOf(spread)).arenaBytes() <= most;
  }

  /// Lets streams wait for each other where that saves memory.
  bool shrink(mem::Program &spread) const {
    mem::SpendOptions options;
    options.trials = 12;
    options.planner = place;
    llvm::Expected<mem::Spending> spent = mem::spendSync(spread, options);
    if (!spent) {
      llvm::consumeError(spent.takeError());
      return false;
    }
    spread = std::move(spent->program);
    return spent->bytesAfter <= most;
  }

  bool isWorthIt(const mem::Program &spread) const {
    return timeOf(spread) < timeBefore();
  }
};
} // namespace

namespace {
struct AssignStreams : memory::impl::AssignStreamsPassBase<AssignStreams> {
  using AssignStreamsPassBase::AssignStreamsPassBase;

  void runOnOperation() override {
    const tile::GpuTarget *gpu = tile::findGpuTarget(target);
    if (!gpu) {
      getOperation().emitError("no target '")
          << target << "' in the table of GPUs";
      return signalPassFailure();
    }
    for (func::FuncOp main : graph::programs(getOperation()))
      if (streams > 1 && isPlain(main) && isOnDevice(main))
        spread(main, *gpu);
  }

  void spread(func::FuncOp main, const tile::GpuTarget &gpu) {
    Spreader spreader(main, gpu, cap);
    nanosecondsBefore += spreader.timeBefore();
    std::optional<mem::Program> best = spreader.run(streams);
    nanosecondsAfter += best ? spreader.timeOf(*best) : spreader.timeBefore();
    if (!best)
      return;
    sortLaunches(*best);
    std::vector<unsigned> order;
    for (const mem::Node &node : best->nodes)
      order.push_back(spreader.numberOf(node));
    reorder(main, order);
    write(main, *best);
  }

  void write(func::FuncOp main, const mem::Program &best) {
    SmallVector<kernel::LaunchOp> launches(main.getOps<kernel::LaunchOp>());
    llvm::MapVector<unsigned, unsigned> streamOf; // numbered by first use
    Builder b(&getContext());
    for (auto [launch, node] : llvm::zip(launches, best.nodes)) {
      unsigned stream =
          streamOf.insert({node.stream, unsigned(streamOf.size())})
              .first->second;
      if (stream)
        launch.setStreamAttr(b.getI64IntegerAttr(stream));
    }
    llvm::MapVector<unsigned, SmallVector<int64_t>> waits;
    for (const mem::Event &event : best.events)
      waits[event.before].push_back(event.after);
    for (auto &[number, others] : waits) {
      llvm::sort(others);
      launches[number].setWaits(others);
      numWaits += others.size();
    }
    numStreams += streamOf.size();
  }
};
} // namespace
