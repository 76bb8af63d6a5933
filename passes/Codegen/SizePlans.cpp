//===- SizePlans.cpp - plans of a kernel for several sizes ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Codegen/SizePlans.h"

#include "dialects/Graph/DerivedDims.h"
#include "dialects/Graph/Shapes.h"
#include "passes/Codegen/Backends.h"
#include "passes/Codegen/Groups/SizedGroup.h"
#include "passes/Codegen/Programs/Kernels.h"

#include <cmath>

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

//===-- As an attribute ---------------------------------------------------===//

/// Nothing where somebody wrote something else.
static std::optional<SmallerPlan> read(Attribute attribute) {
  auto entry = dyn_cast<DictionaryAttr>(attribute);
  auto most = entry ? entry.getAs<IntegerAttr>("most") : IntegerAttr();
  auto plan =
      entry ? entry.getAs<kernel::PlanAttr>("plan") : kernel::PlanAttr();
  if (!most || !plan)
    return std::nullopt;
  return SmallerPlan{most.getInt(), plan};
}

SmallVector<SmallerPlan> codegen::smallerPlansOf(Operation *op) {
  SmallVector<SmallerPlan> plans;
  auto smaller = op->getAttrOfType<ArrayAttr>(smallerAttr);
  for (Attribute entry : smaller ? smaller.getValue() : ArrayRef<Attribute>())
    if (std::optional<SmallerPlan> plan = read(entry))
      plans.push_back(*plan);
  return plans;
}

SmallVector<const Strategy *> codegen::strategiesOf(kernel::GroupOp group) {
  SmallVector<const Strategy *> all{strategyOf(group)};
  Backends &backends = Backends::of(group.getContext());
  for (const SmallerPlan &each : smallerPlansOf(group))
    all.push_back(backends.findStrategy(each.plan.getStrategy()));
  return all;
}

static void setSmaller(kernel::GroupOp group, ArrayRef<SmallerPlan> plans) {
  Builder b(group.getContext());
  SmallVector<Attribute> entries;
  for (const SmallerPlan &each : plans)
    entries.push_back(b.getDictionaryAttr(
        {b.getNamedAttr("most", b.getI64IntegerAttr(each.most)),
         b.getNamedAttr("plan", each.plan)}));
  group->setDiscardableAttr(smallerAttr, b.getArrayAttr(entries));
}

//===-- Offers for further sizes ------------------------------------------===//

Size codegen::countedOf(RankedTensorType result) {
  Size count = 1;
  for (const Size &size : graph::sizesOf(result))
    if (!size.isFixed())
      count *= size;
  return count;
}

static Size countedIn(kernel::GroupOp group) {
  return countedOf(cast<RankedTensorType>(group.getResultTypes().front()));
}

namespace {
/// What planning for some sizes found.
struct Offer {
  StagePlan plan; ///< that takes the least time
  Time time;
  Time kept; ///< of the plan for larger sizes, by the least that is known
};

/// A plan that takes over from the one for more, and the nanoseconds of a
/// launch without and with it.
struct Candidate {
  SmallerPlan plan;
  Time before, after;
  int64_t threadScratch;
  unsigned number; ///< of the sizes that it is for
};

/// The time of a group for each of the further sizes, and what it would gain.
struct Prospects {
  SmallVector<Time> times;
  SmallVector<Candidate> candidates;
};
} // namespace

/// Zeros that buffers have around them for one plan are there for another.
static bool hasHalos(kernel::GroupOp group, const StagePlan &plan) {
  for (auto [i, halo] : llvm::enumerate(plan.halos)) {
    SmallVector<int64_t> wanted(halo.low);
    llvm::append_range(wanted, halo.high);
    ArrayRef<int64_t> has = group.getHalo(i);
    for (auto [k, width] : llvm::enumerate(wanted))
      if (width > (has.empty() ? 0 : has[k]))
        return false;
  }
  return true;
}

/// Whether a plan computes the group on what its own plan asks for.
static bool fits(kernel::GroupOp group, const StagePlan &plan) {
  if (plan.each || !plan.scratchBytes.empty() || !hasHalos(group, plan))
    return false;
  for (unsigned i = 0; i < group.getOperands_().size(); ++i)
    if ((i < plan.packs.size() ? plan.packs[i] : DictionaryAttr()) !=
        group.getPack(i))
      return false;
  return true;
}

static bool takesSymbols(const Strategy &strategy, kernel::GroupOp group) {
  return !strategy.isLastResort && strategy.takesSymbols &&
         strategy.matches(group) && strategy.takesSymbols(group);
}

