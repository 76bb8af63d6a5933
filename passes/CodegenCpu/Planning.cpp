//===- Planning.cpp - a group and its plan --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenCpu/Planning.h"
#include "dialects/Graph/Graph.h"
#include "dialects/Graph/Roles.h"
#include "dialects/Graph/SizeAdvice.h"
#include "lib/Tile/Gpu.h"
#include "passes/CodegenCpu/EachIndex.h"
#include "passes/CodegenCpu/SizedGroup.h"
#include "passes/CodegenCpu/StageCost.h"
#include "passes/CodegenCpu/Strategies.h"
#include "passes/CodegenCpu/Winograd/Winograd.h"

using namespace mlir;
using namespace tenon;

std::optional<tile::Target>
codegen::requireTarget(ModuleOp module, StringRef name, int64_t threads) {
  if (const tile::GpuTarget *gpu = tile::findGpuTarget(name))
    return tile::threadOf(*gpu);
  const tile::Target *row = tile::findTarget(name);
  if (!row)
    module.emitError("no target '") << name << "' in the target table";
  bool areFew = threads >= 0 && threads <= tile::mostThreads;
  if (!areFew)
    module.emitError("cannot plan for ")
        << threads << " threads, only for 1 to " << tile::mostThreads;
  if (!row || !areFew)
    return std::nullopt;
  tile::Target target = *row;
  if (threads)
    target.threads = threads;
  return target;
}

std::optional<tile::WinogradUse> codegen::requireWinogradUse(ModuleOp module,
                                                             StringRef name) {
  std::optional<tile::WinogradUse> use = tile::parseWinogradUse(name);
  if (!use)
    module.emitError("winograd must be off, exact, safe or max, not '")
        << name << "'";
  return use;
}

static Attribute haloAttr(Builder &builder, const codegen::StagePlan &result,
                          unsigned index) {
  SmallVector<int64_t> widths;
  if (index < result.halos.size()) {
    llvm::append_range(widths, result.halos[index].low);
    llvm::append_range(widths, result.halos[index].high);
  }
  if (llvm::all_of(widths, [](int64_t width) { return width == 0; }))
    widths.clear();
  return builder.getDenseI64ArrayAttr(widths);
}

codegen::PlannedChoice codegen::theOnlyChoice(FailureOr<StagePlan> plan,
                                              const PlanRequest &request) {
  if (failed(plan))
    return failure();
  cost::StageCost cost = cost::estimate(workOf(request.group), request.target);
  return std::optional(StageChoice{std::move(*plan), cost.cycles});
}

/// The cycles of every strategy that could compute the group, by name.
static DictionaryAttr costsOf(MLIRContext *context,
                              ArrayRef<std::pair<std::string, double>> costs) {
  Builder b(context);
  NamedAttrList list;
  for (auto [name, cycles] : costs)
    list.append(name, b.getI64IntegerAttr(int64_t(std::llround(cycles))));
  return list.getDictionary(context);
}

/// Products and windows divide by their extents. Results that are empty or sums
/// of nothing are constants (tenon-fold-constants).
static LogicalResult checkExtents(kernel::GroupOp group) {
  Operation *anchor = group.getAnchor();
  if (!anchor || graph::roleOf(anchor) == graph::Role::Recurrence)
    return success();
  for (Type type :
       llvm::concat<const Type>(SmallVector<Type>(group->getOperandTypes()),
                                SmallVector<Type>(group->getResultTypes())))
    if (graph::isEmpty(type))
      return group.emitOpError("around '")
             << anchor->getName() << "' has an empty tensor, " << type;
  return success();
}

static bool takesSymbols(const codegen::Strategy &strategy,
                         kernel::GroupOp group) {
  return strategy.takesSymbols && strategy.takesSymbols(group);
}

/// What computes such a group wants to know its sizes.
static LogicalResult refuse(kernel::GroupOp group) {
  graph::SizeAdvice advice(group->getParentOfType<FunctionOpInterface>());
  for (Type type : group->getOperandTypes())
    advice.add(type);
  for (Type type : group->getResultTypes())
    advice.add(type);
  return group.emitError("no kernel computes this for sizes that are known in "
                         "the run only; what fixes them:")
         << advice.lines();
}

namespace {
/// The cheapest choice so far, and what each strategy offered.
struct Contest {
  kernel::GroupOp group;
  const tile::Target &target;
  const codegen::Arithmetic &arithmetic;
  bool isTypical = false;
  std::optional<codegen::StagePlan> best = {};
  double least = std::numeric_limits<double>::infinity();
  SmallVector<std::pair<std::string, double>> costs = {};

  LogicalResult enter(const codegen::Strategy &strategy, kernel::GroupOp sized);
};
} // namespace

/// `sized` is what the strategy plans for.
LogicalResult Contest::enter(const codegen::Strategy &strategy,
                             kernel::GroupOp sized) {
  codegen::PlannedChoice choice =
      strategy.plan({sized, target, arithmetic, least, isTypical});
  if (failed(choice))
    return failure();
  if (!*choice)
    return success();
  costs.push_back({strategy.name.str(), (*choice)->cycles});
  if (best && (*choice)->cycles >= least)
    return success();
  best = std::move((*choice)->result);
  least = (*choice)->cycles;
  return success();
}

