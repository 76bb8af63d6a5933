//===- TargetCpuTest.cpp - kernels to images, and what is refused ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LINK: TenonTargetCpu MLIR LLVM
//
// This file compiles and links small functions: what the compiler itself would
// never hand over must be refused.
//===----------------------------------------------------------------------===//
#include "lib/Target/Cpu/Cpu.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"

using namespace tenon;

namespace {

constexpr const char *emptyKernel = "func.func @kernel() { return }";

class TargetCpu : public testing::Test {
protected:
  TargetCpu() {
    context.loadDialect<mlir::func::FuncDialect, mlir::LLVM::LLVMDialect,
                        mlir::arith::ArithDialect, mlir::scf::SCFDialect>();
    context.allowUnregisteredDialects();
    llvm::Expected<cpu::CpuTarget> resolved = cpu::resolveCpu("");
    if (resolved)
      target = *resolved;
  }

  llvm::Expected<cpu::CompiledKernels> compile(llvm::StringRef source) {
    auto module = mlir::parseSourceString<mlir::ModuleOp>(source, &context);
    return cpu::compileKernels(*module, target, 1, nullptr);
  }

  mlir::MLIRContext context;
  cpu::CpuTarget target;
};

mlir::LogicalResult ignore(mlir::Diagnostic &) { return mlir::success(); }

std::string message(llvm::Expected<cpu::Image> image) {
  return image ? "" : llvm::toString(image.takeError());
}

TEST(ResolveCpu, FindsTheArchitecture) {
  struct {
    const char *cpu, *triple, *architecture, *row;
    bool hasHalf;
  } cases[] = {{"haswell", "", "x86_64", "avx2", false},
               {"znver4", "", "x86_64", "zen4", false},
               {"znver5", "", "x86_64", "zen5", false},
               {"x86-64-v4", "", "x86_64", "avx512", false},
               {"icelake-server", "", "x86_64", "avx512", false},
               {"graniterapids", "", "x86_64", "amx", false},
               {"cooperlake", "", "x86_64", "avx512", false},
               {"neoverse-n1", "", "aarch64", "neon", true},
               {"cortex-a72", "", "aarch64", "neon", false},
               {"generic", "aarch64-linux-gnu", "aarch64", "neon", false},
               {"", "aarch64-linux-gnu", "aarch64", "neon", false},
               {"", "x86_64-linux-gnu", "x86_64", "baseline", false}};
  for (const auto &one : cases) {
    auto target = cpu::resolveCpu(one.cpu, one.triple);
    ASSERT_TRUE(bool(target)) << llvm::toString(target.takeError());
    EXPECT_EQ(target->architecture(), one.architecture);
    EXPECT_EQ(target->row->name, one.row);
    EXPECT_EQ(llvm::is_contained(target->extensions, "fullfp16"), one.hasHalf);
  }
}

TEST_F(TargetCpu, FindsTheKernelsOfAnImage) {
  auto kernels = compile(emptyKernel);
  ASSERT_TRUE(bool(kernels));
  auto image = cpu::linkImage(kernels->objects, kernels->symbols);
  ASSERT_TRUE(bool(image));
  ASSERT_EQ(image->entries.size(), 1u);
  EXPECT_LT(image->entries[0], image->bytes.size());
}

TEST_F(TargetCpu, NamesAMissingKernel) {
  auto kernels = compile(emptyKernel);
  ASSERT_TRUE(bool(kernels));
  EXPECT_EQ(message(cpu::linkImage(kernels->objects, {"other"})),
            "kernel 'other' is missing");
}

TEST_F(TargetCpu, RefusesWhatIsNoObject) {
  std::string text = message(cpu::linkImage(cpu::Object(64, 'x'), {"kernel"}));
  EXPECT_NE(text.find("linking the kernels failed: "), std::string::npos);
}

TEST_F(TargetCpu, RefusesDataThatNeedsRelocation) {
  cpu::StaticData data{"model", "meta", "weights", {}};
  auto object = cpu::dataObject(data, target);
  ASSERT_TRUE(bool(object));
  EXPECT_EQ(message(cpu::linkImage(*object, {"model"})),
            "kernels left a section '.rela.dyn'");
}

TEST_F(TargetCpu, RefusesWhatNeedsALibrary) {
  auto kernels = compile(R"(
    func.func @sets(%p: !llvm.ptr, %v: i8, %n: i64) {
      "llvm.intr.memset"(%p, %v, %n) <{isVolatile = false}>
        : (!llvm.ptr, i8, i64) -> ()
      return
    } loc(fused["Fill_1", "Fill_2"]))");
  ASSERT_FALSE(bool(kernels));
  EXPECT_EQ(llvm::toString(kernels.takeError()),
            "kernel 'sets' of node 'Fill_1, Fill_2' needs memset from a "
            "library, which kernels must not");
}

TEST_F(TargetCpu, MovesHalvesWithoutALibrary) {
  for (const char *cpu : {"x86-64", "haswell", "skylake-avx512",
                          "sapphirerapids", "cortex-a72", "neoverse-n1"})
    for (const char *type : {"bf16", "f16"}) {
      auto resolved = cpu::resolveCpu(cpu);
      ASSERT_TRUE(bool(resolved));
      target = *resolved;
      std::string text = R"(
        func.func @kernel(%p: !llvm.ptr, %c: i1) {
          %0 = llvm.load %p : !llvm.ptr -> T
          %1 = llvm.getelementptr %p[1] : (!llvm.ptr) -> !llvm.ptr, T
          %2 = llvm.load %1 : !llvm.ptr -> T
          %3 = arith.select %c, %0, %2 : T
          %4 = arith.constant 0.5 : T
          %5 = arith.select %c, %3, %4 : T
          llvm.store %5, %p : T, !llvm.ptr
          return
        })";
      for (size_t at; (at = text.find("T")) != std::string::npos;)
        text.replace(at, 1, type);
      auto kernels = compile(text);
      EXPECT_TRUE(bool(kernels))
          << cpu << ": " << llvm::toString(kernels.takeError());
    }
}

TEST_F(TargetCpu, RefusesWhatDoesNotLower) {
  mlir::ScopedDiagnosticHandler quiet(&context, ignore);
  auto kernels =
      compile(R"(func.func @kernel(%x: tensor<4xf32>) -> tensor<4xf32> {
    %y = scf.forall (%i) in (2) shared_outs(%o = %x) -> tensor<4xf32> {
      scf.forall.in_parallel {}
    }
    return %y : tensor<4xf32>
  })");
  ASSERT_FALSE(bool(kernels));
  EXPECT_EQ(llvm::toString(kernels.takeError()),
            "kernels do not lower to LLVM");
}

TEST_F(TargetCpu, RefusesWhatDoesNotTranslate) {
  mlir::ScopedDiagnosticHandler quiet(&context, ignore);
  auto kernels = compile(
      "func.func @kernel() { \"nowhere.nothing\"() : () -> () return }");
  ASSERT_FALSE(bool(kernels));
  EXPECT_EQ(llvm::toString(kernels.takeError()),
            "kernels do not translate to LLVM IR");
}

} // namespace
