//===- ScheduleLaunches.cpp - in which order, and beside what -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file implements tenon-schedule-launches. What is taken is decided by
// arenas that are planned, not by peaks: the order of the program is kept
// unless another one needs a smaller arena, and waves have to fit.
//===----------------------------------------------------------------------===//
#include "passes/Schedule/DeviceSchedule.h"
#include "passes/Schedule/LaunchProblem.h"
#include "passes/Schedule/Moments.h"
#include "passes/Schedule/Passes.h"

#include "dialects/Graph/Programs.h"
#include "lib/Schedule/Solve.h"
#include "passes/Memory/ArenaOrder.h"
#include "passes/Memory/LaunchProgram.h"
#include "passes/Memory/PlanArena.h"
#include "llvm/ADT/StringExtras.h"

namespace tenon::schedule {
#define GEN_PASS_DEF_SCHEDULELAUNCHESPASS
#include "passes/Schedule/Passes.h.inc"
} // namespace tenon::schedule

using namespace mlir;
using namespace tenon;
using namespace tenon::schedule;

/// What an arena may become where no cap says it: three tenths more, or as much
/// as the members of an ensemble would take apart.
static int64_t mostArena(int64_t bytes, unsigned members) {
  int64_t more = bytes / 10 * 13 + bytes % 10 * 13 / 10;
  return llvm::SaturatingMultiply<uint64_t>(more, members) > INT64_MAX
             ? INT64_MAX
             : more * members;
}

/// The same of processors, or what no process notices.
static int64_t mostWithWaves(int64_t bytes, unsigned members) {
  constexpr int64_t unnoticed = 64 * 1024;
  return std::max(bytes + unnoticed, mostArena(bytes, members));
}

/// How often waves are asked for: once more along the order of those that were
/// found, which cuts at other places, or with a lower cap, where the arena is
/// larger than what is in use at once.
static constexpr int mostTries = 2;

/// Sets of launches that each of these may look at.
static constexpr int64_t mostSets = 3'000'000;

namespace {
/// The operations of a program as they are, to come back to.
class Snapshot {
public:
  explicit Snapshot(func::FuncOp main) {
    for (Operation &op : main.getOps())
      operations.push_back(&op);
    for (auto launch : main.getOps<kernel::LaunchOp>())
      waves.push_back({launch, launch.getWaveAttr()});
  }

  void restore() {
    for (Operation *op : ArrayRef(operations).drop_back())
      op->moveBefore(operations.back());
    for (auto [launch, wave] : waves)
      wave ? launch.setWaveAttr(wave) : (void)launch.removeWaveAttr();
  }

private:
  std::vector<Operation *> operations; ///< the last one is the return
  std::vector<std::pair<kernel::LaunchOp, IntegerAttr>> waves;
};

/// What an arena may take at most, and what to do for it.
struct Wishes {
  std::optional<int64_t> cap; ///< bytes
  bool waves = false;
  unsigned members = 1; ///< of an ensemble
};

/// Finds moments for the launches of a plain program.
class Scheduler {
public:
  Scheduler(func::FuncOp main, sched::Problem problem)
      : main(main), problem(std::move(problem)),
        launches(main.getOps<kernel::LaunchOp>().begin(),
                 main.getOps<kernel::LaunchOp>().end()) {}

  /// Fails with a diagnostic if nothing fits.
  LogicalResult run(const Wishes &wishes);

private:
  LogicalResult tryOrder(const Moments &moments, memory::ArenaPlan &best);
  FailureOr<bool> tryWaves(int64_t cap);
  LogicalResult formWaves(int64_t cap);
  void restate();
  void apply(const Moments &moments);
  FailureOr<memory::ArenaPlan> plan() {
    return memory::planArena(main, memory::arenaWork);
  }

  func::FuncOp main;
  sched::Problem problem;
  SmallVector<kernel::LaunchOp> launches; ///< of the problem
  std::optional<int64_t> taken;           ///< nanoseconds of waves
};
} // namespace

void Scheduler::apply(const Moments &moments) {
  llvm::DenseMap<Operation *, unsigned> places;
  for (auto launch : main.getOps<kernel::LaunchOp>()) {
    places.insert({launch, unsigned(places.size())});
    launch.removeWaveAttr();
  }
  std::vector<unsigned> order;
  Builder b(main.getContext());
  int64_t wave = 0;
  for (const std::vector<unsigned> &moment : moments) {
    for (unsigned launch : moment) {
      order.push_back(places[launches[launch]]);
      if (moment.size() > 1)
        launches[launch].setWaveAttr(b.getI64IntegerAttr(wave));
    }
    wave += moment.size() > 1;
  }
  memory::reorder(main, order);
}

