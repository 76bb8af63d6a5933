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
          {"streams", &facts.streams},
          {"waits", &facts.waits},
          {"waves", &facts.waves}};
}

void kernel::setSchedule(func::FuncOp main, const ScheduleFacts &facts) {
  Builder b(main.getContext());
  ScheduleFacts copy = facts;
  SmallVector<NamedAttribute> entries;
  for (auto [name, number] : numbersOf(copy))
    entries.push_back(b.getNamedAttr(name, b.getI64IntegerAttr(*number)));
  entries.push_back(b.getNamedAttr("way", b.getStringAttr(facts.way)));
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
  return facts;
}

LogicalResult kernel::verifySchedule(Operation *op, Attribute attribute) {
  auto entries = dyn_cast<DictionaryAttr>(attribute);
  ScheduleFacts facts;
  if (isa<func::FuncOp>(op) && entries && entries.getAs<StringAttr>("way") &&
      llvm::all_of(numbersOf(facts), [&](auto number) {
        return bool(entries.getAs<IntegerAttr>(number.first));
      }))
    return success();
  return op->emitOpError("needs a program and a way and its numbers for '")
         << scheduledAttr << "'";
}
