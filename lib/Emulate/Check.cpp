//===- Check.cpp - what running a kernel does not show --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file follows facts along all paths through a kernel until they do not
// change any more, and reports where a rule is broken.
//===----------------------------------------------------------------------===//
#include "lib/Emulate/Check.h"

#include <algorithm>
#include <deque>

using namespace tenon::emulate;

namespace {

/// Registers that products still write to, with how many groups have been
/// committed since: 0 if not even their own.
using Flight = std::map<Ref, unsigned>;

/// What is known in front of an operation.
struct Facts {
  bool reached = false;
  bool waited = false; ///< griddepcontrol.wait is behind, on all paths
  bool synced = false; ///< or someone has been waited for who may have
  Flight flight;

  /// Joins what another path knows; whether that changes anything.
  bool join(const Facts &other);
};

class Checker {
public:
  Checker(const Program &program, const Kernel &kernel)
      : program(program), kernel(kernel), function(program.function(kernel)),
        facts(function.end - function.begin + 1) {}
  std::vector<std::string> run();

private:
  void visit(uint32_t pc);
  void after(const Op &op, uint32_t pc, Facts &known);
  void afterProducts(const Op &op, uint32_t pc, Flight &flight);
  void flowTo(uint32_t pc, const Facts &known);
  void report(const Op &op, const std::string &what);
  bool has(Role role) const;
  void checkBarriers();
  void checkGrid(const Op &op, const Facts &known);

  const Program &program;
  const Kernel &kernel;
  const Function &function;
  std::vector<Facts> facts; ///< by address from the function's begin on
  std::deque<uint32_t> work;
  bool hasGridWait = false, hasGridLaunch = false;
  bool isFinal = false; ///< facts are final: report
  std::vector<std::string> found;
};

} // namespace

bool Facts::join(const Facts &other) {
  if (!reached) {
    *this = other;
    return true;
  }
  bool isNew = (waited && !other.waited) || (synced && !other.synced);
  waited &= other.waited;
  synced &= other.synced;
  for (const auto &[ref, age] : other.flight) {
    auto [entry, isAdded] = flight.try_emplace(ref, age);
    isNew |= isAdded || age < entry->second;
    entry->second = std::min(entry->second, age);
  }
  return isNew;
}

void Checker::report(const Op &op, const std::string &what) {
  std::string text = "kernel '" + kernel.name + "', line " +
                     std::to_string(op.line) + " '" +
                     std::string(program.line(op.line)) + "': " + what;
  if (isFinal && std::find(found.begin(), found.end(), text) == found.end())
    found.push_back(text);
}

bool Checker::has(Role role) const {
  return std::any_of(program.code.begin() + function.begin,
                     program.code.begin() + function.end,
                     [&](const Op &op) { return op.role == role; });
}

void Checker::flowTo(uint32_t pc, const Facts &known) {
  if (!isFinal && pc < function.end && facts[pc - function.begin].join(known))
    work.push_back(pc);
}

/// Products in flight. Copies of their sums are in flight, too: register
/// allocation makes them one.
void Checker::afterProducts(const Op &op, uint32_t pc, Flight &flight) {
  const Ref *reads = program.reads.data();
  const Ref *writes = program.writes.data();
  unsigned age = UINT_MAX;
  for (uint32_t i = program.readBegins[pc]; i < program.readBegins[pc + 1]; ++i)
    if (auto entry = flight.find(reads[i]); entry != flight.end()) {
      age = entry->second;
      if (op.role != Role::copy)
        report(op, "reads a sum of wgmma before wgmma.wait_group");
    }
  for (uint32_t i = program.writeBegins[pc]; i < program.writeBegins[pc + 1];
       ++i) {
    if (op.role == Role::wgmma)
      flight[writes[i]] = 0;
    else if (op.guard == noRef)
      flight.erase(writes[i]);
    if (op.role == Role::copy && age != UINT_MAX)
      flight[writes[i]] = age;
  }
  if (op.role == Role::wgmmaCommit)
    for (auto &[ref, since] : flight)
      ++since;
  // Of n groups that may be left the oldest has been committed n times ago.
  if (op.role == Role::wgmmaWait)
    std::erase_if(flight,
                  [&](const auto &entry) { return entry.second > op.value; });
  if (op.role == Role::exit && op.guard == noRef && !flight.empty())
    report(op, "ends before wgmma.wait_group");
}

/// Kernels that are launched before the ones in front have ended.
void Checker::checkGrid(const Op &op, const Facts &known) {
  if (!hasGridWait && !hasGridLaunch)
    return;
  if (op.role == Role::globalWrite && !known.waited &&
      !(known.synced && hasGridWait))
    report(op, "writes global memory before griddepcontrol.wait");
  if (op.role == Role::globalRead && !known.waited)
    report(op, "reads global memory before griddepcontrol.wait");
}

void Checker::after(const Op &op, uint32_t pc, Facts &known) {
  checkGrid(op, known);
  afterProducts(op, pc, known.flight);
  if (op.role == Role::gridWait && op.guard == noRef)
    known.waited = true;
  if (op.role == Role::barrierWait || op.role == Role::barrierTest)
    known.synced = true;
}

void Checker::visit(uint32_t pc) {
  const Op &op = program.code[pc];
  Facts known = facts[pc - function.begin];
  after(op, pc, known);
  bool isOver = op.role == Role::branch || op.role == Role::indexBranch ||
                op.role == Role::exit;
  if (op.role == Role::branch)
    flowTo(op.target, known);
  if (op.role == Role::indexBranch)
    for (uint32_t target : program.branchTargets[op.value])
      flowTo(target, known);
  if (!isOver || op.guard != noRef)
    flowTo(pc + 1, known);
}

/// What can be said of mbarriers without their addresses; that a stage is
/// released once is seen when a kernel runs.
void Checker::checkBarriers() {
  auto first = [&](Role role) {
    return std::find_if(program.code.begin() + function.begin,
                        program.code.begin() + function.end,
                        [&](const Op &op) { return op.role == role; });
  };
  auto test = first(Role::barrierTest);
  if (test == program.code.begin() + function.end)
    return;
  if (!has(Role::barrierInit))
    report(*test, "waits for an mbarrier, and the kernel has no mbarrier.init");
  if (!has(Role::barrierArrive))
    report(*test, "waits for an mbarrier, and the kernel has no arrival");
}

std::vector<std::string> Checker::run() {
  hasGridWait = has(Role::gridWait);
  hasGridLaunch = has(Role::gridLaunch);
  Facts start;
  start.reached = true;
  flowTo(function.begin, start);
  while (!work.empty()) {
    uint32_t pc = work.front();
    work.pop_front();
    visit(pc);
  }
  isFinal = true;
  for (uint32_t pc = function.begin; pc < function.end; ++pc)
    if (facts[pc - function.begin].reached)
      visit(pc);
  checkBarriers();
  return found;
}

bool tenon::emulate::waitsForGrid(const Program &program,
                                  const Kernel &kernel) {
  const Function &function = program.function(kernel);
  return std::any_of(program.code.begin() + function.begin,
                     program.code.begin() + function.end,
                     [](const Op &op) { return op.role == Role::gridWait; });
}

std::vector<std::string> tenon::emulate::check(const Program &program) {
  std::vector<std::string> found;
  for (const Kernel &kernel : program.kernels)
    for (std::string &text : Checker(program, kernel).run())
      found.push_back(std::move(text));
  return found;
}
