//===- KernelCacheTest.cpp - compiled kernels in a folder -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LINK: TenonTargetCpu MLIR LLVM
#include "lib/Target/Cache/KernelCache.h"
#include "lib/Target/Cache/BuildId.h"
#include "lib/Target/Cpu/Cpu.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FileSystem.h"

#include "gtest/gtest.h"
#include <filesystem>
#include <fstream>

using namespace tenon;
namespace fs = std::filesystem;

namespace {

class KernelFolder : public testing::Test {
protected:
  KernelFolder() {
    llvm::SmallString<128> path;
    EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("kernels", path));
    folder = path.str().str();
  }
  ~KernelFolder() override { fs::remove_all(folder.c_str()); }

  KernelCache cache(uint64_t maxBytes = 1 << 20) const {
    return KernelCache(folder + "/new", maxBytes);
  }

  void store(const char *key, size_t bytes) {
    EXPECT_FALSE(cache().store(key, cpu::Object(bytes, 'x')));
  }

  fs::path entry(const std::string &key) const {
    return folder + "/new/llvmcache-" + key;
  }

  std::string folder;
};

TEST_F(KernelFolder, FindsWhatWasStored) {
  EXPECT_FALSE(cache().find("a"));
  store("a", 3);
  EXPECT_EQ(cache().find("a"), cpu::Object(3, 'x'));
  EXPECT_FALSE(cache().find("b"));
}

TEST_F(KernelFolder, TakesDamageForAbsence) {
  store("a", 100);
  fs::resize_file(entry("a"), 60);
  EXPECT_FALSE(cache().find("a"));
  fs::resize_file(entry("a"), 5);
  EXPECT_FALSE(cache().find("a"));
  fs::resize_file(entry("a"), 0);
  EXPECT_FALSE(cache().find("a"));
  store("a", 100);
  EXPECT_TRUE(cache().find("a"));
  std::fstream(entry("a"), std::ios::in | std::ios::out).seekp(50).put('y');
  EXPECT_FALSE(cache().find("a"));
}

TEST_F(KernelFolder, KnowsAnothersEntry) {
  store("a", 100);
  fs::rename(entry("a"), entry("b"));
  EXPECT_FALSE(cache().find("b"));
}

TEST_F(KernelFolder, RemovesTheLeastRecentlyUsed) {
  for (const char *key : {"a", "b", "c"})
    store(key, 10000);
  // Reading makes "a" the youngest, whatever the clock's grain.
  auto longAgo = std::chrono::system_clock::now() - std::chrono::hours(1);
  for (const char *key : {"a", "b", "c"}) {
    auto file = llvm::sys::fs::openNativeFileForRead(entry(key).c_str());
    ASSERT_TRUE(bool(file));
    llvm::sys::fs::setLastAccessAndModificationTime(*file, longAgo);
    llvm::sys::fs::closeFile(*file);
    longAgo += std::chrono::minutes(1);
  }
  EXPECT_TRUE(cache().find("a"));
  cache(25000).prune();
  EXPECT_TRUE(cache().find("a"));
  EXPECT_FALSE(cache().find("b"));
  EXPECT_TRUE(cache().find("c"));
}

TEST_F(KernelFolder, SaysWhyItCannotStore) {
  std::ofstream(folder + "/file");
  KernelCache inFile(folder + "/file/new", 1);
  std::string text = llvm::toString(inFile.store("a", {}));
  EXPECT_NE(text.find("cannot create '"), std::string::npos) << text;
  EXPECT_FALSE(inFile.find("a"));
  inFile.prune();
}

TEST(CompilerId, HasOurPartAndThoseOfLibraries) {
  // Twenty bytes each; this program, MLIR and LLVM are linked apart.
  std::string id = compilerId();
  ASSERT_EQ(id.size(), 60u);
  EXPECT_NE(id.substr(0, 20), id.substr(20, 20));
  EXPECT_NE(id.substr(0, 20), id.substr(40, 20));
  EXPECT_NE(id.substr(20, 20), id.substr(40, 20));
}

/// Compiles two functions that differ by name only and one other.
class CachedKernels : public KernelFolder {
protected:
  CachedKernels() {
    context.loadDialect<mlir::func::FuncDialect, mlir::LLVM::LLVMDialect>();
  }

  cpu::CompiledKernels compile(const KernelCache *cache,
                               const char *mcpu = "") {
    auto module = mlir::parseSourceString<mlir::ModuleOp>(
        R"(func.func @a() { return }
           func.func @b(%p: !llvm.ptr) { llvm.store %p, %p : !llvm.ptr, !llvm.ptr return }
           func.func @c() { return })",
        &context);
    auto target = cpu::resolveCpu(mcpu);
    EXPECT_TRUE(bool(target));
    auto kernels = cpu::compileKernels(*module, *target, 1, cache);
    EXPECT_TRUE(bool(kernels));
    EXPECT_EQ(kernels->warning, "");
    return std::move(*kernels);
  }

  mlir::MLIRContext context;
};

TEST_F(CachedKernels, AreTheSameWithAndWithoutCache) {
  KernelCache folder = cache();
  cpu::CompiledKernels off = compile(nullptr), cold = compile(&folder),
                       warm = compile(&folder);
  EXPECT_EQ(off.compiled, 2u);
  EXPECT_EQ(cold.compiled, 2u);
  EXPECT_EQ(warm.compiled, 0u);
  EXPECT_EQ(off.objects, cold.objects);
  EXPECT_EQ(off.objects, warm.objects);
  EXPECT_EQ(off.symbols, warm.symbols);
}

TEST_F(CachedKernels, AreSharedByStructure) {
  cpu::CompiledKernels kernels = compile(nullptr);
  ASSERT_EQ(kernels.symbols.size(), 3u);
  EXPECT_EQ(kernels.objects.size(), 2u);
  EXPECT_EQ(kernels.symbols[0], kernels.symbols[2]);
  EXPECT_NE(kernels.symbols[0], kernels.symbols[1]);
}

TEST_F(CachedKernels, AreNotSharedAcrossProcessors) {
  KernelCache folder = cache();
  compile(&folder, "x86-64-v2");
  EXPECT_EQ(compile(&folder, "x86-64-v3").compiled, 2u);
  EXPECT_EQ(compile(&folder, "x86-64-v2").compiled, 0u);
}

} // namespace
