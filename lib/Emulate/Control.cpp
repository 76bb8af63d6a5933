//===- Control.cpp - branches, calls, ends --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file has what changes the order of operations, and what does nothing.
//===----------------------------------------------------------------------===//
#include "lib/Emulate/Decoder.h"
#include "lib/Emulate/Lanes.h"

#include <cstring>

using namespace tenon::emulate;

static Step jumpStep(Warp &, const Op &, Mask) { return Step::jump; }
static Step noStep(Warp &, const Op &, Mask) { return Step::next; }
static Step yieldStep(Warp &, const Op &, Mask) { return Step::yield; }

static void bra(Decoder &decoder, Op &op) {
  decoder.take("uni");
  decoder.needOperands(1, 1);
  op.run = jumpStep;
  op.role = Role::branch;
  decoder.branchTo(decoder.operand(0).text);
}

static Step indexStep(Warp &warp, const Op &op, Mask mask) {
  const auto &targets = warp.machine.program.branchTargets[op.value];
  const uint32_t *a = warp.from<uint32_t>(op.a);
  bool isWrong = false;
  eachLane(mask, [&](unsigned i) { isWrong |= a[i] >= targets.size(); });
  if (isWrong)
    return warp.fail(op, mask, "an index outside of the list of targets");
  warp.leave(mask);
  eachLane(mask, [&](unsigned i) { warp.place(targets[a[i]], Mask(1) << i); });
  return Step::moved;
}

static void brx(Decoder &decoder, Op &op) {
  bool isIndex = decoder.take("idx");
  decoder.take("uni");
  decoder.needOperands(2, 2);
  op.role = Role::indexBranch;
  if (isIndex)
    op.run = indexStep;
  op.a = decoder.source(0, 4);
  decoder.targetsOf(decoder.operand(1).text, op);
}

static Step exitStep(Warp &warp, const Op &, Mask mask) {
  warp.leave(mask);
  warp.end(mask);
  if (warp.alive == 0)
    warp.finishAsync(0);
  return Step::moved;
}

/// Copies parameters of all lanes from one place in local memory to another.
static void pass(Warp &warp, Mask mask, const std::vector<CallSlot> &from,
                 const std::vector<CallSlot> &to) {
  for (size_t p = 0; p < from.size(); ++p)
    eachLane(mask, [&](unsigned i) {
      std::memcpy(warp.localOf(i) + to[p].offset,
                  warp.localOf(i) + from[p].offset, to[p].size);
    });
}

static Step callStep(Warp &warp, const Op &op, Mask mask) {
  const Call &call = warp.machine.program.calls[op.value];
  const Function &to = warp.machine.program.functions[call.function];
  pass(warp, mask, call.arguments, to.arguments);
  uint32_t next = warp.machine.pcOf(op) + 1;
  forLanes(mask, warp.at<uint32_t>(to.returnTo),
           [=](unsigned) { return next; });
  warp.leave(mask);
  warp.place(to.begin, mask);
  return Step::moved;
}

static Step returnStep(Warp &warp, const Op &op, Mask mask) {
  const Program &program = warp.machine.program;
  uint32_t back[lanes];
  std::memcpy(back, warp.from<uint32_t>(op.a), sizeof(back));
  warp.leave(mask);
  eachLane(mask, [&](unsigned i) {
    const Call &call = program.calls[program.code[back[i] - 1].value];
    pass(warp, Mask(1) << i, program.functions[call.function].results,
         call.results);
    warp.place(back[i], Mask(1) << i);
  });
  return Step::moved;
}

static void ret(Decoder &decoder, Op &op) {
  decoder.take("uni");
  decoder.needOperands(0, 0);
  bool isFunction = decoder.function.returnTo != noRef;
  op.run = isFunction ? returnStep : exitStep;
  op.role = Role::exit;
  op.a = decoder.function.returnTo;
}

static void exitThread(Decoder &decoder, Op &op) {
  decoder.needOperands(0, 0);
  op.run = exitStep;
  op.role = Role::exit;
}

