//===- Emulator.h - runs PTX on the CPU -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is what the emulator offers: modules of PTX, and launches of their
// kernels on a Memory. It is for tests where there is no GPU: kernels compute
// what they would compute there, and what they must not do is an error with
// the kernel, the CTA, the thread and the line of PTX.
//
//   Result<Module> module = Module::parse(text);
//   if (Status done = module->load(memory); !done) ...
//   const Kernel *kernel = module->find("k");
//   Status done = run(*kernel, launch, {bytes, size}, memory);
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_EMULATE_EMULATOR_H
#define TENON_LIB_EMULATE_EMULATOR_H

#include "lib/Emulate/Memory.h"
#include "lib/Emulate/TensorMap.h"
#include "lib/Support/Result.h"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::emulate {

class Program;

/// x, y, z.
using Extent = std::array<uint32_t, 3>;

struct Parameter {
  std::string name;
  uint32_t offset = 0; ///< in the bytes that run() is given
  uint32_t size = 0;
  uint32_t alignment = 1;
};

/// An entry of a module; lives as long as the module does.
struct Kernel {
  std::string name;
  std::vector<Parameter> parameters;
  uint32_t parameterBytes = 0; ///< of all parameters, aligned
  uint32_t maxThreads = 1024;  ///< of a CTA: .maxntid or .reqntid
  Extent requiredThreads = {}; ///< .reqntid; zeroes: any
  Extent cluster = {1, 1, 1};  ///< .reqnctapercluster
  bool clusterRequired = false;
  uint32_t sharedBytes = 0; ///< static variables in shared memory
  uint32_t localBytes = 0;  ///< of a thread
  /// Of kernels that are launched with programmatic edges: whether
  /// griddepcontrol.wait occurs in them at all.
  bool waitsForGrid = false;
  const Program *program = nullptr;
  uint32_t entry = 0; ///< its number in the program
};

/// A variable of a module in global memory; addresses since load().
struct Global {
  std::string name;
  uint64_t address = 0;
  uint64_t size = 0;
};

class Module {
public:
  /// Errors name the line. `text` may end with a zero.
  static Result<Module> parse(std::string_view text);
  Module(Module &&);
  Module &operator=(Module &&);
  ~Module();

  /// The kernel of this name, or null.
  const Kernel *find(std::string_view name) const;
  const std::vector<Kernel> &kernels() const;

  /// Allocates and fills the module's variables in `.global` and `.const`;
  /// once, before the first run().
  Status load(Memory &memory);
  /// Frees them.
  Status unload(Memory &memory);
  const Global *findGlobal(std::string_view name) const;

  /// What static checks find (Check.h): a sentence each; empty if all is well.
  std::vector<std::string> check() const;

private:
  explicit Module(std::unique_ptr<Program> program);
  std::unique_ptr<Program> program;
};

struct Launch {
  Extent grid = {1, 1, 1};    ///< CTAs
  Extent block = {1, 1, 1};   ///< threads of a CTA
  Extent cluster = {1, 1, 1}; ///< CTAs of a cluster
  uint32_t dynamicShared = 0; ///< bytes
  /// All CTAs run side by side and may wait for each other.
  bool cooperative = false;
  /// CPU threads that run CTAs side by side, for kernels whose results cannot
  /// depend on it (no atomics, no volatile accesses, one CTA a cluster).
  unsigned cpuThreads = 1;
  /// A launch that does more is an error; 0: no limit.
  uint64_t mostInstructions = 0;
};

/// What a launch did, for reports and tests.
struct Work {
  uint64_t instructions = 0;     ///< of warps
  uint64_t laneInstructions = 0; ///< of threads
};

/// Runs a kernel to its end. `parameters` are laid out as Kernel::parameters
/// says. After an error the contents of the memory are whatever the kernel
/// has left there.
Status run(const Kernel &kernel, const Launch &launch,
           std::span<const uint8_t> parameters, Memory &memory,
           Work *work = nullptr);

} // namespace tenon::emulate

#endif // TENON_LIB_EMULATE_EMULATOR_H
