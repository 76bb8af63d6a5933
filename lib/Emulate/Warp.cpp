//===- Warp.cpp - 32 lanes that run together ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file runs warps: it keeps diverged lanes apart and lets them meet again.
//===----------------------------------------------------------------------===//
#include "lib/Emulate/Machine.h"

#include <algorithm>
#include <bit>
#include <cstring>

using namespace tenon::emulate;

Warp::Warp(Machine &machine, Cta &cta, uint32_t index)
    : machine(machine), cta(cta), index(index),
      constants(machine.program.constants.data()) {
  uint32_t first = index * lanes;
  uint32_t count = std::min(cta.threads - first, lanes);
  alive = count == lanes ? allLanes : (Mask(1) << count) - 1;
  groups = {{machine.function.begin, alive, false}};
  asyncGroups.emplace_back();
}

Extent Warp::threadIndex(unsigned lane) const {
  uint32_t number = thread(lane);
  const Extent &block = machine.launch.block;
  return {number % block[0], number / block[0] % block[1],
          number / block[0] / block[1]};
}

static std::string text(const Extent &place) {
  return "(" + std::to_string(place[0]) + ", " + std::to_string(place[1]) +
         ", " + std::to_string(place[2]) + ")";
}

Step Warp::fail(const Op &op, Mask mask, const std::string &what) {
  if (machine.error.empty()) {
    unsigned lane = mask ? std::countr_zero(mask) : 0;
    machine.error = "kernel '" + machine.kernel.name + "', CTA " +
                    text(cta.index) + ", thread " + text(threadIndex(lane)) +
                    ", line " + std::to_string(op.line) + " '" +
                    std::string(machine.program.line(op.line)) + "': " + what;
  }
  return Step::failed;
}

void Warp::place(uint32_t pc, Mask mask) {
  if (!mask)
    return;
  auto at = std::lower_bound(
      groups.begin(), groups.end(), pc,
      [](const Group &group, uint32_t pc) { return group.pc < pc; });
  if (at != groups.end() && at->pc == pc) {
    at->mask |= mask;
    at->held = false;
    return;
  }
  groups.insert(at, {pc, mask, false});
}

void Warp::leave(Mask mask) {
  Group running = groups[current];
  groups.erase(groups.begin() + current);
  place(running.pc + 1, running.mask & ~mask);
}

void Warp::end(Mask mask) {
  alive &= ~mask;
  cta.liveThreads -= std::popcount(mask);
  ++machine.events;
  for (Group &group : groups)
    group.held = false;
}

void Warp::branch(const Op &op, Mask taken) {
  Group running = groups[current];
  groups.erase(groups.begin() + current);
  place(op.target, taken);
  place(running.pc + 1, running.mask & ~taken);
}

/// Chooses the group to run: the lowest one that waits for no others. After a
/// stop another one comes first, which may bring what the first waits for.
bool Warp::choose() {
  size_t found = groups.size();
  for (size_t i = 0; i < groups.size(); ++i) {
    if (groups[i].held)
      continue;
    if (found == groups.size() || groups[found].pc == stoppedPc)
      found = i;
    if (groups[found].pc != stoppedPc)
      break;
  }
  stoppedPc = UINT32_MAX;
  current = found;
  return found != groups.size();
}

/// Whether all lanes that take part in an operation are here.
bool Warp::meets(const Op &op, Mask here) {
  Mask needed = alive;
  if (op.meet == Meet::members) {
    Mask named = from<Mask>(op.e)[std::countr_zero(here)];
    needed &= named;
  }
  return (needed & ~here) == 0;
}

Step Warp::stop(Step step, const Op &op) {
  stopped = &op;
  stoppedPc = machine.pcOf(op) + (step == Step::yield);
  return step;
}

Step Warp::slice(uint32_t most) {
  const Op *code = machine.program.code.data();
  uint64_t done = 0, laneWork = 0;
  stopped = nullptr;
  Step result = Step::next;
  while (result == Step::next && alive && done < most) {
    if (!choose()) {
      const Op &op = code[groups[0].pc];
      result = fail(
          op, groups[0].mask,
          "lanes of the warp wait for each other: others are at "
          "line " +
              std::to_string(code[groups.back().pc].line) + " '" +
              std::string(machine.program.line(code[groups.back().pc].line)) +
              "'");
      break;
    }
    uint32_t pc = groups[current].pc;
    Mask here = groups[current].mask;
    uint32_t limit =
        current + 1 < groups.size() ? groups[current + 1].pc : UINT32_MAX;
    bool isAlone = groups.size() == 1;
    unsigned population = std::popcount(here);
    while (true) {
      const Op &op = code[pc];
      Mask active = here;
      if (op.guard != noRef) {
        Mask guard = *from<Mask>(op.guard);
        active &= op.guardNegated ? ~guard : guard;
      }
      if (op.meet != Meet::none && !isAlone && !meets(op, here)) {
        groups[current].pc = pc;
        groups[current].held = true;
        break;
      }
      ++done;
      laneWork += population;
      Step step = active ? op.run(*this, op, active) : Step::next;
      if (step == Step::next) {
        if (++pc < limit && done < most)
          continue;
      } else if (step == Step::jump) {
        if (active == here && isAlone) {
          pc = op.target;
          if (done < most)
            continue;
        } else {
          groups[current].pc = pc;
          branch(op, active);
          break;
        }
      } else if (step == Step::yield) {
        ++pc;
        result = stop(step, op);
      } else if (step == Step::moved)
        break;
      else
        result = step == Step::wait ? stop(step, op) : step;
      // Leave with the group at `pc`, joined to one that stands there.
      groups.erase(groups.begin() + current);
      place(pc, here);
      break;
    }
  }
  machine.work.instructions += done;
  machine.work.laneInstructions += laneWork;
  return result;
}

/// Copies arrive here, group by group, the oldest ones first.
void Warp::finishAsync(unsigned groupsLeft) {
  while (asyncGroups.size() > groupsLeft + 1) {
    for (const AsyncCopy &copy : asyncGroups.front())
      std::memcpy(copy.to, copy.data.data(), copy.bytes);
    asyncGroups.pop_front();
    ++machine.events;
  }
}