/// The problem in the order that launches have now.
void Scheduler::restate() {
  sched::Problem now = llvm::cantFail(launchProblem(main, problem.threads));
  now.cap = problem.cap;
  problem = std::move(now);
  llvm::copy(main.getOps<kernel::LaunchOp>(), launches.begin());
}

/// Takes an order with a lower peak if its arena is smaller than that of the
/// program's order. `best` is the plan of the one that is kept.
LogicalResult Scheduler::tryOrder(const Moments &moments,
                                  memory::ArenaPlan &best) {
  Snapshot before(main);
  apply(moments);
  FailureOr<memory::ArenaPlan> other = plan();
  if (failed(other))
    return failure();
  if (other->bytes() < best.bytes()) {
    best = std::move(*other);
    restate();
    return success();
  }
  before.restore();
  return success();
}

/// Takes the fastest waves that the search finds below the problem's cap, if
/// they pay, are faster than what was taken, and their arena is below `cap`.
/// Where it is not, the problem's cap is lower by what is missing.
FailureOr<bool> Scheduler::tryWaves(int64_t cap) {
  sched::Options options;
  options.search.transitions = mostSets;
  llvm::Expected<sched::Solution> solution = sched::solve(problem, options);
  if (!solution) {
    llvm::consumeError(solution.takeError());
    return false;
  }
  Moments moments = withWaves(problem, solution->stages);
  int64_t time = schedule::timeOf(problem, moments);
  if (moments.size() == launches.size() || (taken && time >= *taken))
    return false;
  Snapshot before(main);
  apply(moments);
  FailureOr<memory::ArenaPlan> found = plan();
  if (failed(found))
    return failure();
  if (found->bytes() <= cap) {
    taken = time;
    restate();
    return true;
  }
  before.restore();
  problem.cap = *problem.cap - (found->bytes() - cap);
  return *problem.cap >= 0;
}

/// The fastest waves below a cap, if there are any that pay. With less freedom
/// a search that is not exact may find faster ones, so the least is tried, too.
LogicalResult Scheduler::formWaves(int64_t cap) {
  int64_t least = sched::leastPeak(problem).peak;
  problem.cap = cap;
  FailureOr<bool> isWorthMore = true;
  for (int tries = 0; tries < mostTries && *isWorthMore; ++tries)
    if (failed(isWorthMore = tryWaves(cap)))
      return failure();
  problem.cap = least;
  return failure(failed(tryWaves(cap)));
}

/// The launches of the moment with the most bytes in use.
static SmallVector<kernel::LaunchOp>
launchesAtPeak(func::FuncOp main, const memory::ArenaPlan &plan) {
  SmallVector<int64_t> moments = memory::momentsOf(main);
  std::vector<int64_t> bytes(moments.empty() ? 1 : moments.back() + 2, 0);
  for (const memory::LiveBuffer &buffer : plan.buffers)
    for (int64_t at = buffer.first; at <= buffer.last; ++at)
      bytes[at] += buffer.bytes;
  int64_t peak = llvm::max_element(bytes) - bytes.begin();
  SmallVector<kernel::LaunchOp> found;
  for (auto [moment, launch] :
       llvm::zip_equal(moments, main.getOps<kernel::LaunchOp>()))
    if (moment == peak)
      found.push_back(launch);
  return found;
}

/// The ONNX nodes of launches, "'a', 'b' and 3 more".
static std::string nodesText(ArrayRef<kernel::LaunchOp> launches) {
  constexpr size_t shown = 4;
  SmallVector<StringRef> nodes;
  for (kernel::LaunchOp launch : launches)
    launch.getNodes().split(nodes, ';', -1, /*KeepEmpty=*/false);
  size_t left = nodes.size() - std::min(nodes.size(), shown);
  nodes.truncate(nodes.size() - left);
  std::string text = nodes.empty() ? "" : "'" + llvm::join(nodes, "', '") + "'";
  return left ? text + " and " + std::to_string(left) + " more" : text;
}

/// Fails with a diagnostic if a plan is above a cap.
static LogicalResult checkCap(func::FuncOp main, const memory::ArenaPlan &plan,
                              std::optional<int64_t> cap, StringRef orders) {
  if (!cap || plan.bytes() <= *cap)
    return success();
  auto atPeak = launchesAtPeak(main, plan);
  Operation *where = atPeak.empty() ? main.getOperation() : atPeak.front();
  return where->emitError(orders)
         << " into " << *cap << " bytes: the smallest arena found has "
         << plan.bytes() << " bytes, most of it in use at "
         << nodesText(atPeak);
}

