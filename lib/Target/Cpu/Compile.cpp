//===- Compile.cpp - the LLVM dialect to machine code ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Target/Cache/RunPipeline.h"
#include "lib/Target/Cpu/Machine.h"

#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/CodeGen/MachineModuleInfo.h"
#include "llvm/CodeGen/Passes.h"
#include "llvm/CodeGen/TargetPassConfig.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace tenon;

/// Kernels are loops over native vectors already: these passes give the same
/// run time as -O3 at a fraction of its cost (no loop unrolling analysis).
static constexpr const char *pipeline =
    "function(mem2reg,early-cse,instcombine<no-verify-fixpoint>,loop-simplify,"
    "lcssa,loop-mssa(licm),early-cse,instcombine<no-verify-fixpoint>,"
    "simplifycfg)";

std::unique_ptr<llvm::TargetMachine>
cpu::createMachine(const CpuTarget &target) {
  llvm::Triple triple(target.triple);
  std::string error;
  const llvm::Target *backend =
      llvm::TargetRegistry::lookupTarget(triple, error);
  llvm::TargetOptions options;
  return std::unique_ptr<llvm::TargetMachine>(backend->createTargetMachine(
      triple, target.cpu, target.features, options, llvm::Reloc::PIC_,
      std::nullopt, llvm::CodeGenOptLevel::Default));
}

/// Kernels may not call libc: nothing may be turned into a library call. Two
/// models that are linked into one program may define the same kernel.
static void prepare(llvm::Module &module, llvm::TargetMachine &machine) {
  module.setDataLayout(machine.createDataLayout());
  module.setTargetTriple(machine.getTargetTriple());
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    function.setLinkage(llvm::GlobalValue::WeakODRLinkage);
    function.addFnAttr("no-builtins");
    function.addFnAttr(llvm::Attribute::NoUnwind);
    function.setUWTableKind(llvm::UWTableKind::None);
  }
}

/// What `addPassesToEmitFile` does, without the scheduler in front of register
/// allocation. True where the target cannot emit this kind of file.
static bool addUnscheduled(llvm::legacy::PassManager &passes,
                           llvm::TargetMachine &machine,
                           llvm::raw_pwrite_stream &stream,
                           llvm::CodeGenFileType type) {
  auto *info = new llvm::MachineModuleInfoWrapperPass(&machine);
  llvm::TargetPassConfig *config = machine.createPassConfig(passes);
  config->disablePass(&llvm::MachineSchedulerID);
  passes.add(config);
  passes.add(info);
  if (config->addISelPasses())
    return true;
  config->addMachinePasses();
  config->setInitialized();
  if (machine.addAsmPrinter(passes, stream, nullptr, type,
                            info->getMMI().getContext()))
    return true;
  passes.add(llvm::createFreeMachineFunctionPass());
  return false;
}

/// Register tiles leave few registers free. On AArch64, where no operand of an
/// FMA comes from memory, the scheduler moves so many loads to the front that
/// accumulators are spilled in the loop; the order of the kernel fits.
static bool addEmission(llvm::legacy::PassManager &passes,
                        llvm::TargetMachine &machine,
                        llvm::raw_pwrite_stream &stream,
                        llvm::CodeGenFileType type) {
  if (machine.getTargetTriple().isAArch64())
    return addUnscheduled(passes, machine, stream, type);
  return machine.addPassesToEmitFile(passes, stream, nullptr, type);
}

void cpu::registerTranslations(MLIRContext &context) {
  registerBuiltinDialectTranslation(context);
  registerLLVMDialectTranslation(context);
}

llvm::Expected<cpu::Object> cpu::generate(ModuleOp source,
                                          const CpuTarget &target,
                                          llvm::CodeGenFileType type) {
  llvm::LLVMContext context;
  auto module = translateModuleToLLVMIR(source, context, "kernels");
  if (!module)
    return llvm::createStringError("kernels do not translate to LLVM IR");
  std::unique_ptr<llvm::TargetMachine> machine = createMachine(target);
  prepare(*module, *machine);
  runPipeline(*module, *machine, pipeline);
  llvm::SmallVector<char, 0> output;
  llvm::raw_svector_ostream stream(output);
  llvm::legacy::PassManager passes;
  if (addEmission(passes, *machine, stream, type))
    return llvm::createStringError("the target cannot emit this kind of file");
  passes.run(*module);
  return Object(output.begin(), output.end());
}

llvm::Expected<std::string> cpu::compileToAssembly(ModuleOp module,
                                                   const CpuTarget &target) {
  if (llvm::Error error = lower(module, /*parts=*/false))
    return error;
  registerTranslations(*module.getContext());
  auto text = generate(module, target, llvm::CodeGenFileType::AssemblyFile);
  if (!text)
    return text.takeError();
  return std::string(text->begin(), text->end());
}
