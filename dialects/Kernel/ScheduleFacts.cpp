//===- ScheduleFacts.cpp - what a schedule is predicted to be -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Kernel/ScheduleFacts.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::kernel;

/// The numbers, by what they are called in the attribute.
static std::vector<std::pair<StringRef, int64_t *>>
numbersOf(ScheduleFacts &facts) {
  return {{"in_turn", &facts.inTurn},
          {"launches_in_waves", &facts.launchesInWaves},
          {"nanoseconds", &facts.nanoseconds},
          {"saved_by_waves", &facts.savedByWaves},
          {"streams", &facts.streams},
          {"waits", &facts.waits},
          {"waves", &facts.waves}};
}

//===-- Details -----------------------------------------------------------===//

static constexpr llvm::StringLiteral detailsName = "details";
static constexpr int64_t numbersOfStep = 4, numbersOfPoint = 2;

static DictionaryAttr toAttr(Builder &b, const ScheduleDetails &details) {
  SmallVector<int64_t> steps, front;
  for (const StepFacts &step : details.steps)
    steps.append({step.begin, step.end, step.launches, step.inTurn});
  for (const Predicted &point : details.front)
    front.append({point.nanoseconds, point.bytes});
  return b.getDictionaryAttr(
      {b.getNamedAttr("front", b.getDenseI64ArrayAttr(front)),
       b.getNamedAttr("least_bytes", b.getI64IntegerAttr(details.leastBytes)),
       b.getNamedAttr("order_bytes", b.getI64IntegerAttr(details.orderBytes)),
       b.getNamedAttr("steps", b.getDenseI64ArrayAttr(steps))});
}

/// None if something is missing.
static std::optional<ScheduleDetails> detailsOf(Attribute attribute) {
  auto entries = dyn_cast<DictionaryAttr>(attribute);
  if (!entries)
    return std::nullopt;
  auto steps = entries.getAs<DenseI64ArrayAttr>("steps"),
       front = entries.getAs<DenseI64ArrayAttr>("front");
  auto order = entries.getAs<IntegerAttr>("order_bytes"),
       least = entries.getAs<IntegerAttr>("least_bytes");
  if (!steps || !front || !order || !least ||
      steps.size() % numbersOfStep != 0 || front.size() % numbersOfPoint != 0)
    return std::nullopt;
  ScheduleDetails details{{}, {}, order.getInt(), least.getInt()};
  for (int64_t at = 0; at < steps.size(); at += numbersOfStep)
    details.steps.push_back(
        {steps[at], steps[at + 1], steps[at + 2], steps[at + 3]});
  for (int64_t at = 0; at < front.size(); at += numbersOfPoint)
    details.front.push_back({front[at], front[at + 1]});
  return details;
}

//===-- Facts -------------------------------------------------------------===//

void kernel::setSchedule(func::FuncOp main, const ScheduleFacts &facts) {
  Builder b(main.getContext());
  ScheduleFacts copy = facts;
  SmallVector<NamedAttribute> entries;
  for (auto [name, number] : numbersOf(copy))
    entries.push_back(b.getNamedAttr(name, b.getI64IntegerAttr(*number)));
  entries.push_back(b.getNamedAttr("way", b.getStringAttr(facts.way)));
  if (facts.details)
    entries.push_back(b.getNamedAttr(detailsName, toAttr(b, *facts.details)));
  main->setAttr(scheduledAttr, b.getDictionaryAttr(entries));
}

std::optional<ScheduleFacts> kernel::scheduleOf(func::FuncOp main) {
  auto entries = main->getAttrOfType<DictionaryAttr>(scheduledAttr);
  if (!entries)
    return std::nullopt;
  ScheduleFacts facts;
  if (auto way = entries.getAs<StringAttr>("way"))
    facts.way = way.str();
  for (auto [name, number] : numbersOf(facts))
    if (auto stated = entries.getAs<IntegerAttr>(name))
      *number = stated.getInt();
  if (Attribute details = entries.get(detailsName))
    facts.details = detailsOf(details);
  return facts;
}

LogicalResult kernel::verifySchedule(Operation *op, Attribute attribute) {
  auto entries = dyn_cast<DictionaryAttr>(attribute);
  ScheduleFacts facts;
  Attribute details = entries ? entries.get(detailsName) : Attribute();
  if (details && !detailsOf(details))
    return op->emitOpError("needs steps by four numbers, a front by two, and "
                           "two numbers of bytes for the details of '")
           << scheduledAttr << "'";
  if (isa<func::FuncOp>(op) && entries && entries.getAs<StringAttr>("way") &&
      llvm::all_of(numbersOf(facts), [&](auto number) {
        return bool(entries.getAs<IntegerAttr>(number.first));
      }))
    return success();
  return op->emitOpError("needs a program and a way and its numbers for '")
         << scheduledAttr << "'";
}
