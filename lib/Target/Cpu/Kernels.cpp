//===- Kernels.cpp - kernels to objects, once each ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file gives each kernel a module and an object of its own, named by the
// hash of what it is made from. So objects depend neither on threads nor on the
// cache nor on the model that a kernel occurs in.
//===----------------------------------------------------------------------===//
#include "lib/Target/Cache/BuildId.h"
#include "lib/Target/Cache/KernelText.h"
#include "lib/Target/Cpu/Machine.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Threading.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/ThreadPool.h"

using namespace mlir;
using namespace tenon;
using llvm::Error;
using llvm::Expected;

namespace {
/// A kernel on its way to an object. Texts are empty when all went well.
struct Unit {
  ModuleOp module;       ///< null once the object is there
  std::string name = {}; ///< of the function, as the program has it
  std::string symbol = {};
  size_t textBytes = 0;
  cpu::Object object = {};
  std::string error = {}, warning = {};
};
} // namespace

/// Moves the constants that a kernel reads into its module, numbered, so that
/// their names tell nothing of the program.
static void takeConstants(func::FuncOp kernel, ModuleOp to) {
  auto from = kernel->getParentOfType<ModuleOp>();
  llvm::MapVector<StringAttr, StringAttr> names;
  kernel.walk([&](LLVM::AddressOfOp address) {
    StringAttr &name = names[address.getGlobalNameAttr().getAttr()];
    if (!name)
      name =
          StringAttr::get(from.getContext(), "constants" + Twine(names.size()));
    address.setGlobalName(name);
  });
  for (auto [old, name] : names) {
    auto global = from.lookupSymbol<LLVM::GlobalOp>(old);
    global->remove();
    global.setSymNameAttr(name);
    to.push_back(global);
  }
}

/// Moves a kernel into a module of its own, without what programs say of it:
/// its object depends on its code only.
static Unit takeOut(func::FuncOp kernel) {
  ModuleOp module = ModuleOp::create(kernel.getLoc());
  takeConstants(kernel, module);
  dropFacts(kernel);
  kernel.setPublic();
  kernel->remove();
  module.push_back(kernel);
  return {module, kernel.getName().str()};
}

/// Gives a kernel the name that what it does and its target have.
static void rename(Unit &unit, const cpu::CpuTarget &target) {
  func::FuncOp kernel = *unit.module.getOps<func::FuncOp>().begin();
  kernel.setSymName("kernel");
  std::string text = textOf(unit.module);
  unit.textBytes = text.size();
  unit.symbol =
      "tenon_" + hashOf({text, target.triple, target.cpu, target.features});
  kernel.setSymName(unit.symbol);
}

/// No kernel may need anything from a library: there is none where it runs.
static Error checkImports(Unit &unit) {
  auto imports = cpu::importsOf(unit.object);
  if (!imports)
    return imports.takeError();
  if (imports->empty())
    return Error::success();
  return llvm::createStringError(
      "%s needs %s from a library, which kernels must not",
      describeKernel(unit.name, unit.module.getLoc()).c_str(),
      llvm::join(*imports, ", ").c_str());
}

namespace {
/// The kernels of a program, each once.
class Compilation {
public:
  Compilation(ModuleOp kernels, const cpu::CpuTarget &target,
              const std::function<bool()> &isCancelled)
      : whole(ModuleOp::create(kernels.getLoc())), target(target),
        isCancelled(isCancelled) {
    std::vector<Unit> all;
    for (auto kernel :
         llvm::make_early_inc_range(kernels.getOps<func::FuncOp>()))
      all.push_back(takeOut(kernel));
    parallelForEach(whole->getContext(), all,
                    [&](Unit &unit) { rename(unit, target); });
    llvm::StringSet<> known;
    for (Unit &unit : all)
      add(unit, known.insert(unit.symbol).second);
  }

