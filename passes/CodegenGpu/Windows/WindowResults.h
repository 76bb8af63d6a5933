//===- WindowResults.h - what follows a window's sums -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_CODEGENGPU_WINDOWS_WINDOWRESULTS_H
#define TENON_PASSES_CODEGENGPU_WINDOWS_WINDOWRESULTS_H

#include "passes/CodegenGpu/Builder/TensorAccess.h"
#include "passes/CodegenGpu/Windows/WindowInputs.h"

namespace tenon::gpu {

/// The results of a thread, rows by pixels.
class WindowResults {
public:
  WindowResults(const StageRequest &request, codegen::KernelBuilder &kernel,
                ThreadBuilder &t, const codegen::WindowNest &nest,
                const tile::GpuWindowPlan &plan, codegen::Epilogue epilogue);

  void enter(const WindowUnit &unit);
  /// Reads what the epilogue needs.
  void load();
  /// Applies the epilogue. Fails with a diagnostic.
  mlir::LogicalResult store(ValueRange sums);

  const codegen::Epilogue &what() const { return epilogue; }

private:
  /// Where one of them is in each tensor of the epilogue.
  struct Result {
    Value exists; ///< null: always
    Values offsets;
    Values loaded; ///< null where the tensor is a result
  };
  Result resultAt(const WindowUnit &unit, int64_t row, int64_t pixel);
  TensorAccess accessOf(unsigned tensor) const;
  bool isSameAlong(unsigned tensor, size_t dim) const {
    return nest.dims[dim].result[tensor].is(0);
  }

  kernel::GroupOp group;
  codegen::KernelBuilder &kernel;
  ThreadBuilder &t;
  const codegen::WindowNest &nest;
  const tile::GpuWindowPlan &plan;
  codegen::Epilogue epilogue;
  std::vector<Result> results;
};

} // namespace tenon::gpu

#endif // TENON_PASSES_CODEGENGPU_WINDOWS_WINDOWRESULTS_H
