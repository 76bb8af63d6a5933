//===- Lower.cpp - kernels to the LLVM and NVVM dialects ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Target/Cuda/Machine.h"

#include "lib/Target/Cache/KernelText.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVMPass.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/NVVMToLLVM/NVVMToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace tenon;

static void addLowering(OpPassManager &passes) {
  passes.addPass(createCanonicalizerPass());
  passes.addPass(createCSEPass());
  passes.addPass(createSCFToControlFlowPass());
  passes.addPass(createConvertMathToLLVMPass());
  ConvertVectorToLLVMPassOptions options;
  options.reassociateFPReductions = true;
  passes.addPass(createConvertVectorToLLVMPass(options));
  passes.addPass(createConvertNVVMToLLVMPass());
  passes.addPass(createArithToLLVMConversionPass());
  passes.addPass(createConvertControlFlowToLLVMPass());
  passes.addPass(createConvertFuncToLLVMPass());
  passes.addPass(createReconcileUnrealizedCastsPass());
  passes.addPass(createCanonicalizerPass());
  passes.addPass(createCSEPass());
}

/// The first operation that is left of another dialect, with its function.
static llvm::Error checkLowered(ModuleOp module) {
  llvm::Error error = llvm::Error::success();
  module.walk([&](Operation *op) {
    if (isa<ModuleOp>(op) ||
        isa_and_nonnull<LLVM::LLVMDialect, NVVM::NVVMDialect>(op->getDialect()))
      return WalkResult::advance();
    auto function = op->getParentOfType<LLVM::LLVMFuncOp>();
    std::string who =
        describeKernel(function ? function.getName() : "",
                       function ? function.getLoc() : op->getLoc());
    llvm::consumeError(std::move(error));
    error = llvm::createStringError("%s has %s, which devices do not have",
                                    who.c_str(),
                                    op->getName().getStringRef().str().c_str());
    return WalkResult::interrupt();
  });
  return error;
}

llvm::Error cuda::lower(ModuleOp module, bool parts) {
  PassManager passes(module.getContext());
  addLowering(parts ? passes.nest<ModuleOp>() : passes);
  if (failed(passes.run(module)))
    return llvm::createStringError("kernels do not lower to LLVM");
  return checkLowered(module);
}
