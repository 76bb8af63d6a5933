//===- CudaKernelsTest.cpp - kernels to PTX and cubins --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file tests how kernels become modules: by their texts, once each,
// whatever the number of threads and the cache; and what the assembler says.
// The parts that need ptxas are skipped where it is not installed.
//===----------------------------------------------------------------------===//
// LINK: TenonTargetCuda MLIR LLVM
#include "lib/Target/Cuda/Assembler.h"
#include "lib/Target/Cuda/Cuda.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FileSystem.h"

#include "gtest/gtest.h"
#include <cstdlib>
#include <filesystem>

using namespace tenon;
namespace fs = std::filesystem;

namespace {

const tile::GpuTarget &hopper() { return *tile::findGpuTarget("sm_90a"); }

/// A kernel that stores `value`, with a global array and a function of its own.
std::string kernel(const std::string &name, int value) {
  return "llvm.mlir.global internal constant @table_" + name + "(dense<[1, " +
         std::to_string(value) +
         "]> : tensor<2xi32>) : !llvm.array<2 x i32>\n"
         "llvm.mlir.global external @shared_" +
         name +
         "() {addr_space = 3 : i32, alignment = 128 : i64} : "
         "!llvm.array<0 x i8>\n"
         "llvm.func @value_" +
         name + "(%t: i32) -> i32 {\n  %0 = arith.constant " +
         std::to_string(value) +
         " : i32\n  %1 = arith.addi %0, %t : i32\n  llvm.return %1 : i32\n}\n"
         "llvm.func @" +
         name +
         "(%x: !llvm.ptr<1>) attributes {nvvm.kernel} {\n"
         "  %t = nvvm.read.ptx.sreg.tid.x : i32\n"
         "  %0 = llvm.call @value_" +
         name +
         "(%t) : (i32) -> i32\n"
         "  %a = llvm.mlir.addressof @table_" +
         name +
         " : !llvm.ptr\n"
         "  %b = llvm.getelementptr %a[%t] : (!llvm.ptr, i32) -> !llvm.ptr, "
         "i32\n"
         "  %c = llvm.load %b : !llvm.ptr -> i32\n"
         "  %d = arith.addi %0, %c : i32\n"
         "  %s = llvm.mlir.addressof @shared_" +
         name +
         " : !llvm.ptr<3>\n"
         "  llvm.store volatile %d, %s : i32, !llvm.ptr<3>\n"
         "  llvm.store %d, %x : i32, !llvm.ptr<1>\n"
         "  llvm.return\n}\n";
}

/// Kernels k_0, k_1, ... that store 0, 1, ...; with `twins` all twice.
std::string program(int count, bool twins = false) {
  std::string text;
  for (int i = 0; i < count; ++i)
    text += kernel("k_" + std::to_string(i), i);
  for (int i = 0; i < (twins ? count : 0); ++i)
    text += kernel("k_" + std::to_string(count + i), i);
  return text;
}

class CudaKernels : public testing::Test {
protected:
  CudaKernels() {
    context.loadDialect<mlir::arith::ArithDialect, mlir::LLVM::LLVMDialect,
                        mlir::NVVM::NVVMDialect>();
    llvm::SmallString<128> path;
    EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("kernels", path));
    folder = path.str().str();
    setenv("TENON_PTXAS", "", /*overwrite=*/1);
  }
  ~CudaKernels() override {
    fs::remove_all(folder);
    unsetenv("TENON_PTXAS");
  }

  llvm::Expected<cuda::CompiledKernels>
  compile(const std::string &text, unsigned jobs = 1,
          const KernelCache *cache = nullptr) {
    auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    EXPECT_TRUE(module);
    return cuda::compileKernels(*module, hopper(), jobs, cache);
  }

  /// Whether ptxas or the library is installed, which from then on is used.
  static bool useAssembler() {
    unsetenv("TENON_PTXAS");
    auto assembler = cuda::findAssembler();
    EXPECT_TRUE(bool(assembler));
    return *assembler != nullptr;
  }

  mlir::MLIRContext context;
  std::string folder;
};

std::vector<std::string> textsOf(const cuda::CompiledKernels &kernels) {
  std::vector<std::string> texts;
  for (const cuda::Module &module : kernels.modules)
    texts.push_back(module.ptx);
  return texts;
}

size_t count(llvm::StringRef text, llvm::StringRef part) {
  return text.count(part);
}

} // namespace

