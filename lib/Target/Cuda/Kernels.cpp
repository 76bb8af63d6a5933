//===- Kernels.cpp - kernels to PTX, once each ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file gives each kernel a module of its own, named by the hash of what it
// is made from, as for CPUs. About ten texts of PTX then become one module that
// is assembled and loaded as a whole.
//===----------------------------------------------------------------------===//
#include "lib/Target/Cache/BuildId.h"
#include "lib/Target/Cache/KernelText.h"
#include "lib/Target/Cuda/Assembler.h"
#include "lib/Target/Cuda/Machine.h"
#include "lib/Target/Cuda/TakeOut.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Threading.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/ThreadPool.h"

using namespace mlir;
using namespace tenon;
using llvm::Error;
using llvm::Expected;

static constexpr size_t kernelsPerModule = 10;

namespace {
/// A kernel on its way to PTX. Texts are empty when all went well.
struct Unit {
  cuda::TakenKernel kernel; ///< its module is null once the PTX is there
  std::string ptx = {};
  std::string error = {}, warning = {};
};

/// A module on its way to a cubin.
struct Bundle {
  std::vector<Unit *> units;
  cuda::Module module = {};
  std::string log = {};
  std::string error = {}, warning = {};
};

/// Does the same to all of a list on several threads.
class Workers {
public:
  Workers(MLIRContext *context, unsigned jobs)
      : context(context),
        jobs(context->isMultithreadingEnabled() ? std::max(1u, jobs) : 1) {}

  template <typename Range, typename Do> void forEach(Range &range, Do action) {
    ParallelDiagnosticHandler inOrder(context);
    llvm::DefaultThreadPool pool(llvm::hardware_concurrency(jobs));
    for (auto [i, element] : llvm::enumerate(range))
      pool.async([&inOrder, &action, &element = element, i = i] {
        inOrder.setOrderIDForThread(i);
        action(element);
        inOrder.eraseOrderIDForThread();
      });
    pool.wait();
  }

private:
  MLIRContext *context;
  unsigned jobs;
};

/// The kernels of a program, each once.
class Compilation {
public:
  Compilation(ModuleOp kernels, const tile::GpuTarget &target, unsigned jobs)
      : whole(ModuleOp::create(kernels.getLoc())), target(target),
        workers(kernels.getContext(), jobs) {
    std::vector<cuda::TakenKernel> all = cuda::takeOutKernels(kernels, target);
    llvm::StringMap<size_t> known;
    for (cuda::TakenKernel &kernel : all) {
      auto [entry, isNew] = known.try_emplace(kernel.symbol, units.size());
      places.push_back(entry->second);
      if (!isNew) {
        kernel.module.erase();
        continue;
      }
      whole->push_back(kernel.module);
      units.push_back({std::move(kernel)});
    }
  }

  void use(const KernelCache &kernelCache) {
    compiler = compilerId();
    if (compiler.empty())
      result.warning = "this compiler was linked without a build id: its "
                       "kernels cannot be cached";
    else
      cache = &kernelCache;
  }

  Expected<cuda::CompiledKernels> run() {
    find();
    if (Error error = compile())
      return std::move(error);
    bundle();
    if (Error error = assemble())
      return std::move(error);
    if (cache)
      cache->prune();
    return take();
  }

private:
  std::string keyOf(const Unit &unit) const {
    return hashOf({unit.kernel.symbol, compiler});
  }

  /// Takes PTX from the cache where it is there.
  void find() {
    for (Unit &unit : units) {
      auto text = cache ? cache->find(keyOf(unit)) : std::nullopt;
      if (!text) {
        work.push_back(&unit);
        continue;
      }
      unit.ptx.assign(text->begin(), text->end());
      unit.kernel.module.erase();
      unit.kernel.module = {};
    }
    result.compiled = work.size();
    result.cached = units.size() - work.size();
  }

  Error compile() {
    if (work.empty())
      return Error::success();
    if (Error error = cuda::lower(*whole, /*parts=*/true))
      return error;
    // The largest first, so that no thread is left alone with one.
    llvm::stable_sort(work, [](const Unit *a, const Unit *b) {
      return a->kernel.textBytes > b->kernel.textBytes;
    });
    cuda::registerTranslations(*whole->getContext());
    workers.forEach(work, [&](Unit *unit) { generate(*unit); });
    return firstError(work);
  }

  void generate(Unit &unit) {
    auto describe = [&](StringRef) {
      return describeKernel(unit.kernel.name, unit.kernel.module.getLoc());
    };
    auto ptx = cuda::generate(unit.kernel.module, target, describe);
    if (!ptx) {
      unit.error = llvm::toString(ptx.takeError());
      return;
    }
    unit.ptx = std::move(*ptx);
    if (cache)
      unit.warning = llvm::toString(cache->store(
          keyOf(unit), CodeBytes(unit.ptx.begin(), unit.ptx.end())));
  }

