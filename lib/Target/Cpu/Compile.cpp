//===- Compile.cpp - the LLVM dialect to objects --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file splits the kernels over a fixed number of LLVM modules, so that
// threads can share the work and the result does not depend on their number.
//===----------------------------------------------------------------------===//
#include "lib/Target/Cpu/Cpu.h"
#include "lib/Target/Cpu/Machine.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include "llvm/Support/ThreadPool.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace tenon;

/// Kernels are loops over native vectors already: these passes give the same
/// run time as -O3 at a fraction of its cost (no loop unrolling analysis).
static constexpr const char *pipeline =
    "function(mem2reg,early-cse,instcombine<no-verify-fixpoint>,loop-simplify,"
    "lcssa,loop-mssa(licm),early-cse,instcombine<no-verify-fixpoint>,"
    "simplifycfg)";

static constexpr size_t numChunks = 8;

namespace {
/// One LLVM module with its own context: a unit of parallel work.
struct Chunk {
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;
  SmallVector<char, 0> output;
  std::string error;
};
} // namespace

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

/// Kernels may not call libc: nothing may be turned into a library call.
static void prepare(llvm::Module &module, llvm::TargetMachine &machine) {
  module.setDataLayout(machine.createDataLayout());
  module.setTargetTriple(machine.getTargetTriple());
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr("no-builtins");
    function.addFnAttr(llvm::Attribute::NoUnwind);
    function.setUWTableKind(llvm::UWTableKind::None);
  }
}

static void optimize(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder(&machine);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  llvm::ModulePassManager passes;
  llvm::cantFail(builder.parsePassPipeline(passes, pipeline));
  passes.run(module, modules);
}

static void compileChunk(Chunk &chunk, const cpu::CpuTarget &target,
                         llvm::CodeGenFileType type) {
  std::unique_ptr<llvm::TargetMachine> machine = cpu::createMachine(target);
  prepare(*chunk.module, *machine);
  optimize(*chunk.module, *machine);
  llvm::raw_svector_ostream stream(chunk.output);
  llvm::legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, stream, nullptr, type))
    chunk.error = "the target cannot emit this kind of file";
  else
    passes.run(*chunk.module);
}

/// Moves every `numChunks`-th function of `module` into a module of its own and
/// translates it.
static LogicalResult translate(ModuleOp module, size_t index, size_t count,
                               Chunk &chunk) {
  OwningOpRef<ModuleOp> part = ModuleOp::create(module.getLoc());
  size_t position = 0;
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    if (position++ % count == index)
      part->push_back(function.clone());
  chunk.context = std::make_unique<llvm::LLVMContext>();
  chunk.module = translateModuleToLLVMIR(*part, *chunk.context, "kernels");
  return success(chunk.module != nullptr);
}

static llvm::Expected<std::vector<Chunk>>
compileChunks(ModuleOp module, const cpu::CpuTarget &target, size_t count,
              unsigned jobs, llvm::CodeGenFileType type) {
  registerBuiltinDialectTranslation(*module.getContext());
  registerLLVMDialectTranslation(*module.getContext());
  std::vector<Chunk> chunks(count);
  for (size_t i = 0; i < count; ++i)
    if (failed(translate(module, i, count, chunks[i])))
      return llvm::createStringError("kernels do not translate to LLVM IR");
  llvm::DefaultThreadPool pool(llvm::hardware_concurrency(std::max(1u, jobs)));
  for (Chunk &chunk : chunks)
    pool.async([&chunk, &target, type] { compileChunk(chunk, target, type); });
  pool.wait();
  for (Chunk &chunk : chunks)
    if (!chunk.error.empty())
      return llvm::createStringError(chunk.error);
  return chunks;
}

llvm::Expected<std::vector<cpu::Object>>
cpu::compileToObjects(ModuleOp module, const CpuTarget &target, unsigned jobs) {
  auto functions = module.getOps<LLVM::LLVMFuncOp>();
  size_t total = std::distance(functions.begin(), functions.end());
  size_t count = std::max<size_t>(1, std::min(numChunks, total));
  auto chunks = compileChunks(module, target, count, jobs,
                              llvm::CodeGenFileType::ObjectFile);
  if (!chunks)
    return chunks.takeError();
  std::vector<Object> objects;
  for (Chunk &chunk : *chunks)
    objects.emplace_back(chunk.output.begin(), chunk.output.end());
  return objects;
}

llvm::Expected<std::string> cpu::compileToAssembly(ModuleOp module,
                                                   const CpuTarget &target) {
  auto chunks =
      compileChunks(module, target, 1, 1, llvm::CodeGenFileType::AssemblyFile);
  if (!chunks)
    return chunks.takeError();
  return std::string(chunks->front().output.begin(),
                     chunks->front().output.end());
}
