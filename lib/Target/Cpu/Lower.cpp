//===- Lower.cpp - kernels to the LLVM dialect ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Target/Cpu/Machine.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVMPass.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

static void addLowering(OpPassManager &passes) {
  passes.addNestedPass<func::FuncOp>(createCSEPass());
  passes.addNestedPass<func::FuncOp>(createSCFToControlFlowPass());
  ConvertVectorToLLVMPassOptions options;
  options.reassociateFPReductions = true;
  passes.addPass(createConvertVectorToLLVMPass(options));
  passes.addPass(createArithToLLVMConversionPass());
  passes.addPass(createConvertControlFlowToLLVMPass());
  passes.addPass(createConvertFuncToLLVMPass());
  passes.addPass(createReconcileUnrealizedCastsPass());
}

llvm::Error tenon::cpu::lower(ModuleOp module, bool parts) {
  moveHalvesAsBits(module);
  PassManager passes(module.getContext());
  addLowering(parts ? passes.nest<ModuleOp>() : passes);
  if (failed(passes.run(module)))
    return llvm::createStringError("kernels do not lower to LLVM");
  return llvm::Error::success();
}