/// Those that know all sizes but the first, which is a symbol: what they share
/// between threads cannot be shared between indices, too.
static LogicalResult enterEach(Contest &contest, int64_t typical) {
  codegen::GroupInstance one = codegen::instanceOfOneIndex(contest.group);
  for (const codegen::Strategy *strategy : codegen::strategies()) {
    if (!strategy->matches(one.get()))
      continue;
    Contest alone{contest.group, contest.target, contest.arithmetic};
    if (failed(alone.enter(*strategy, one.get())))
      return failure();
    if (!alone.best || !alone.best->scratchBytes.empty())
      continue;
    double cycles = alone.least * double(typical);
    contest.costs.push_back({(strategy->name + "_each").str(), cycles});
    if (contest.best && cycles >= contest.least)
      continue;
    contest.best = std::move(alone.best);
    contest.best->each = true;
    contest.least = cycles;
  }
  return success();
}

/// Strategies that compete are told by what stands in the group; of those, the
/// one that is expected to take the fewest cycles is chosen here and nowhere
/// else.
FailureOr<codegen::StagePlan> codegen::planStage(kernel::GroupOp group,
                                                 const tile::Target &target,
                                                 const Arithmetic &arithmetic) {
  SizedGroup sized(group);
  if (failed(checkExtents(sized.get())))
    return failure();
  Contest contest{group, target, arithmetic, sized.isInstance()};
  for (const Strategy *strategy : strategies()) {
    // What is equal for typical sizes may differ for others.
    if (!strategy->matches(group) ||
        (sized.isInstance() && !takesSymbols(*strategy, group)))
      continue;
    if (failed(contest.enter(*strategy, sized.get())))
      return failure();
  }
  if (Attribute dim = sized.isInstance() ? commonDim(group) : Attribute();
      dim && failed(enterEach(contest, sized.sizeOf(dim))))
    return failure();
  if (!contest.best)
    return sized.isInstance()
               ? refuse(group)
               : group.emitOpError("has no strategy that computes it");
  contest.best->costs = costsOf(group.getContext(), contest.costs);
  return std::move(*contest.best);
}

/// The halo behind a typical image may not be enough for others: as much as is
/// padded is enough for all, unless tiles stick out.
void codegen::widenHalos(kernel::GroupOp group, StagePlan &result) {
  if (result.plan.getStrategy() == winogradStrategy.name)
    return widenWinogradHalo(group, result);
  Operation *anchor = group.getAnchor();
  auto pads = anchor ? anchor->getAttrOfType<DenseI64ArrayAttr>("pads")
                     : DenseI64ArrayAttr();
  if (!pads)
    return;
  ArrayRef<int64_t> behind = pads.asArrayRef().drop_front(pads.size() / 2);
  for (StagePlan::Halo &halo : result.halos)
    if (halo.high.size() == behind.size() + 2)
      for (auto [high, pad] : llvm::zip_equal(
               MutableArrayRef(halo.high).slice(1, behind.size()), behind))
        high = std::max(high, pad);
}

LogicalResult codegen::planGroup(kernel::GroupOp group,
                                 const tile::Target &target,
                                 const Arithmetic &arithmetic) {
  FailureOr<StagePlan> result = planStage(group, target, arithmetic);
  if (failed(result))
    return failure();
  if (hasSymbols(group) && !result->each)
    widenHalos(group, *result);
  setPlan(group, *result);
  return success();
}

void codegen::setPlan(kernel::GroupOp group, const StagePlan &plan) {
  group.setEach(plan.each);
  Builder builder(group.getContext());
  SmallVector<Attribute> halos, packs;
  for (unsigned i = 0; i < group.getOperands_().size(); ++i) {
    halos.push_back(haloAttr(builder, plan, i));
    bool packed = i < plan.packs.size() && plan.packs[i];
    packs.push_back(packed ? Attribute(plan.packs[i]) : builder.getUnitAttr());
  }
  group.setPlanAttr(plan.plan);
  group.setCostsAttr(plan.costs);
  group.setHalosAttr(builder.getArrayAttr(halos));
  group.setPacksAttr(builder.getArrayAttr(packs));
  group.setScratch(plan.scratchBytes);
  group.removeThreadScratchAttr();
  if (plan.threadScratch)
    group.setThreadScratch(plan.threadScratch);
}

FailureOr<kernel::GroupOp> codegen::createCopy(OpBuilder &builder, Value value,
                                               const tile::Target &target) {
  Location loc = value.getLoc();
  Type type = value.getType();
  auto group = kernel::GroupOp::create(builder, loc, type, value);
  OpBuilder::InsertionGuard guard(builder);
  Block *body = &group.getBody().emplaceBlock();
  builder.setInsertionPointToEnd(body);
  SmallVector<int64_t> identity(cast<RankedTensorType>(type).getRank());
  std::iota(identity.begin(), identity.end(), 0);
  Value copy = graph::TransposeOp::create(
      builder, loc, type, body->addArgument(type, loc), identity);
  kernel::YieldOp::create(builder, loc, copy);
  if (failed(planGroup(group, target)))
    return failure();
  return group;
}

Value codegen::viewRoot(Value value) {
  while (isa_and_nonnull<graph::ReshapeOp, graph::BitcastOp>(
      value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  return value;
}

LogicalResult codegen::copyOutputs(func::FuncOp function,
                                   const tile::Target &target) {
  Operation *terminator = function.getBody().front().getTerminator();
  OpBuilder builder(terminator);
  llvm::DenseSet<Value> taken;
  for (OpOperand &output : terminator->getOpOperands()) {
    Value root = viewRoot(output.get());
    if (root.getDefiningOp<kernel::GroupOp>() && taken.insert(root).second)
      continue;
    if (!isa<RankedTensorType>(output.get().getType()))
      return terminator->emitError("result ")
             << output.getOperandNumber() << " is not a ranked tensor";
    auto copy = createCopy(builder, output.get(), target);
    if (failed(copy))
      return failure();
    output.set(copy->getResult(0));
  }
  return success();
}
