//===- States.cpp - buffers that grow from run to run ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file decides which states grow in place. Input and output are then one
// buffer: what passed already lies where it would be copied to, and only what
// is new is written behind it.
//
//   present = concat(past, new)  (axis 1)      +-----------+---+-------+
//   with strides of the capacity               | past      |new| room  |
//                                              | past      |new| room  |
//                                              +-----------+---+-------+
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Graph.h"
#include "passes/Codegen/Groups/GroupInstance.h"
#include "passes/Codegen/Layout/InPlace.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

/// The result of a program, where a group makes it and nothing else is it.
static Value soleOutput(func::FuncOp function, unsigned number) {
  Operation *end = function.getBody().front().getTerminator();
  Value value = end->getOperand(number);
  auto isReturn = [&](OpOperand &use) { return use.getOwner() == end; };
  bool isSole = llvm::count_if(value.getUses(), isReturn) == 1;
  return isSole && value.getDefiningOp<kernel::GroupOp>() ? value : Value();
}

/// The concatenation that appends to `past` and does nothing else, or null.
static graph::ConcatOp appendTo(Value past, kernel::GroupOp group) {
  auto concat = cast_or_null<graph::ConcatOp>(concatIn(group));
  auto first =
      concat ? dyn_cast<BlockArgument>(concat->getOperand(0)) : BlockArgument();
  if (!first || group.getOperands_()[first.getArgNumber()] != past)
    return {};
  auto extent = [&](Value value) {
    return graph::sizesOf(value.getType())[concat.getAxis()];
  };
  return extent(past).isFixed() ? graph::ConcatOp() : concat;
}

/// Whether all that reads a value's storage counts with sizes that come with
/// the call: then strides may come with it, too.
static bool isReadBySizes(Value value) {
  return llvm::all_of(value.getUsers(), [](Operation *user) {
    if (auto group = dyn_cast<kernel::GroupOp>(user))
      return hasSymbols(group) && !group.getEach();
    return isa<func::ReturnOp>(user) ||
           (isView(user) && isReadBySizes(user->getResult(0)));
  });
}

/// As usersAccept, of what leaves the program with a buffer's own strides.
static bool readersAccept(Value value, const TensorPlace &place) {
  return llvm::all_of(value.getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    if (isa<func::ReturnOp>(user))
      return true;
    auto group = dyn_cast<kernel::GroupOp>(user);
    if (group)
      return groupAccepts(group, use.getOperandNumber(),
                          cast<RankedTensorType>(value.getType()), place);
    std::optional<TensorPlace> next = placeThrough(user, place);
    return next && usersAccept(user->getResult(0), *next);
  });
}

/// Whether all readers of both, and what appends, work with their places.
bool Layouts::holdsState(Value past, Value present) const {
  std::optional<TensorPlace> before = placeOf(past), after = placeOf(present);
  auto group = present.getDefiningOp<kernel::GroupOp>();
  return before && after && isReadBySizes(past) && isReadBySizes(present) &&
         readersAccept(past, *before) && readersAccept(present, *after) &&
         groupAccepts(group, group.getNumOperands(),
                      cast<RankedTensorType>(present.getType()), *after);
}

bool Layouts::tryPlaceState(graph::State &state) {
  auto input = graph::findInput(function, state.input.getValue());
  auto output = graph::findOutput(function, state.output.getValue());
  Value past = input ? function.getArgument(*input) : Value();
  Value present = output ? soleOutput(function, *output) : Value();
  if (!past || !present || halos.contains(past) || halos.contains(present))
    return false;
  auto group = present.getDefiningOp<kernel::GroupOp>();
  graph::ConcatOp concat = appendTo(past, group);
  if (!concat)
    return false;
  int64_t axis = concat.getAxis();
  Attribute extent =
      graph::sizesOf(present.getType())[axis].dim(function.getContext());
  // States of one length have one capacity, so that their kernels are one.
  auto room = StringAttr::get(function.getContext(),
                              "room(" + graph::dimText(extent) + ")");
  rooms[present] = {axis, graph::Size(room)};
  parts[past] = {group, 0};
  if (!holdsState(past, present)) {
    rooms.erase(present);
    parts.erase(past);
    return false;
  }
  placed.push_back(past);
  inPlace[group].push_back(0);
  state.axis = axis;
  state.room = room;
  return true;
}

unsigned Layouts::placeStates(MutableArrayRef<graph::State> states) {
  unsigned count = 0;
  for (graph::State &state : states) {
    if (!state.output ||
        (state.program && state.program.getValue() != function.getName()))
      continue;
    state.axis.reset();
    state.room = {};
    count += tryPlaceState(state);
  }
  return count;
}