TEST_F(CudaKernels, AreTenToAModule) {
  auto kernels = compile(program(12));
  ASSERT_TRUE(bool(kernels));
  ASSERT_EQ(kernels->modules.size(), 2u);
  ASSERT_EQ(kernels->kernels.size(), 12u);
  EXPECT_EQ(kernels->compiled, 12u);
  for (int i = 0; i < 12; ++i) {
    const cuda::PlacedKernel &placed = kernels->kernels[i];
    EXPECT_EQ(placed.module, i / 10u);
    EXPECT_TRUE(llvm::StringRef(placed.symbol).starts_with("k_"));
    EXPECT_EQ(count(kernels->modules[placed.module].ptx,
                    ".entry " + placed.symbol + "("),
              1u);
  }
  // One header, one array in shared memory, a table for each kernel.
  const std::string &ptx = kernels->modules[0].ptx;
  EXPECT_EQ(count(ptx, ".version"), 1u);
  EXPECT_EQ(count(ptx, ".extern .shared"), 1u);
  EXPECT_EQ(count(ptx, "\n.global .align"), 10u);
  EXPECT_EQ(count(ptx, ".func"), 0u);
  EXPECT_TRUE(kernels->assembler.empty());
  EXPECT_TRUE(kernels->modules[0].cubin.empty());
}

TEST_F(CudaKernels, AreCompiledOnce) {
  auto kernels = compile(program(3, /*twins=*/true));
  ASSERT_TRUE(bool(kernels));
  EXPECT_EQ(kernels->compiled, 3u);
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(kernels->kernels[i].symbol, kernels->kernels[i + 3].symbol);
  EXPECT_EQ(count(kernels->modules[0].ptx, ".visible .entry"), 3u);
}

TEST_F(CudaKernels, DependNeitherOnThreadsNorOnTheCache) {
  auto alone = compile(program(12), 1);
  ASSERT_TRUE(bool(alone));
  auto together = compile(program(12), 4);
  ASSERT_TRUE(bool(together));
  EXPECT_EQ(textsOf(*alone), textsOf(*together));
  KernelCache cache(folder, 1 << 20);
  for (size_t compiled : {12u, 0u}) {
    auto cached = compile(program(12), 2, &cache);
    ASSERT_TRUE(bool(cached));
    EXPECT_EQ(cached->warning, "");
    EXPECT_EQ(cached->compiled, compiled);
    EXPECT_EQ(cached->cached, 12 - compiled);
    EXPECT_EQ(textsOf(*alone), textsOf(*cached));
  }
}

TEST_F(CudaKernels, AreOfADevice) {
  auto module = mlir::parseSourceString<mlir::ModuleOp>(program(1), &context);
  auto old =
      cuda::compileKernels(*module, *tile::findGpuTarget("sm_80"), 1, nullptr);
  auto own = compile(program(1));
  ASSERT_TRUE(bool(old) && bool(own));
  EXPECT_NE(old->kernels[0].symbol, own->kernels[0].symbol);
  EXPECT_EQ(count(old->modules[0].ptx, ".target sm_80\n"), 1u);
}

TEST_F(CudaKernels, NameTheNodesOfWhatIsRefused) {
  auto kernels = compile("llvm.func @k_7(%x: !llvm.ptr<1>) attributes "
                         "{nvvm.kernel} {\n"
                         "  %0 = llvm.load %x : !llvm.ptr<1> -> f32\n"
                         "  %1 = llvm.intr.log(%0) : (f32) -> f32\n"
                         "  llvm.store %1, %x : f32, !llvm.ptr<1>\n"
                         "  llvm.return\n} loc(\"head\")");
  ASSERT_FALSE(bool(kernels));
  EXPECT_EQ(llvm::toString(kernels.takeError()),
            "kernel 'k_7' of node 'head' calls llvm.log.f32, which sm_90a does "
            "not have");
}

TEST_F(CudaKernels, AreAssembledWhereThereIsAnAssembler) {
  if (!useAssembler())
    GTEST_SKIP() << "no assembler is installed";
  KernelCache cache(folder, 1 << 20);
  auto first = compile(program(2), 1, &cache);
  auto second = compile(program(2), 1, &cache);
  ASSERT_TRUE(bool(first) && bool(second));
  EXPECT_FALSE(first->assembler.empty());
  ASSERT_EQ(first->modules.size(), 1u);
  EXPECT_EQ(std::string(first->modules[0].cubin.data() + 1, 3), "ELF");
  EXPECT_EQ(first->modules[0].cubin, second->modules[0].cubin);
  for (const auto *kernels : {&*first, &*second})
    for (const cuda::PlacedKernel &kernel : kernels->kernels) {
      EXPECT_GT(kernel.use.registers, 0);
      EXPECT_EQ(kernel.use.spillBytes, 0);
      EXPECT_EQ(kernel.use.sharedBytes, 0);
    }
}

