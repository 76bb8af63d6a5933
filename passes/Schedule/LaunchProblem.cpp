//===- LaunchProblem.cpp - launches as a problem of scheduling ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Schedule/LaunchProblem.h"
#include "passes/Schedule/DeviceLaunch.h"

#include "dialects/Graph/Shapes.h"
#include "lib/Support/SortUnique.h"
#include "passes/Memory/LaunchProgram.h"
#include "passes/Memory/Overlays.h"

#include <cmath>
#include <numeric>

using namespace mlir;
using namespace tenon;
using namespace tenon::schedule;

/// Until so many threads have met, measured on up to 8 that spin. Many tell
/// each other in clusters, as the run time has them (Pool.c).
static int64_t joinTime(unsigned threads) {
  constexpr int64_t once = 50, ofThread = 50; // ns
  constexpr unsigned cluster = 8, fewestInClusters = 32;
  if (threads >= fewestInClusters)
    return joinTime(cluster) +
           joinTime(unsigned(llvm::divideCeil(threads, cluster)));
  return threads > 1 ? once + ofThread * int64_t(threads) : 0;
}

/// What shares are longer than equal ones, measured on two threads; in
/// thousandths.
static constexpr int64_t imbalance = 30;

/// Nanoseconds by which a launch begins later when it waits for one of another
/// stream: half of what a fork and a join cost, and no early begin.
static constexpr int64_t hopTime = 800;

namespace {
class ProblemBuilder {
public:
  ProblemBuilder(func::FuncOp main, unsigned threads)
      : main(main), program(memory::orderOf(main)) {
    problem.threads = threads;
    problem.threadCounts = {1};
    if (threads > 1)
      problem.threadCounts.push_back(threads);
    problem.join = joinTime(threads);
    problem.imbalance = threads > 1 ? imbalance : 0;
    problem.tracks = false;
  }

  ProblemBuilder(func::FuncOp main, const tile::GpuTarget &gpu)
      : main(main), program(memory::orderOf(main)), gpu(&gpu) {
    problem.processors = unsigned(gpu.processors);
    problem.hop = hopTime;
  }

  sched::Problem build() {
    for (auto [launch, node] :
         llvm::zip_equal(main.getOps<kernel::LaunchOp>(), program.nodes))
      addLaunch(launch, node);
    addTensors();
    sortUnique(problem.orders);
    return std::move(problem);
  }

  /// The allocation of each tensor, once the problem is built.
  SmallVector<memory::AllocOp> allocations() const {
    SmallVector<memory::AllocOp> allocations(numbers.size());
    auto buffers = memory::computeLiveness(main);
    for (auto [live, named] :
         llvm::zip_equal(buffers, memory::problemOf(buffers).buffers))
      if (auto found = numbers.find(named.id); found != numbers.end())
        allocations[found->second] = live.alloc;
    return allocations;
  }

private:
  func::FuncOp main;
  mem::Program program;
  sched::Problem problem;
  const tile::GpuTarget *gpu = nullptr;
  llvm::StringMap<unsigned> numbers; ///< of tensors, by name

  void addLaunch(kernel::LaunchOp launch, const mem::Node &node);
  sched::Launch onThreads(kernel::LaunchOp launch, const mem::Node &node) const;
  void addTensors();
  void addOrders(const mem::Tensor &tensor, ArrayRef<unsigned> writers);
};

/// Pairs of a program's launches that may be one storage.
class InPlaceFinder {
public:
  explicit InPlaceFinder(func::FuncOp main) {
    auto buffers = memory::computeLiveness(main);
    for (auto [live, named] :
         llvm::zip_equal(buffers, memory::problemOf(buffers).buffers))
      nameOf[live.alloc] = named.id;
    for (auto launch : main.getOps<kernel::LaunchOp>()) {
      pairs.emplace_back();
      for (auto [read, written] : memory::inPlacePairs(launch))
        pairs.back().push_back({nameOf[read], nameOf[written]});
    }
  }

  /// Whether a tensor is the first result of its only writer that may lie on an
  /// operand.
  bool isOverOperand(const mem::Tensor &tensor) const {
    return tensor.coproducers.empty() && !pairs[*tensor.producer].empty() &&
           pairs[*tensor.producer].front().second == tensor.id;
  }