LogicalResult Scheduler::run(const Wishes &wishes) {
  sched::Solution least = sched::leastPeak(problem);
  bool isLower = least.peak < sched::programOrder(problem).peak;
  if (!isLower && !wishes.cap && !wishes.waves)
    return success();
  FailureOr<memory::ArenaPlan> best = plan();
  if (failed(best) ||
      (isLower && failed(tryOrder(inTurn(least.stages), *best))) ||
      failed(checkCap(main, *best, wishes.cap, "no order of launches fits")))
    return failure();
  if (!wishes.waves)
    return success();
  return formWaves(
      wishes.cap.value_or(mostWithWaves(best->bytes(), wishes.members)));
}

namespace {
struct ScheduleLaunches
    : schedule::impl::ScheduleLaunchesPassBase<ScheduleLaunches> {
  using ScheduleLaunchesPassBase::ScheduleLaunchesPassBase;

  void runOnOperation() override {
    const tile::GpuTarget *gpu = tile::findGpuTarget(device);
    if (!device.empty() && !gpu) {
      getOperation().emitError("no target '")
          << device << "' in the table of GPUs";
      return signalPassFailure();
    }
    for (func::FuncOp main : graph::programs(getOperation())) {
      for (auto launch : main.getOps<kernel::LaunchOp>())
        launch.removeWaveAttr();
      if (failed(run(main)) || (gpu && failed(spread(main, *gpu))))
        return signalPassFailure();
    }
  }

  LogicalResult run(func::FuncOp main) {
    Wishes wishes{std::nullopt, device.empty() && waves && threads > 1,
                  members};
    if (cap >= 0)
      wishes.cap = cap;
    if (!memory::isPlain(main) || memory::hasStreams(main))
      return keepOrder(main, wishes);
    llvm::Expected<sched::Problem> problem = launchProblem(main, threads);
    if (!problem) {
      llvm::consumeError(problem.takeError());
      return keepOrder(main, wishes);
    }
    SmallVector<kernel::LaunchOp> before(main.getOps<kernel::LaunchOp>());
    if (failed(Scheduler(main, std::move(*problem)).run(wishes)))
      return failure();
    std::optional<int64_t> last;
    for (auto [launch, old] :
         llvm::zip_equal(main.getOps<kernel::LaunchOp>(), before)) {
      numMoved += launch != old;
      std::optional<int64_t> wave = launch.getWave();
      numWaves += wave && wave != last;
      last = wave;
    }
    return success();
  }

  /// Launches of a device in streams and waves.
  LogicalResult spread(func::FuncOp main, const tile::GpuTarget &gpu) {
    bool isOnDevice = llvm::all_of(
        main.getOps<kernel::LaunchOp>(),
        [](kernel::LaunchOp launch) { return bool(launch.getDeviceAttr()); });
    if (!isOnDevice || !memory::isPlain(main) || memory::hasStreams(main) ||
        (streams < 2 && !waves))
      return success();
    llvm::Expected<DeviceProblem> problem = deviceProblem(main, gpu);
    if (!problem) {
      llvm::consumeError(problem.takeError());
      return success();
    }
    FailureOr<int64_t> most = mostBytes(main);
    if (failed(most))
      return failure();
    auto plan = planDevice(problem->problem, *most, {waves, streams});
    if (!plan)
      return success();
    apply(main, *problem, *plan);
    kernel::ScheduleFacts facts = factsOf(problem->problem, *plan);
    kernel::setSchedule(main, facts);
    numWaves += facts.waves;
    numStreams += facts.streams > 1 ? facts.streams : 0;
    numWaits += facts.waits;
    return success();
  }

  /// What the arena of a device may have.
  FailureOr<int64_t> mostBytes(func::FuncOp main) {
    constexpr int64_t compareWork = 20'000'000; // for what is not shipped
    if (cap >= 0)
      return int64_t(cap);
    FailureOr<memory::ArenaPlan> plan = memory::planArena(main, compareWork);
    if (failed(plan))
      return failure();
    return mostArena(plan->bytes(), members);
  }

  LogicalResult keepOrder(func::FuncOp main, const Wishes &wishes) {
    if (!wishes.cap)
      return success();
    if (memory::hasSymbols(main))
      return main.emitError("no arena can be capped whose size is known in the "
                            "run only; --dim or --shape fixes it");
    FailureOr<memory::ArenaPlan> plan =
        memory::planArena(main, memory::arenaWork);
    if (failed(plan))
      return failure();
    return checkCap(main, *plan, wishes.cap,
                    "the order of launches, which has to stay, does not fit");
  }
};
} // namespace
