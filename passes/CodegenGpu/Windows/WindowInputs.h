//===- WindowInputs.h - what a thread reads of a window ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_CODEGENGPU_WINDOWS_WINDOWINPUTS_H
#define TENON_PASSES_CODEGENGPU_WINDOWS_WINDOWINPUTS_H

#include "passes/CodegenGpu/Builder/ThreadBuilder.h"
#include "passes/CodegenGpu/Windows/WindowGroup.h"
#include <map>

namespace tenon::gpu {

/// What a thread computes: channels of some neighbouring results.
struct WindowUnit {
  Value exists; ///< null: always
  Value image, channel;
  Value first[3];    ///< index of the first result
  Value position[3]; ///< of its first tap in the input, possibly outside
};

/// Some taps of a row of the kernel.
struct TapRow {
  Value input;   ///< the address of the first one's channels
  Value weights; ///< and of its weights; null without a filter
  Value exists;  ///< whether the row is inside; null: always
  Value isTap;   ///< whether the kernel has the row; null: it does
  Value column;  ///< position of the first one
  Value tap;     ///< its number, where rows are read in parts; else null
};

/// Reads inputs and weights as they lie in memory.
class WindowInputs {
public:
  WindowInputs(const StageRequest &request, codegen::KernelBuilder &kernel,
               ThreadBuilder &t, const codegen::WindowNest &nest,
               const tile::GpuWindowPlan &plan);

  void enter(const WindowUnit &unit);

  /// Row `number` of all that the plan cuts the window into, or of what follows
  /// the last one where it `mayExceed`.
  TapRow rowAt(Value number, bool mayExceed);
  int64_t rowCount() const;
  /// The inputs of kernel plane `z` that lie `y` rows below the first one.
  TapRow rowAt(int64_t z, int64_t y);

  /// By columns from the row's first tap on.
  std::map<int64_t, Value> inputsOf(const TapRow &row);
  Values weightsOf(const TapRow &row);
  /// The address of the weights of row `y` of kernel plane `z`.
  Value weightsAt(int64_t z, int64_t y);

private:
  bool isChecked(size_t dim) const;
  bool isCut() const { return plan.taps < nest.dims[2].kernel; }
  Value isInside(size_t dim, Value position);
  Value firstWeight();

  codegen::KernelBuilder &kernel;
  ThreadBuilder &t;
  const codegen::WindowNest &nest;
  const tile::GpuWindowPlan &plan;
  Type element, vector;
  int64_t bytes; ///< of an element
  unsigned inputBuffer;
  std::optional<unsigned> filterBuffer;
  int64_t inputAlignment, filterAlignment = 1;
  WindowUnit unit;
  Value input, filter; ///< of the unit's first tap
};

/// What all multiples of `step` bytes are multiples of, 16 at most.
int64_t alignmentOfSteps(int64_t step);

} // namespace tenon::gpu

#endif // TENON_PASSES_CODEGENGPU_WINDOWS_WINDOWINPUTS_H