/// "call (result), name, (arguments)", with the lists in parentheses left out
/// where they are empty.
static void call(Decoder &decoder, Op &op) {
  decoder.take("uni");
  decoder.needOperands(1, 3);
  size_t name = decoder.operand(0).kind == Operand::list ? 1 : 0;
  Call site;
  if (name == 1)
    site.results = decoder.slotsOf(decoder.operand(0));
  if (decoder.operands() > name + 1)
    site.arguments = decoder.slotsOf(decoder.operand(name + 1));
  std::string callee(decoder.operand(name).text);
  op.run = callStep;
  op.value = int64_t(decoder.program.calls.size());
  decoder.module.calls.emplace_back(op.value, callee);
  decoder.function.callees.push_back(callee);
  decoder.program.calls.push_back(std::move(site));
}

static Step trapStep(Warp &warp, const Op &op, Mask mask) {
  return warp.fail(op, mask, "the kernel stops itself");
}

static void trap(Decoder &decoder, Op &op) {
  decoder.needOperands(0, 0);
  op.run = trapStep;
}

/// Registers of a warp are not counted here.
static void setmaxnreg(Decoder &decoder, Op &op) {
  decoder.takeOneOf({"inc", "dec"});
  decoder.take("sync");
  decoder.take("aligned");
  decoder.takeType();
  decoder.needOperands(1, 1);
  int64_t count = decoder.immediate(0);
  op.run = noStep;
  op.meet = Meet::all;
  if (count < 24 || count > 256 || count % 8)
    decoder.fail("setmaxnreg takes multiples of 8 from 24 to 256");
}

static void nanosleep(Decoder &decoder, Op &op) {
  decoder.takeType();
  decoder.needOperands(1, 1);
  op.run = yieldStep;
}

/// The kernels in front have ended: launches run one after the other.
static void griddepcontrol(Decoder &decoder, Op &op) {
  if (decoder.take("launch_dependents"))
    op.role = Role::gridLaunch;
  else if (decoder.take("wait"))
    op.role = Role::gridWait;
  else
    return;
  decoder.needOperands(0, 0);
  op.run = noStep;
}

/// Fences order what here is in order anyhow.
static void fence(Decoder &decoder, Op &op) {
  for (const char *word : {"sc",
                           "acq_rel",
                           "acquire",
                           "release",
                           "proxy",
                           "alias",
                           "async",
                           "global",
                           "shared::cta",
                           "shared::cluster",
                           "tensormap::generic",
                           "mbarrier_init",
                           "async::generic",
                           "sync_restrict::shared::cta",
                           "sync_restrict::shared::cluster",
                           "cluster",
                           "gl",
                           "level",
                           "generic",
                           "async.global",
                           "async.shared"})
    decoder.take(word);
  decoder.takeHints();
  decoder.needOperands(0, 2);
  op.run = noStep;
}

/// Prefetches and policies of caches.
static void hint(Decoder &decoder, Op &op) {
  for (const char *word :
       {"global", "local", "L1", "L2", "tensormap", "const", "param",
        "evict_last", "evict_normal", "global::generic", "128", "all"})
    decoder.take(word);
  decoder.takeHints();
  decoder.needOperands(0, 2);
  op.run = noStep;
}

/// A policy is a number that nobody looks at.
static Step policyStep(Warp &warp, const Op &op, Mask mask) {
  forLanes(mask, warp.at<uint64_t>(op.d), [](unsigned) { return 0; });
  return Step::next;
}

static void createpolicy(Decoder &decoder, Op &op) {
  decoder.take("fractional");
  decoder.takeHints();
  for (const char *word : {"L2::evict_unchanged", "L2::evict_first"})
    decoder.take(word);
  decoder.takeType();
  decoder.needOperands(1, 2);
  op.d = decoder.destination(0, 8);
  op.run = policyStep;
}

void tenon::emulate::addControl(DecodeTable &table) {
  table["bra"] = bra;
  table["brx"] = brx;
  table["ret"] = ret;
  table["exit"] = exitThread;
  table["call"] = call;
  table["trap"] = trap;
  table["setmaxnreg"] = setmaxnreg;
  table["nanosleep"] = nanosleep;
  table["griddepcontrol"] = griddepcontrol;
  table["fence"] = fence;
  table["membar"] = fence;
  table["prefetch"] = hint;
  table["prefetchu"] = hint;
  table["applypriority"] = hint;
  table["discard"] = hint;
  table["createpolicy"] = createpolicy;
}
