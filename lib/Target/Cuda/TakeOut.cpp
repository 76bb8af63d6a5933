//===- TakeOut.cpp - each kernel in a module of its own -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names in the module tell nothing of the program that a kernel is taken from,
// so that equal kernels have equal texts. Then what is defined gets names that
// no other kernel has; arrays in shared memory are declared only, and kernels
// of one module share them.
//===----------------------------------------------------------------------===//
#include "lib/Target/Cuda/TakeOut.h"

#include "lib/Target/Cache/KernelText.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/Threading.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tenon;
using cuda::TakenKernel;

bool cuda::isKernel(LLVM::LLVMFuncOp function) {
  return function->hasAttr(NVVM::NVVMDialect::getKernelFuncAttrName()) &&
         !function.isExternal();
}

/// Whether there is nothing behind a name.
static bool isDeclaration(Operation *symbol) {
  if (auto function = dyn_cast<FunctionOpInterface>(symbol))
    return function.isExternal();
  auto global = dyn_cast<LLVM::GlobalOp>(symbol);
  return global && global.getLinkage() == LLVM::Linkage::External &&
         !global.getValueOrNull() && global.getInitializer().empty();
}

/// Whether a symbol is memory that each launch brings: dynamic shared memory.
static bool isDynamicShared(Operation *symbol) {
  constexpr unsigned sharedSpace = 3;
  auto global = dyn_cast<LLVM::GlobalOp>(symbol);
  return global && global.getAddrSpace() == sharedSpace &&
         isDeclaration(symbol);
}

/// All of one alignment are one array.
static std::string sharedName(LLVM::GlobalOp global) {
  return "tenon_shared" + std::to_string(global.getAlignment().value_or(1));
}

/// Copies what `user` refers to, and what that refers to, from `symbols`.
static void copyUsed(Operation *user, SymbolTable &symbols, ModuleOp to) {
  auto uses = SymbolTable::getSymbolUses(user);
  if (!uses)
    return;
  for (const SymbolTable::SymbolUse &use : *uses) {
    StringAttr name = use.getSymbolRef().getRootReference();
    Operation *used = symbols.lookup(name);
    if (!used || SymbolTable::lookupSymbolIn(to, name))
      continue;
    Operation *copy = used->clone();
    to.push_back(copy);
    copyUsed(copy, symbols, to);
  }
}

/// Gives a symbol of a module another name, for all who use it.
static void rename(ModuleOp module, Operation *symbol, const Twine &name) {
  auto attr = StringAttr::get(module.getContext(), name);
  if (SymbolTable::getSymbolName(symbol) == attr)
    return;
  (void)SymbolTable::replaceAllSymbolUses(symbol, attr, module);
  SymbolTable::setSymbolName(symbol, attr);
}

/// One array in shared memory for each alignment.
static void joinShared(ModuleOp module) {
  for (auto global :
       llvm::make_early_inc_range(module.getOps<LLVM::GlobalOp>())) {
    if (!isDynamicShared(global))
      continue;
    std::string name = sharedName(global);
    Operation *first = SymbolTable::lookupSymbolIn(module, name);
    rename(module, global, name);
    if (first && first != global)
      global.erase();
  }
}

/// The symbols of a module that it defines, without the kernel.
static SmallVector<Operation *> definitionsOf(ModuleOp module,
                                              Operation *kernel) {
  SmallVector<Operation *> symbols;
  for (Operation &op : *module.getBody())
    if (&op != kernel && !isDeclaration(&op))
      symbols.push_back(&op);
  return symbols;
}

/// A kernel's name without its number, which is the program's.
static std::string kindOf(StringRef name) {
  std::string kind = name.rtrim("0123456789_").str();
  for (char &c : kind)
    if (!llvm::isAlnum(c))
      c = '_';
  return kind.empty() || llvm::isDigit(kind.front()) ? "kernel" : kind;
}

/// Names everything by its place, the kernel by what all this is.
static void nameByText(TakenKernel &taken, LLVM::LLVMFuncOp kernel,
                       const tile::GpuTarget &target) {
  ModuleOp module = taken.module;
  rename(module, kernel, "tenon.kernel");
  joinShared(module);
  auto definitions = definitionsOf(module, kernel);
  for (auto [i, op] : llvm::enumerate(definitions))
    rename(module, op, "tenon.part" + Twine(i));
  std::string text = textOf(module);
  taken.textBytes = text.size();
  taken.symbol =
      kindOf(taken.name) + "_" + hashOf({text, target.name, target.features});
  rename(module, kernel, taken.symbol);
  for (auto [i, op] : llvm::enumerate(definitions))
    rename(module, op, taken.symbol + "_" + Twine(i));
}

/// Moves a kernel into a module of its own, with copies of what it uses.
static TakenKernel takeOut(LLVM::LLVMFuncOp kernel, SymbolTable &symbols) {
  TakenKernel taken{ModuleOp::create(kernel.getLoc()), kernel.getLoc(),
                    kernel.getName().str(), /*symbol=*/"", /*textBytes=*/0};
  kernel->remove();
  taken.module.push_back(kernel);
  copyUsed(kernel, symbols, taken.module);
  dropFacts(kernel);
  kernel.setLinkage(LLVM::Linkage::External);
  kernel.setVisibility(SymbolTable::Visibility::Public);
  return taken;
}

std::vector<TakenKernel> cuda::takeOutKernels(ModuleOp module,
                                              const tile::GpuTarget &target) {
  SymbolTable symbols(module);
  std::vector<TakenKernel> all;
  for (auto function :
       llvm::make_early_inc_range(module.getOps<LLVM::LLVMFuncOp>()))
    if (isKernel(function))
      all.push_back(takeOut(function, symbols));
  parallelForEach(module.getContext(), all, [&](TakenKernel &taken) {
    auto kernel = *taken.module.getOps<LLVM::LLVMFuncOp>().begin();
    nameByText(taken, kernel, target);
  });
  return all;
}
