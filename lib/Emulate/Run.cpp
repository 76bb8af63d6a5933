//===- Run.cpp - launches -------------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file checks launches, and gives CTAs to threads where that cannot
// change what they compute.
//===----------------------------------------------------------------------===//
#include "lib/Emulate/Machine.h"

#include <algorithm>
#include <thread>

using namespace tenon;
using namespace tenon::emulate;

static constexpr uint32_t mostSharedBytes = 227 * 1024;

static uint64_t volume(const Extent &extent) {
  return uint64_t(extent[0]) * extent[1] * extent[2];
}

static std::string text(const Extent &extent) {
  return std::to_string(extent[0]) + " x " + std::to_string(extent[1]) + " x " +
         std::to_string(extent[2]);
}

/// What a driver would refuse, as text; empty if all is well.
static std::string wrongWith(const Kernel &kernel, const Launch &launch,
                             size_t parameterBytes) {
  uint64_t threads = volume(launch.block);
  if (threads == 0 || threads > 1024 || threads > kernel.maxThreads)
    return "CTAs of " + std::to_string(threads) + " threads; " +
           std::to_string(std::min(kernel.maxThreads, 1024u)) + " are allowed";
  if (kernel.requiredThreads[0] && kernel.requiredThreads != launch.block)
    return "CTAs of " + text(launch.block) + " threads; they must be " +
           text(kernel.requiredThreads);
  if (volume(launch.grid) == 0)
    return "a grid of " + text(launch.grid) + " CTAs";
  uint64_t cluster = volume(launch.cluster);
  if (cluster == 0 || cluster > 16)
    return "clusters of " + text(launch.cluster) + " CTAs";
  for (unsigned i = 0; i < 3; ++i)
    if (launch.grid[i] % launch.cluster[i])
      return "a grid of " + text(launch.grid) + " CTAs in clusters of " +
             text(launch.cluster);
  if (kernel.clusterRequired && kernel.cluster != launch.cluster)
    return "clusters of " + text(launch.cluster) + " CTAs; they must be " +
           text(kernel.cluster);
  if (launch.dynamicShared + kernel.sharedBytes > mostSharedBytes)
    return std::to_string(launch.dynamicShared + kernel.sharedBytes) +
           " bytes of shared memory; there are " +
           std::to_string(mostSharedBytes);
  if (parameterBytes != kernel.parameterBytes)
    return std::to_string(parameterBytes) + " bytes of parameters; they are " +
           std::to_string(kernel.parameterBytes);
  return {};
}

/// Whether the order of CTAs can matter to this kernel.
static bool isOrdered(const Program &program, const Kernel &kernel) {
  const Function &entry = program.function(kernel);
  for (const Function &function : program.functions) {
    if (function.returnTo == noRef && &function != &entry)
      continue;
    for (uint32_t pc = function.begin; pc < function.end; ++pc)
      if (program.code[pc].ordered)
        return true;
  }
  return false;
}

/// Each thread has a machine and runs every n-th CTA; of several errors the
/// one of the lowest CTA is reported, as one thread would.
static Status runOnThreads(const Kernel &kernel, const Launch &launch,
                           std::span<const uint8_t> parameters, Memory &memory,
                           unsigned count, Work &work) {
  uint64_t ctas = volume(launch.grid);
  std::vector<std::unique_ptr<Machine>> machines;
  std::vector<uint64_t> failedAt(count, UINT64_MAX);
  for (unsigned i = 0; i < count; ++i)
    machines.push_back(
        std::make_unique<Machine>(kernel, launch, parameters, memory));
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < count; ++i)
    threads.emplace_back([&, i] {
      uint64_t first = ctas * i / count, last = ctas * (i + 1) / count;
      if (!machines[i]->run(first, last))
        failedAt[i] = first;
    });
  for (std::thread &thread : threads)
    thread.join();
  for (const std::unique_ptr<Machine> &machine : machines) {
    work.instructions += machine->work.instructions;
    work.laneInstructions += machine->work.laneInstructions;
  }
  auto failed = std::min_element(failedAt.begin(), failedAt.end());
  if (*failed != UINT64_MAX)
    return Error{machines[failed - failedAt.begin()]->error};
  return Done();
}

Status tenon::emulate::run(const Kernel &kernel, const Launch &launch,
                           std::span<const uint8_t> parameters, Memory &memory,
                           Work *work) {
  std::string wrong = wrongWith(kernel, launch, parameters.size());
  const Program &program = *kernel.program;
  if (wrong.empty() && !program.loaded && !program.globals.empty())
    wrong = "a module that is not loaded";
  if (!wrong.empty())
    return Error{"launch of '" + kernel.name + "' with " + wrong};
  Work done;
  uint64_t ctas = volume(launch.grid);
  unsigned threads = std::min<uint64_t>(launch.cpuThreads, ctas);
  if (threads > 1 && !launch.cooperative && volume(launch.cluster) == 1 &&
      !isOrdered(program, kernel)) {
    Status status =
        runOnThreads(kernel, launch, parameters, memory, threads, done);
    if (work)
      *work = done;
    return status;
  }
  Machine machine(kernel, launch, parameters, memory);
  bool isDone = machine.run(0, ctas);
  if (work)
    *work = machine.work;
  if (!isDone)
    return Error{machine.error};
  return Done();
}