  /// What that result may lie on, by name.
  SmallVector<StringRef> operandsUnder(const mem::Tensor &tensor) const {
    SmallVector<StringRef> operands;
    for (auto &[read, written] : pairs[*tensor.producer])
      if (written == tensor.id)
        operands.push_back(read);
    return operands;
  }

private:
  llvm::DenseMap<Operation *, std::string> nameOf;
  /// Of each launch: names of what is read, and of what is written.
  std::vector<SmallVector<std::pair<std::string, std::string>>> pairs;
};
} // namespace

void ProblemBuilder::addLaunch(kernel::LaunchOp launch, const mem::Node &node) {
  problem.launches.push_back(gpu ? deviceLaunch(launch, node.cost, *gpu)
                                 : onThreads(launch, node));
  problem.launches.back().name = node.id;
  problem.launches.back().kernel = launch.getCallee().str();
}

sched::Launch ProblemBuilder::onThreads(kernel::LaunchOp launch,
                                        const mem::Node &node) const {
  int64_t tiles = std::max<int64_t>(graph::sizeOf(launch.getTilesAttr()), 1);
  Attribute stepped = launch.getStepsAttr();
  int64_t steps = stepped ? std::max<int64_t>(graph::sizeOf(stepped), 1) : 1;
  int64_t threads = problem.threads;
  sched::Launch made;
  made.times = {node.cost};
  if (threads > 1) {
    double part = double(llvm::divideCeil(tiles, threads)) / double(tiles);
    auto busiest = int64_t(std::ceil(double(node.cost) * part));
    made.times.push_back(tiles > 1 ? problem.withImbalance(busiest) +
                                         steps * problem.join
                                   : busiest);
    made.tiles = stepped ? 0 : tiles;
  }
  return made;
}

void ProblemBuilder::addOrders(const mem::Tensor &tensor,
                               ArrayRef<unsigned> writers) {
  for (unsigned writer : writers)
    for (unsigned reader : tensor.consumers)
      problem.orders.push_back({writer, reader});
}

/// One without bytes is an order. Of what a launch begins only the first may
/// lie on an operand, so results that may come first.
void ProblemBuilder::addTensors() {
  InPlaceFinder inPlace(main);
  std::vector<unsigned> order(program.tensors.size());
  std::iota(order.begin(), order.end(), 0);
  auto comesFirst = [&](unsigned tensor) {
    return inPlace.isOverOperand(program.tensors[tensor]);
  };
  llvm::stable_sort(order, [&](unsigned a, unsigned b) {
    return comesFirst(a) && !comesFirst(b);
  });
  int64_t alignment = 1;
  for (const mem::Tensor &tensor : program.tensors)
    alignment = std::max(alignment, tensor.alignment);
  for (unsigned number : order) {
    const mem::Tensor &tensor = program.tensors[number];
    std::vector<unsigned> writers = program.producersOf(number);
    if (tensor.size == 0) {
      addOrders(tensor, writers);
      continue;
    }
    llvm::sort(writers);
    numbers[tensor.id] = unsigned(problem.tensors.size());
    sched::Tensor made;
    made.bytes = int64_t(llvm::alignTo(tensor.size, alignment));
    made.writers = std::move(writers);
    made.readers = tensor.consumers;
    problem.tensors.push_back(std::move(made));
  }
  for (const mem::Tensor &tensor : program.tensors)
    if (tensor.size && inPlace.isOverOperand(tensor))
      for (StringRef operand : inPlace.operandsUnder(tensor))
        problem.inPlace.push_back({*tensor.producer, numbers.lookup(operand)});
}

llvm::Expected<sched::Problem> schedule::launchProblem(func::FuncOp main,
                                                       unsigned threads) {
  sched::Problem problem = ProblemBuilder(main, threads).build();
  if (llvm::Error error = problem.check())
    return error;
  return std::move(problem);
}

llvm::Expected<DeviceProblem>
schedule::deviceProblem(func::FuncOp main, const tile::GpuTarget &gpu) {
  ProblemBuilder builder(main, gpu);
  DeviceProblem device{builder.build(), builder.allocations()};
  if (llvm::Error error = device.problem.check())
    return error;
  return std::move(device);
}
