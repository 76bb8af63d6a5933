//===- StaticData.cpp - a model's constants as an object ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Target/Cpu/Cpu.h"
#include "lib/Target/Cpu/Machine.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"

using namespace tenon;

namespace {
/// Builds constants in one LLVM module.
class DataModule {
public:
  DataModule() : module("static-model", context) {}

  llvm::Constant *bytes(llvm::StringRef content, llvm::StringRef name) {
    auto *value =
        llvm::ConstantDataArray::getString(context, content, /*AddNull=*/false);
    return constant(value, name, llvm::GlobalValue::PrivateLinkage);
  }

  llvm::Constant *constant(llvm::Constant *value, llvm::StringRef name,
                           llvm::GlobalValue::LinkageTypes linkage) {
    auto *global =
        new llvm::GlobalVariable(module, value->getType(),
                                 /*isConstant=*/true, linkage, value, name);
    global->setAlignment(llvm::Align(64));
    return global;
  }

  llvm::Constant *number(uint64_t value) {
    return llvm::ConstantInt::get(llvm::Type::getInt64Ty(context), value);
  }

  /// An array of pointers to kernels that other objects define.
  llvm::Constant *kernelTable(llvm::ArrayRef<std::string> names) {
    auto *pointer = llvm::PointerType::get(context, 0);
    auto *type = llvm::FunctionType::get(llvm::Type::getVoidTy(context), false);
    std::vector<llvm::Constant *> kernels;
    for (const std::string &name : names)
      kernels.push_back(llvm::cast<llvm::Constant>(
          module.getOrInsertFunction(name, type).getCallee()));
    auto *array = llvm::ConstantArray::get(
        llvm::ArrayType::get(pointer, kernels.size()), kernels);
    return constant(array, "kernels", llvm::GlobalValue::PrivateLinkage);
  }

  llvm::LLVMContext context;
  llvm::Module module;
};
} // namespace

llvm::Expected<cpu::Object> cpu::dataObject(const StaticData &data,
                                            const CpuTarget &target) {
  DataModule builder;
  auto machine = createMachine(target);
  builder.module.setDataLayout(machine->createDataLayout());
  builder.module.setTargetTriple(machine->getTargetTriple());
  constexpr uint64_t structSize = 56;
  llvm::Constant *fields[] = {builder.number(structSize),
                              builder.bytes(data.meta, "meta"),
                              builder.number(data.meta.size()),
                              builder.bytes(data.weights, "weights"),
                              builder.number(data.weights.size()),
                              builder.kernelTable(data.kernels),
                              builder.number(data.kernels.size())};
  builder.constant(llvm::ConstantStruct::getAnon(builder.context, fields),
                   data.symbol, llvm::GlobalValue::ExternalLinkage);
  llvm::SmallVector<char, 0> output;
  llvm::raw_svector_ostream stream(output);
  llvm::legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, stream, nullptr,
                                   llvm::CodeGenFileType::ObjectFile))
    return llvm::createStringError("the target cannot emit objects");
  passes.run(builder.module);
  return Object(output.begin(), output.end());
}
