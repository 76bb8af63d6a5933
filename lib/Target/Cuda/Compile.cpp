//===- Compile.cpp - the LLVM dialect to PTX ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Target/Cache/RunPipeline.h"
#include "lib/Target/Cuda/Machine.h"

#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm-c/Target.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Target/TargetMachine.h"

#include <mutex>

using namespace mlir;
using namespace tenon;
using Describe = llvm::function_ref<std::string(llvm::StringRef)>;

/// As for CPUs; and generic pointers become those of the memory that they are
/// made from, arrays in local memory registers, and accesses as wide as what is
/// known of their addresses allows.
static constexpr const char *pipeline =
    "always-inline,globaldce,"
    "function(sroa,infer-address-spaces,early-cse,"
    "instcombine<no-verify-fixpoint>,loop-simplify,lcssa,loop-mssa(licm),"
    "early-cse,instcombine<no-verify-fixpoint>,infer-address-spaces,"
    "simplifycfg,infer-alignment)";

/// Addresses of shared and local memory fit 32 bits. The back end reads this
/// when a machine is made; it is an option of the library only. False: it has
/// none.
static bool useShortPointers() {
  auto &options = llvm::cl::getRegisteredOptions();
  auto found = options.find("nvptx-short-ptr");
  if (found == options.end())
    return false;
  static_cast<llvm::cl::opt<bool> *>(found->second)->setValue(true);
  return true;
}

static void initialize() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
  });
}

/// The linker library resets all options, perhaps in another thread.
static bool hasShortPointers(const llvm::TargetMachine &machine) {
  constexpr unsigned sharedSpace = 3;
  return machine.createDataLayout().getPointerSize(sharedSpace) == 4;
}

std::unique_ptr<llvm::TargetMachine>
cuda::createMachine(const tile::GpuTarget &target) {
  initialize();
  llvm::Triple triple("nvptx64-nvidia-cuda");
  std::string error;
  const llvm::Target *backend =
      llvm::TargetRegistry::lookupTarget(triple, error);
  llvm::TargetOptions options;
  std::unique_ptr<llvm::TargetMachine> machine;
  bool isKnown;
  do {
    isKnown = useShortPointers();
    machine.reset(backend->createTargetMachine(
        triple, target.name, target.features, options, std::nullopt,
        std::nullopt, llvm::CodeGenOptLevel::Default));
  } while (isKnown && !hasShortPointers(*machine));
  return machine;
}

/// What kernels call becomes a part of them: nothing is called on a device.
static void prepare(llvm::Module &module, llvm::TargetMachine &machine) {
  module.setDataLayout(machine.createDataLayout());
  module.setTargetTriple(machine.getTargetTriple());
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr("no-builtins");
    function.addFnAttr(llvm::Attribute::NoUnwind);
    if (function.getCallingConv() == llvm::CallingConv::PTX_Kernel)
      continue;
    function.setLinkage(llvm::GlobalValue::InternalLinkage);
    function.removeFnAttr(llvm::Attribute::NoInline);
    function.addFnAttr(llvm::Attribute::AlwaysInline);
  }
}

/// The back end makes a load under a constant mask one of the whole vector, and
/// forgets what the other lanes shall be.
static void restoreMaskedLanes(llvm::Function &function) {
  for (llvm::Instruction &instruction :
       llvm::make_early_inc_range(llvm::instructions(function))) {
    auto *load = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    if (!load || load->getIntrinsicID() != llvm::Intrinsic::masked_load)
      continue;
    unsigned last = load->arg_size() - 1;
    llvm::Value *mask = load->getArgOperand(last - 1);
    llvm::Value *rest = load->getArgOperand(last);
    if (!llvm::isa<llvm::Constant>(mask) || llvm::isa<llvm::UndefValue>(rest))
      continue;
    load->setArgOperand(last, llvm::PoisonValue::get(load->getType()));
    llvm::IRBuilder<> b(load->getNextNode());
    auto *all = llvm::cast<llvm::SelectInst>(
        b.Insert(llvm::SelectInst::Create(mask, load, rest)));
    load->replaceUsesWithIf(
        all, [&](llvm::Use &use) { return use.getUser() != all; });
  }
}

void cuda::registerTranslations(MLIRContext &context) {
  registerBuiltinDialectTranslation(context);
  registerLLVMDialectTranslation(context);
  registerNVVMDialectTranslation(context);
}

llvm::Expected<std::string> cuda::generate(ModuleOp source,
                                           const tile::GpuTarget &target,
                                           Describe describe) {
  llvm::LLVMContext context;
  auto module = translateModuleToLLVMIR(source, context, "kernels");
  if (!module)
    return llvm::createStringError("kernels do not translate to LLVM IR");
  std::unique_ptr<llvm::TargetMachine> machine = createMachine(target);
  prepare(*module, *machine);
  runPipeline(*module, *machine, pipeline);
  llvm::for_each(*module, restoreMaskedLanes);
  if (llvm::Error error = checkSupported(*module, target, describe))
    return std::move(error);
  llvm::SmallVector<char, 0> output;
  llvm::raw_svector_ostream stream(output);
  llvm::legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, stream, nullptr,
                                   llvm::CodeGenFileType::AssemblyFile))
    return llvm::createStringError("the target cannot emit PTX");
  passes.run(*module);
  return std::string(output.begin(), output.end());
}