/// Plans a group for further sizes, where it has `held`; none where what this
/// takes then is not known.
static std::optional<Offer> offerFor(kernel::GroupOp group, double number,
                                     kernel::PlanAttr held,
                                     const Device &device,
                                     const Arithmetic &arithmetic) {
  SizedGroup sized(group, number);
  sized.get().setPlanAttr(held);
  sized.get()->setDiscardableAttr(plannedAttr,
                                  UnitAttr::get(group.getContext()));
  PlanRequest request{sized.get(), device, device.thread(), arithmetic};
  request.isTypical = true;
  std::optional<Offer> best;
  std::optional<Time> kept;
  bool isExact = false;
  for (const Strategy *strategy : device.strategies()) {
    if (!takesSymbols(*strategy, group))
      continue;
    PlannedChoices choices = strategy->plan(request);
    if (failed(choices))
      return std::nullopt;
    for (StageChoice &choice : *choices) {
      bool isHeld = choice.result.plan == held;
      if (isHeld || (!isExact && strategy->name == held.getStrategy()))
        kept = choice.time;
      isExact |= isHeld;
      if (fits(group, choice.result) && (!best || choice.time < best->time))
        best = Offer{std::move(choice.result), choice.time, {}};
    }
  }
  if (!best || !kept)
    return std::nullopt;
  best->kept = *kept;
  return best;
}

/// The largest count that is nearer to the smaller one, as ratios go.
static int64_t between(int64_t less, int64_t more) {
  return int64_t(std::sqrt(double(less) * double(more)));
}

/// The most of what is counted for which `less`, made for further sizes
/// `number`, is taken in place of `more`, made for those before: sizes between
/// are asked where these are far apart.
static int64_t limitOf(kernel::GroupOp group, unsigned number,
                       kernel::PlanAttr less, kernel::PlanAttr more,
                       const Device &device, const Arithmetic &arithmetic) {
  constexpr int parts = 8;
  auto countAt = [&](double at) {
    return graph::TypicalSizes::around(group, at).of(countedIn(group));
  };
  auto timeOf = [&](kernel::PlanAttr plan, double at) {
    auto offer = offerFor(group, at, plan, device, arithmetic);
    return offer ? offer->kept : Time::infinite();
  };
  int64_t taken = countAt(number), beyond = countAt(number - 1);
  if (beyond <= 2 * taken)
    return between(taken, beyond);
  for (int part = 1; part < parts; ++part) {
    double at = number - double(part) / parts;
    if (timeOf(less, at) >= timeOf(more, at))
      return between(taken, countAt(at));
    taken = countAt(at);
  }
  return between(taken, beyond);
}

/// What a plan must save of a launch to be worth its code.
static constexpr double leastGain = 0.1;

static Prospects prospectsOf(kernel::GroupOp group, unsigned count,
                             const Device &device,
                             const Arithmetic &arithmetic) {
  Prospects result;
  result.times.resize(count);
  Size counted = countedIn(group);
  kernel::PlanAttr held = group.getPlanAttr();
  int64_t more = graph::TypicalSizes::around(group).of(counted);
  for (unsigned number = 1; number <= count; ++number) {
    int64_t now = graph::TypicalSizes::around(group, number).of(counted);
    if (now < 1 || now >= more)
      continue;
    auto offer = offerFor(group, number, held, device, arithmetic);
    if (!offer)
      continue;
    result.times[number - 1] = offer->kept;
    if (offer->plan.plan != held &&
        offer->time < offer->kept * (1 - leastGain)) {
      kernel::PlanAttr taken = offer->plan.plan;
      // Lists may come back to larger sizes of this group, which have a plan.
      int64_t most = std::min(
          more - 1, limitOf(group, number, taken, held, device, arithmetic));
      result.candidates.push_back({{most, taken},
                                   offer->kept,
                                   offer->time,
                                   offer->plan.threadScratch,
                                   number});
      held = taken;
    }
    more = now;
  }
  return result;
}

//===-- Programs ----------------------------------------------------------===//

/// Whether a group may have several plans: those of one index, of stages, and
/// those of which the run knows everything before, have one.
static bool maySize(kernel::GroupOp group) {
  return group.getPlanAttr() && !group.getEach() && !group.isStaged() &&
         group.getNumResults() > 0 && hasSymbols(group) &&
         !countedIn(group).isFixed();
}

/// Plans of all groups that pay for their code: of the time of all products,
/// in all launches of a kernel.
static constexpr double leastShare = 0.03;

namespace {
struct SizedKernel {
  Prospects prospects;
  SmallVector<kernel::GroupOp> groups;
};
} // namespace

