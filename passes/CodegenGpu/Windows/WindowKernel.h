//===- WindowKernel.h - pools and depthwise convolutions --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the kernel of a window:
//
//   channels, results = ...               of this thread
//   w[taps] = weights                     constants come before the wait
//   wait for earlier kernels
//   x[taps] = inputs, if inside           all reads before the first use
//   r = what the epilogue reads
//   sum = x w + ...
//   store epilogue(sum, r)
//
// Large windows loop over their rows of taps, some at once. What exceeds the
// last result is computed as that one and not stored.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGENGPU_WINDOWS_WINDOWKERNEL_H
#define TENON_PASSES_CODEGENGPU_WINDOWS_WINDOWKERNEL_H

#include "passes/Codegen/Bodies/WindowTaps.h"
#include "passes/CodegenGpu/Windows/WindowResults.h"

namespace tenon::gpu {

class WindowKernel {
public:
  WindowKernel(const StageRequest &request, const codegen::WindowNest &nest,
               const tile::GpuWindowPlan &plan, codegen::Epilogue epilogue);

  /// Fails with a diagnostic.
  mlir::FailureOr<StageInfo> emit();

private:
  WindowUnit ownUnit();
  void wait();
  Value combine(Value sum, Value value, Value weight);
  void addRow(const std::map<int64_t, Value> &inputs, ValueRange weights,
              int64_t row, Values &sums);
  Values wholeWindow();
  Values addWhole(std::vector<std::map<int64_t, Value>> &inputs,
                  const std::vector<Values> &weights);
  Values addRows(Value first, ValueRange carried);
  Values overRows();
  Value counted(size_t dim, int64_t result);
  void average(Values &sums);
  Values initial() const;

  const StageRequest &request;
  codegen::KernelBuilder &kernel;
  ThreadBuilder t;
  const codegen::WindowNest &nest;
  const tile::GpuWindowPlan &plan;
  codegen::WindowTaps taps;
  tile::GpuWindow problem;
  WindowInputs inputs;
  WindowResults results;
  WindowUnit unit;
};

} // namespace tenon::gpu

#endif // TENON_PASSES_CODEGENGPU_WINDOWS_WINDOWKERNEL_H
