//===- InitAll.cpp - every dialect and pass -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Compiler/InitAll.h"

#include "dialects/Check/Check.h"
#include "dialects/Control/Control.h"
#include "dialects/Graph/Graph.h"
#include "dialects/Kernel/Kernel.h"
#include "dialects/Memory/Memory.h"
#include "dialects/Onnx/Onnx.h"
#include "dialects/Vm/Vm.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/Extensions/AllExtensions.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/Passes.h"
#include "passes/Checkpoint/Passes.h"
#include "passes/Codegen/Passes.h"
#include "passes/CodegenCpu/CpuDevice.h"
#include "passes/CodegenGpu/GpuDevice.h"
#include "passes/CodegenGpu/Passes.h"
#include "passes/Control/Passes.h"
#include "passes/Differentiate/Passes.h"
#include "passes/Fuse/Passes.h"
#include "passes/Memory/Passes.h"
#include "passes/Normalize/Passes.h"
#include "passes/Schedule/Passes.h"
#include "passes/Simplify/Passes.h"

#include <mutex>

void tenon::registerAllDialects(mlir::DialectRegistry &registry) {
  onnx::registerOnnxDialect(registry);
  registry
      .insert<check::CheckDialect, control::ControlDialect, vm::VmDialect,
              graph::GraphDialect, kernel::KernelDialect, memory::MemoryDialect,
              mlir::arith::ArithDialect, mlir::cf::ControlFlowDialect,
              mlir::func::FuncDialect, mlir::LLVM::LLVMDialect,
              mlir::NVVM::NVVMDialect, mlir::math::MathDialect,
              mlir::scf::SCFDialect, mlir::vector::VectorDialect>();
  mlir::func::registerAllExtensions(registry);
  codegen::registerCpu(registry);
  gpu::registerGpu(registry);
}

void tenon::registerAllPasses() {
  static std::once_flag once;
  std::call_once(once, [] {
    registerNormalizePasses();
    ctrl::registerControlPasses();
    differentiate::registerDifferentiatePasses();
    registerSimplifyPasses();
    fuse::registerFusePasses();
    checkpoint::registerCheckpointPasses();
    schedule::registerSchedulePasses();
    codegen::registerCodegenPasses();
    gpu::registerCodegenGpuPasses();
    memory::registerMemoryPasses();
    mlir::registerCanonicalizerPass();
    mlir::registerCSEPass();
    mlir::registerInlinerPass();
    mlir::registerStripDebugInfoPass();
  });
}