static void keepWorthwhile(const SizedKernel &kernel, ArrayRef<Time> all) {
  SmallVector<SmallerPlan> plans;
  int64_t scratch = 0;
  for (const Candidate &each : llvm::reverse(kernel.prospects.candidates)) {
    double gain = (each.before.nanoseconds - each.after.nanoseconds) *
                  double(kernel.groups.size());
    if (gain < leastShare * all[each.number - 1].nanoseconds)
      continue;
    plans.push_back(each.plan);
    scratch = std::max(scratch, each.threadScratch);
  }
  if (plans.empty())
    return;
  for (kernel::GroupOp group : kernel.groups) {
    setSmaller(group, plans);
    scratch = std::max(scratch, int64_t(group.getThreadScratch().value_or(0)));
    if (scratch)
      group.setThreadScratch(scratch);
  }
}

void codegen::planForSizes(func::FuncOp function, const Device &device,
                           const Arithmetic &arithmetic) {
  unsigned count =
      graph::TypicalSizes::countFurther(function->getParentOfType<ModuleOp>());
  for (auto group : function.getOps<kernel::GroupOp>())
    group->removeDiscardableAttr(smallerAttr);
  if (count == 0)
    return;
  ScopedDiagnosticHandler silent(function.getContext(),
                                 [](Diagnostic &) { return success(); });
  llvm::MapVector<Attribute, SizedKernel> kernels;
  SmallVector<Time> all(count);
  for (auto group : function.getOps<kernel::GroupOp>()) {
    if (!maySize(group))
      continue;
    auto key = StringAttr::get(group.getContext(), structureOf(group));
    auto [known, isNew] = kernels.try_emplace(key);
    SizedKernel &kernel = known->second;
    if (isNew)
      kernel.prospects = prospectsOf(group, count, device, arithmetic);
    kernel.groups.push_back(group);
    for (auto [time, sum] : llvm::zip_equal(kernel.prospects.times, all))
      sum += time;
  }
  for (auto &[key, kernel] : kernels)
    keepWorthwhile(kernel, all);
}

//===-- Code --------------------------------------------------------------===//

/// That of few where what is counted is at most `most`, else that of many.
static Size choose(const Size &counted, int64_t most, const Size &few,
                   const Size &many, MLIRContext *context) {
  if (few == many)
    return few;
  Attribute beyond = graph::positivePart((counted - Size(most)).dim(context));
  Size isMore(graph::minDims(beyond, graph::sizeDim(context, 1)));
  return few + isMore * (many - few);
}

/// What holds for a launch of either; `many` becomes both.
static void join(const StageInfo &few, StageInfo &many, const Size &counted,
                 int64_t most, MLIRContext *context) {
  many.tiles = choose(counted, most, few.tiles, many.tiles, context);
  many.steps = choose(counted, most, few.steps, many.steps, context);
  llvm::erase_if(many.inPlace, [&](auto pair) {
    return !llvm::is_contained(few.inPlace, pair);
  });
  many.errorGrowth = std::max(few.errorGrowth, many.errorGrowth);
  many.oneCall |= few.oneCall;
}

static FailureOr<StageInfo> emitPlan(const StageRequest &request,
                                     kernel::PlanAttr plan) {
  StageRequest own = request;
  own.plan = plan;
  const Strategy *strategy =
      Backends::of(plan.getContext()).findStrategy(plan.getStrategy());
  return strategy ? strategy->emit(own)
                  : own.group.emitOpError("has no plan of any strategy");
}

/// With the plans from `plans` on, the least first, or for more than all.
static FailureOr<StageInfo> emitFrom(const StageRequest &request,
                                     const Size &counted,
                                     ArrayRef<SmallerPlan> plans) {
  if (plans.empty())
    return emitPlan(request, request.plan);
  const SmallerPlan &least = plans.front();
  kernel::GroupOp group = request.group;
  KernelBuilder &b = request.b;
  FailureOr<StageInfo> few = failure(), many = failure();
  Value isMore = b.less(b.index(least.most), b.index(counted));
  b.ifThen(
      isMore, [&] { many = emitFrom(request, counted, plans.drop_front()); },
      [&] { few = emitPlan(request, least.plan); });
  if (failed(few) || failed(many))
    return failure();
  join(*few, *many, counted, least.most, group.getContext());
  return many;
}

FailureOr<StageInfo> codegen::emitBySize(const StageRequest &request) {
  Size counted = countedIn(request.group);
  SmallVector<SmallerPlan> plans = smallerPlansOf(request.group);
  if (counted.isFixed())
    plans.clear();
  return emitFrom(request, counted, plans);
}