TEST_F(CudaKernels, AreAssembledByTheLibrary) {
  auto library = cuda::openJitLink();
  if (!library)
    GTEST_SKIP() << "libnvJitLink is not installed";
  auto kernels = compile(program(1));
  ASSERT_TRUE(bool(kernels));
  auto assembled = library->assemble(kernels->modules[0].ptx, hopper());
  ASSERT_TRUE(bool(assembled)) << llvm::toString(assembled.takeError());
  EXPECT_EQ(std::string(assembled->cubin.data() + 1, 3), "ELF");
  auto refused = library->assemble("nothing", hopper());
  ASSERT_FALSE(bool(refused));
  EXPECT_NE(llvm::toString(refused.takeError()).find("libnvJitLink"),
            std::string::npos);
}

TEST_F(CudaKernels, SayWhyTheAssemblerFails) {
  setenv("TENON_PTXAS", "/nowhere/ptxas", 1);
  auto missing = compile(program(1));
  ASSERT_FALSE(bool(missing));
  EXPECT_NE(llvm::toString(missing.takeError()).find("'/nowhere/ptxas'"),
            std::string::npos);
  setenv("TENON_PTXAS", "/bin/false", 1);
  auto failing = compile(program(1));
  ASSERT_FALSE(bool(failing));
  EXPECT_EQ(llvm::toString(failing.takeError()), "'/bin/false' does not run");
  // It says its version, whatever it is asked.
  std::string script = folder + "/ptxas";
  FILE *file = fopen(script.c_str(), "w");
  fputs("#!/bin/sh\n[ $1 = --version ] && echo mine && exit\n"
        "echo nothing works\nexit 1\n",
        file);
  fclose(file);
  fs::permissions(script, fs::perms::owner_all);
  setenv("TENON_PTXAS", script.c_str(), 1);
  auto refused = compile(program(1));
  ASSERT_FALSE(bool(refused));
  EXPECT_EQ(llvm::toString(refused.takeError()),
            "kernel 'k_0': ptxas: nothing works\n");
}

TEST(CudaLog, SaysWhatKernelsUse) {
  constexpr const char *log =
      "ptxas info    : 0 bytes gmem\n"
      "ptxas info    : Compiling entry function 'a' for 'sm_90a'\n"
      "ptxas info    : Function properties for a\n"
      "    8 bytes stack frame, 24 bytes spill stores, 32 bytes spill loads\n"
      "ptxas info    : Used 168 registers, used 1 barriers, 8 bytes cumulative "
      "stack size, 1032 bytes smem, 400 bytes cmem[0]\n"
      "ptxas info    : (C7510) Potential Performance Loss: wgmma.mma_async "
      "instructions are serialized in function 'a'\n"
      "ptxas info    : Compiling entry function 'b' for 'sm_90a'\n"
      "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 4 registers, used 0 barriers\n"
      "ptxas info    : (C7519) a remark\n";
  auto uses = cuda::usesOf(log);
  ASSERT_EQ(uses.size(), 2u);
  EXPECT_EQ(uses["a"].registers, 168);
  EXPECT_EQ(uses["a"].sharedBytes, 1032);
  EXPECT_EQ(uses["a"].spillBytes, 24);
  EXPECT_EQ(uses["b"].registers, 4);
  EXPECT_EQ(uses["b"].sharedBytes, 0);
  EXPECT_EQ(uses["b"].spillBytes, 0);
  EXPECT_EQ(
      cuda::remarksOf(log),
      (std::vector<std::string>{
          "kernel 'a' spills 24 bytes",
          "ptxas info    : (C7510) Potential Performance Loss: "
          "wgmma.mma_async instructions are serialized in function 'a'"}));
}

TEST(CudaImage, HasCubinsInFront) {
  cuda::Image image =
      cuda::layOut({{"first", {'E', 'L', 'F'}}, {"second", {}}}, 64);
  ASSERT_EQ(image.modules.size(), 3u);
  EXPECT_TRUE(image.modules[0].isCubin);
  EXPECT_EQ(image.modules[0].size, 3u);
  EXPECT_EQ(image.modules[1].offset, 64u);
  EXPECT_EQ(image.modules[1].size, 6u);
  EXPECT_EQ(std::string(image.bytes.data() + 64), "first");
  EXPECT_EQ(image.modules[2].unit, 1u);
  EXPECT_EQ(image.modules[2].offset, 128u);
  EXPECT_EQ(image.bytes.size(), 128u + 7u);
}
