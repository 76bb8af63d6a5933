//===- Planning.cpp - a group and its plan --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Codegen/Planning.h"
#include "dialects/Graph/Graph.h"
#include "dialects/Graph/Roles.h"
#include "dialects/Graph/SizeAdvice.h"
#include "passes/Codegen/Backends.h"
#include "passes/Codegen/Groups/EachIndex.h"
#include "passes/Codegen/Groups/SizedGroup.h"
#include "passes/Codegen/Groups/Work.h"

using namespace mlir;
using namespace tenon;

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

codegen::PlannedChoices codegen::oneChoice(StagePlan plan, Time time) {
  return std::vector<StageChoice>{{std::move(plan), time}};
}

codegen::PlannedChoices codegen::theOnlyChoice(FailureOr<StagePlan> plan,
                                               const PlanRequest &request) {
  if (failed(plan))
    return failure();
  cost::StageCost cost = cost::estimate(workOf(request.group), request.target);
  return oneChoice(std::move(*plan), request.target.timeOf(cost.cycles));
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

/// Those that know all sizes but the first, which is a symbol: what they share
/// between threads cannot be shared between indices, too.
static LogicalResult enterEach(codegen::Contest &contest,
                               const codegen::PlanRequest &request,
                               int64_t typical) {
  codegen::GroupInstance one = codegen::instanceOfOneIndex(contest.group());
  codegen::PlanRequest ofOne{one.get(), request.device, request.target,
                             request.arithmetic};
  for (const codegen::Strategy *strategy : request.device.strategies()) {
    if (strategy->isLastResort || !strategy->matches(one.get()))
      continue;
    codegen::PlannedChoices choices = strategy->plan(ofOne);
    if (failed(choices))
      return failure();
    if (choices->empty() || !choices->front().result.scratchBytes.empty())
      continue;
    codegen::StageChoice &choice = choices->front();
    choice.result.each = true;
    choice.time *= double(typical);
    contest.enter((strategy->name + "_each").str(), std::move(choice));
  }
  return success();
}

/// Whether it computes the group, whose plan is made for an instance or not.
static bool takes(const codegen::Strategy &strategy, kernel::GroupOp group,
                  bool isInstance) {
  // What is equal for typical sizes may differ for others.
  return strategy.matches(group) &&
         (!isInstance || takesSymbols(strategy, group));
}

/// Asks the strategies that take what no other does.
static LogicalResult enterLastResort(codegen::Contest &contest,
                                     const codegen::PlanRequest &request) {
  for (const codegen::Strategy *strategy : request.device.strategies())
    if (strategy->isLastResort &&
        takes(*strategy, contest.group(), request.isTypical) &&
        failed(contest.enter(*strategy, request)))
      return failure();
  return success();
}

LogicalResult codegen::enterStrategies(Contest &contest, const Device &device,
                                       const tile::Target &target,
                                       const Arithmetic &arithmetic) {
  kernel::GroupOp group = contest.group();
  SizedGroup sized(group);
  if (failed(checkExtents(sized.get())))
    return failure();
  PlanRequest request{sized.get(), device, target, arithmetic};
  request.isTypical = sized.isInstance();
  for (const Strategy *strategy : device.strategies())
    if (!strategy->isLastResort &&
        takes(*strategy, group, sized.isInstance()) &&
        failed(contest.enter(*strategy, request)))
      return failure();
  if (Attribute dim = sized.isInstance() ? commonDim(group) : Attribute();
      dim && failed(enterEach(contest, request, sized.sizeOf(dim))))
    return failure();
  if (contest.isEmpty() && sized.isInstance() &&
      failed(enterLastResort(contest, request)))
    return failure();
  if (!contest.isEmpty())
    return success();
  return sized.isInstance()
             ? refuse(group)
             : group.emitOpError("has no strategy that computes it");
}

FailureOr<codegen::StagePlan> codegen::planStage(kernel::GroupOp group,
                                                 const Device &device,
                                                 const tile::Target &target,
                                                 const Arithmetic &arithmetic) {
  Measuring none;
  Contest contest(group, device, none);
  if (failed(enterStrategies(contest, device, target, arithmetic)))
    return failure();
  return std::move(contest.decide().result);
}

/// The halo behind a typical image may not be enough for others: as much as is
/// padded is enough for all, unless tiles stick out.
void codegen::widenHalos(kernel::GroupOp group, StagePlan &result) {
  const Strategy *strategy =
      Backends::of(group.getContext()).findStrategy(result.plan.getStrategy());
  if (strategy && strategy->adaptHalos)
    return strategy->adaptHalos(group, result);
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

LogicalResult codegen::planGroup(kernel::GroupOp group, const Device &device,
                                 const Measuring &measuring) {
  Contest contest(group, device, measuring);
  if (failed(device.enter(contest)))
    return failure();
  StagePlan plan = std::move(contest.decide().result);
  if (hasSymbols(group) && !plan.each)
    widenHalos(group, plan);
  setPlan(group, plan);
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
  group.setTime(plan.time.rounded());
  group.setCostsAttr(plan.costs);
  group.setHalosAttr(builder.getArrayAttr(halos));
  group.setPacksAttr(builder.getArrayAttr(packs));
  group.setScratch(plan.scratchBytes);
  group.removeThreadScratchAttr();
  if (plan.threadScratch)
    group.setThreadScratch(plan.threadScratch);
}

FailureOr<kernel::GroupOp> codegen::createCopy(OpBuilder &builder, Value value,
                                               const Device &device) {
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
  if (failed(planGroup(group, device)))
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
                                   const Device &device) {
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
    auto copy = createCopy(builder, output.get(), device);
    if (failed(copy))
      return failure();
    output.set(copy->getResult(0));
  }
  return success();
}