  /// Takes from the cache what is there.
  void find(const KernelCache &kernelCache) {
    compiler = compilerId();
    if (compiler.empty()) {
      warning = "this compiler was linked without a build id: its kernels "
                "cannot be cached";
      return;
    }
    cache = &kernelCache;
    for (Unit &unit : units)
      if (auto object = cache->find(keyOf(unit))) {
        unit.object = std::move(*object);
        unit.module.erase();
        unit.module = {};
      }
  }

  /// Compiles the others, and stores them in the cache if there is one.
  Error compile(unsigned jobs) {
    // The largest first, so that no thread is left alone with one.
    std::vector<Unit *> work;
    for (Unit &unit : units)
      if (unit.module)
        work.push_back(&unit);
    llvm::stable_sort(work, [](const Unit *a, const Unit *b) {
      return a->textBytes > b->textBytes;
    });
    compiled = work.size();
    if (work.empty())
      return Error::success();
    if (Error error = cpu::lower(*whole, /*parts=*/true))
      return error;
    generate(work, jobs);
    if (cache)
      cache->prune();
    return firstError(work);
  }

  cpu::CompiledKernels take() {
    cpu::CompiledKernels result;
    for (Unit &unit : units)
      result.objects.push_back(std::move(unit.object));
    result.symbols = std::move(symbols);
    result.compiled = compiled;
    result.warning = std::move(warning);
    return result;
  }

private:
  void add(Unit &unit, bool isNew) {
    symbols.push_back(unit.symbol);
    if (!isNew)
      return unit.module.erase();
    whole->push_back(unit.module);
    units.push_back(std::move(unit));
  }

  std::string keyOf(const Unit &unit) const {
    return hashOf({unit.symbol, compiler});
  }

  void generate(ArrayRef<Unit *> work, unsigned jobs) {
    MLIRContext *context = whole->getContext();
    cpu::registerTranslations(*context);
    ParallelDiagnosticHandler inOrder(context);
    if (!context->isMultithreadingEnabled())
      jobs = 1;
    llvm::DefaultThreadPool pool(
        llvm::hardware_concurrency(std::max(1u, jobs)));
    for (auto [i, unit] : llvm::enumerate(work))
      pool.async([this, &inOrder, unit, i] {
        inOrder.setOrderIDForThread(i);
        generate(*unit);
        inOrder.eraseOrderIDForThread();
      });
    pool.wait();
  }

  void generate(Unit &unit) {
    if (isCancelled && isCancelled()) {
      unit.error = "cancelled";
      return;
    }
    auto object =
        cpu::generate(unit.module, target, llvm::CodeGenFileType::ObjectFile);
    if (!object) {
      unit.error = llvm::toString(object.takeError());
      return;
    }
    unit.object = std::move(*object);
    unit.error = llvm::toString(checkImports(unit));
    if (cache && unit.error.empty())
      unit.warning = llvm::toString(cache->store(keyOf(unit), unit.object));
  }

  Error firstError(ArrayRef<Unit *> work) {
    for (const Unit *unit : work) {
      if (!unit->error.empty())
        return llvm::createStringError(unit->error);
      if (warning.empty())
        warning = unit->warning;
    }
    return Error::success();
  }

  OwningOpRef<ModuleOp> whole;
  const cpu::CpuTarget &target;
  const std::function<bool()> &isCancelled;
  const KernelCache *cache = nullptr;
  std::vector<Unit> units;
  std::vector<std::string> symbols;
  std::string compiler, warning;
  size_t compiled = 0;
};
} // namespace

Expected<cpu::CompiledKernels>
cpu::compileKernels(ModuleOp kernels, const CpuTarget &target, unsigned jobs,
                    const KernelCache *cache,
                    const std::function<bool()> &isCancelled) {
  Compilation compilation(kernels, target, isCancelled);
  if (cache)
    compilation.find(*cache);
  if (Error error = compilation.compile(jobs))
    return error;
  return compilation.take();
}
