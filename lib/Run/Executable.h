//===- Executable.h - something that maps inputs to outputs -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is what tenon-run runs: an artifact on the run time, or (in
// tenon-interpret) a program on the reference interpreter.
//===----------------------------------------------------------------------===//
#ifndef TENON_RUN_EXECUTABLE_H
#define TENON_RUN_EXECUTABLE_H

#include "lib/Run/Tensor.h"

#include <functional>

namespace tenon::run {

struct Options;

/// The code of an artifact for one processor.
struct Variant {
  std::string cpu;
  bool isSupported = false;
  bool isLoaded = false;
  uint64_t codeBytes = 0;
};

/// Numbers about an executable, for reports. Zero when unknown.
struct Facts {
  std::string name;
  std::string targetCpu;
  std::string device; ///< the GPU's name; "": the processor
  /// What the GPU can do in a second; 0: unknown.
  double deviceFlops = 0, deviceRate = 0;
  std::string producer;
  int threads = 1;
  uint64_t arenaBytes = 0;   ///< of all threads; of the latest shapes
  uint64_t scratchBytes = 0; ///< of it, of each
  uint64_t arenaLowerBoundBytes = 0;
  uint64_t weightsBytes = 0;
  uint64_t codeBytes = 0;
  uint64_t fileBytes = 0;
  uint64_t kernels = 0;
  uint64_t launches = 0;
  /// The width of the vectors that the code computes with.
  int vectorBits = 0;
  bool isGuarded = false;
  bool isSymbolic = false; ///< sizes depend on the inputs' shapes
  std::vector<Variant> variants;
  /// Each in words.
  std::vector<std::string> states;
  /// Their names, where there are several.
  std::vector<std::string> entries;
};

/// What one thread did of a launch at a stretch; times as in ProfileRow.
struct ProfilePart {
  int thread = 0;
  int64_t tiles = 0;
  int64_t begin = 0;
  int64_t nanoseconds = 0;
};

/// The cost of one launch, summed over `calls` runs.
struct ProfileRow {
  std::string kernel;
  std::vector<std::string> nodes;
  int64_t tiles = 0;
  int64_t flops = 0;
  int64_t bytes = 0;
  int64_t calls = 0;
  int64_t nanoseconds = 0;
  /// Of the latest run: begin since the run's begin, and time.
  int64_t lastBegin = 0;
  int64_t lastNanoseconds = 0;
  /// Launches with one number ran at once; 0: alone.
  unsigned wave = 0;
  /// Of the latest run, for launches that ran at once.
  std::vector<ProfilePart> parts = {};
  /// Of these (noteWaits): threads that had some, and for how long, added up,
  /// threads of the wave waited for this launch.
  int64_t threads = 0, waited = 0;
};

/// A program with a signature. Implementations must outlive nothing: they own
/// all they need.
class Executable {
public:
  virtual ~Executable() = default;
  virtual const std::vector<TensorSpec> &inputs() const = 0;
  virtual const std::vector<TensorSpec> &outputs() const = 0;

  /// Runs on tensors in the order of `inputs()`. `out` is made on the first
  /// call, and reused when it is passed again with inputs of the same shapes.
  virtual Status run(const std::vector<Tensor> &in,
                     std::vector<Tensor> &out) = 0;

  virtual Facts facts() const { return {}; }
  virtual std::vector<ProfileRow> profile() const { return {}; }
  virtual void resetProfile() {}

  /// What the latest run took on a GPU; 0: none was used.
  virtual int64_t deviceNanoseconds() const { return 0; }

  /// The bytecode in words, a line for each instruction.
  virtual Result<std::string> disassembly() const {
    return Error{"--disassemble is for artifacts: --interpret has no bytecode"};
  }
};

/// Loads what `options.model` names.
using OpenFunction =
    std::function<Result<std::unique_ptr<Executable>>(const Options &)>;

/// The one for artifacts.
Result<std::unique_ptr<Executable>> openArtifact(const Options &options);

} // namespace tenon::run

#endif // TENON_RUN_EXECUTABLE_H
