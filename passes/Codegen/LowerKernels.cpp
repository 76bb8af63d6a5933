//===- LowerKernels.cpp - groups to functions and launches ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Codegen/Backends.h"
#include "passes/Codegen/Passes.h"
#include "passes/Codegen/Programs/Kernels.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace tenon::codegen {
#define GEN_PASS_DEF_LOWERKERNELSPASS
#include "passes/Codegen/Passes.h.inc"
} // namespace tenon::codegen

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

namespace {
struct LowerKernels : codegen::impl::LowerKernelsPassBase<LowerKernels> {
  using Base::Base;

  void runOnOperation() override {
    std::unique_ptr<Device> device = makeDevice(
        getOperation(), {target, threads, winograd, bf16x6, precision});
    if (!device)
      return signalPassFailure();
    std::unique_ptr<KernelTable> kernels = device->kernels(getOperation());
    FailureOr<unsigned> launches = lowerPrograms(getOperation(), *kernels);
    if (failed(launches))
      return signalPassFailure();
    numKernels += kernels->size();
    numLaunches += *launches;
  }
};
} // namespace
