//===- UpdateStates.cpp - let states be overwritten where they lie --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Memory/LaunchProgram.h"
#include "passes/Memory/Passes.h"
#include "passes/Memory/Updates.h"

#include "dialects/Graph/GraphSteps.h"
#include "dialects/Graph/Programs.h"

namespace tenon::memory {
#define GEN_PASS_DEF_UPDATESTATESPASS
#include "passes/Memory/Passes.h.inc"
} // namespace tenon::memory

using namespace mlir;
using namespace tenon;
using namespace tenon::memory;
using kernel::LaunchOp;

/// The most bytes that live at once.
static int64_t peakOf(func::FuncOp main) {
  std::vector<int64_t> changes(momentsOf(main).size() + 2);
  for (const LiveBuffer &buffer : computeLiveness(main)) {
    changes[buffer.first] += buffer.bytes;
    changes[buffer.last + 1] -= buffer.bytes;
  }
  int64_t now = 0, peak = 0;
  for (int64_t change : changes)
    peak = std::max(peak, now += change);
  return peak;
}

namespace {
class Updater {
public:
  Updater(func::FuncOp main, bool keepPeak) : main(main), keepPeak(keepPeak) {}

  unsigned numMoved = 0;

  void run(MutableArrayRef<graph::State> states) {
    // Those that cost nothing first: the others may not pass them.
    for (graph::State &state : states)
      if (isOurs(state) && usesOf(main, state).canUpdate())
        accept(state);
    for (graph::State &state : states)
      if (isOurs(state) && !state.isUpdated && postpone(usesOf(main, state)))
        accept(state);
  }

private:
  func::FuncOp main;
  bool keepPeak;
  SmallVector<std::pair<Place, Place>> updated; ///< inputs, outputs

  bool isOurs(const graph::State &state) {
    return state.output && !state.axis &&
           (!state.program || state.program.getValue() == main.getName());
  }

  void accept(graph::State &state) {
    state.isUpdated = true;
    updated.push_back(
        {inputPlace(main, state.input), outputPlace(main, state.output)});
  }

  /// With one place for both tensors of a state that is updated.
  Place sharedPlaceOf(Value buffer) {
    Place place = placeOf(buffer);
    for (auto [input, output] : updated)
      if (place == input)
        return output;
    return place;
  }

  bool mustPrecede(LaunchOp before, LaunchOp after);
  SmallVector<LaunchOp> dependents(LaunchOp writer, LaunchOp late);
  bool postpone(const UpdateUses &uses);
};
} // namespace

/// Whether one launch writes what the other one uses.
bool Updater::mustPrecede(LaunchOp before, LaunchOp after) {
  unsigned reads = before.getReads().size(), others = after.getReads().size();
  for (auto [i, buffer] : llvm::enumerate(before->getOperands()))
    for (auto [k, other] : llvm::enumerate(after->getOperands()))
      if ((i >= reads || k >= others) &&
          sharedPlaceOf(buffer) == sharedPlaceOf(other))
        return true;
  return false;
}

/// The launch and all up to `late` that cannot run before it; none where it
/// cannot run behind `late`, or something that checks would come with it.
SmallVector<LaunchOp> Updater::dependents(LaunchOp writer, LaunchOp late) {
  SmallVector<LaunchOp> moved{writer};
  for (Operation *op = writer->getNextNode();; op = op->getNextNode()) {
    auto launch = dyn_cast<LaunchOp>(op);
    bool depends = launch && llvm::any_of(moved, [&](LaunchOp before) {
                     return mustPrecede(before, launch);
                   });
    if (depends && (launch == late || isChecked(launch)))
      return {};
    if (depends)
      moved.push_back(launch);
    if (op == late)
      return moved;
  }
}

/// Moves what writes a state behind what must come before, if that pays.
bool Updater::postpone(const UpdateUses &uses) {
  if (!uses.writer)
    return false;
  if (!uses.late)
    return true;
  SmallVector<LaunchOp> moved = dependents(uses.writer, uses.late);
  if (moved.empty())
    return false;
  int64_t before = peakOf(main);
  SmallVector<Operation *> followers;
  Operation *last = uses.late;
  for (LaunchOp launch : moved) {
    followers.push_back(launch->getNextNode());
    launch->moveAfter(last);
    last = launch;
  }
  if (peakOf(main) - before <= (keepPeak ? 0 : uses.bytes)) {
    numMoved += moved.size();
    return true;
  }
  for (auto [launch, follower] : llvm::reverse(llvm::zip(moved, followers)))
    launch->moveBefore(follower);
  return false;
}

namespace {
struct UpdateStates : memory::impl::UpdateStatesPassBase<UpdateStates> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<graph::State> states = graph::statesOf(getOperation());
    if (states.empty())
      return;
    for (func::FuncOp main : graph::programs(getOperation())) {
      if (graph::isStepsBody(main) || !runsInOrder(main))
        continue;
      Updater updater(main, keepPeak);
      updater.run(states);
      numMoved += updater.numMoved;
    }
    numUpdated += llvm::count_if(
        states, [](const graph::State &state) { return state.isUpdated; });
    graph::setStates(getOperation(), states);
  }
};
} // namespace