  /// Makes modules of kernels that follow each other.
  void bundle() {
    for (auto [i, unit] : llvm::enumerate(units)) {
      if (i % kernelsPerModule == 0)
        bundles.emplace_back();
      bundles.back().units.push_back(&unit);
    }
    for (Bundle &bundle : bundles)
      bundle.module.ptx = cuda::joinPtx(llvm::map_to_vector(
          bundle.units, [](const Unit *unit) { return StringRef(unit->ptx); }));
  }

  Error assemble() {
    auto assembler = cuda::findAssembler();
    if (!assembler)
      return assembler.takeError();
    if (!*assembler)
      return Error::success();
    result.assembler = (*assembler)->name().str();
    auto all = llvm::map_to_vector(bundles, [](Bundle &b) { return &b; });
    llvm::stable_sort(all, [](const Bundle *a, const Bundle *b) {
      return a->module.ptx.size() > b->module.ptx.size();
    });
    workers.forEach(all, [&](Bundle *one) { assemble(**assembler, *one); });
    return firstError(all);
  }

  void assemble(const cuda::Assembler &assembler, Bundle &bundle) {
    std::string key =
        hashOf({bundle.module.ptx, target.name, assembler.name(), "cubin"});
    auto stored = cache ? cache->find(key) : std::nullopt;
    if (stored) {
      unpack(*stored, bundle);
      return;
    }
    auto assembled = assembler.assemble(bundle.module.ptx, target);
    if (!assembled) {
      bundle.error =
          kernelsOf(bundle) + ": " + llvm::toString(assembled.takeError());
      return;
    }
    bundle.module.cubin = std::move(assembled->cubin);
    bundle.log = std::move(assembled->log);
    if (cache)
      bundle.warning = llvm::toString(cache->store(key, pack(bundle)));
  }

  /// In the cache the log stands in front, ended by a zero byte.
  static CodeBytes pack(const Bundle &bundle) {
    CodeBytes bytes(bundle.log.c_str(),
                    bundle.log.c_str() + bundle.log.size() + 1);
    llvm::append_range(bytes, bundle.module.cubin);
    return bytes;
  }

  static void unpack(ArrayRef<char> bytes, Bundle &bundle) {
    const char *end = llvm::find(bytes, '\0');
    bundle.log.assign(bytes.begin(), end);
    bundle.module.cubin.assign(std::min(end + 1, bytes.end()), bytes.end());
  }

  static std::string kernelsOf(const Bundle &bundle) {
    return llvm::join(llvm::map_range(bundle.units,
                                      [](const Unit *unit) {
                                        return describeKernel(
                                            unit->kernel.name,
                                            unit->kernel.location);
                                      }),
                      "; ");
  }

  template <typename Range> Error firstError(const Range &done) {
    for (const auto *one : done) {
      if (!one->error.empty())
        return llvm::createStringError(one->error);
      if (result.warning.empty())
        result.warning = one->warning;
    }
    return Error::success();
  }

  cuda::CompiledKernels take() {
    llvm::StringMap<cuda::KernelUse> uses;
    for (Bundle &bundle : bundles) {
      for (auto &use : cuda::usesOf(bundle.log))
        uses[use.first()] = use.second;
      llvm::append_range(result.remarks, cuda::remarksOf(bundle.log));
      result.modules.push_back(std::move(bundle.module));
    }
    for (size_t place : places) {
      const std::string &symbol = units[place].kernel.symbol;
      result.kernels.push_back(
          {symbol, uint32_t(place / kernelsPerModule), uses.lookup(symbol)});
    }
    return std::move(result);
  }

  OwningOpRef<ModuleOp> whole;
  const tile::GpuTarget &target;
  Workers workers;
  const KernelCache *cache = nullptr;
  std::vector<Unit> units;
  std::vector<size_t> places; ///< of each function, its unit
  std::vector<Unit *> work;
  std::vector<Bundle> bundles;
  std::string compiler;
  cuda::CompiledKernels result;
};
} // namespace

Expected<cuda::CompiledKernels>
cuda::compileKernels(ModuleOp kernels, const tile::GpuTarget &target,
                     unsigned jobs, const KernelCache *cache) {
  Compilation compilation(kernels, target, jobs);
  if (cache)
    compilation.use(*cache);
  return compilation.run();
}

Expected<std::string> cuda::compileToPtx(ModuleOp module,
                                         const tile::GpuTarget &target) {
  llvm::StringMap<Location> locations;
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    locations.try_emplace(function.getName(), function.getLoc());
  if (Error error = lower(module, /*parts=*/false))
    return std::move(error);
  registerTranslations(*module.getContext());
  return generate(module, target, [&](StringRef name) {
    auto found = locations.find(name);
    return describeKernel(name, found == locations.end() ? module.getLoc()
                                                         : found->second);
  });
}
