//===- TargetCpuTest.cpp - kernels to images, and what is refused ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LINK: TenonTargetCpu MLIR LLVM
//
// This file compiles and links small functions of the LLVM dialect: what the
// compiler itself would never hand over must be refused.
//===----------------------------------------------------------------------===//
#include "lib/Target/Cpu/Cpu.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Parser/Parser.h"

#include "gtest/gtest.h"

using namespace tenon;

namespace {

constexpr const char *emptyKernel = "llvm.func @kernel() { llvm.return }";

class TargetCpu : public testing::Test {
protected:
  TargetCpu() {
    context.loadDialect<mlir::LLVM::LLVMDialect, mlir::arith::ArithDialect>();
    llvm::Expected<cpu::CpuTarget> resolved = cpu::resolveCpu("");
    if (resolved)
      target = *resolved;
  }

  llvm::Expected<std::vector<cpu::Object>> compile(llvm::StringRef source) {
    auto module = mlir::parseSourceString<mlir::ModuleOp>(source, &context);
    return cpu::compileToObjects(*module, target, 1);
  }

  mlir::MLIRContext context;
  cpu::CpuTarget target;
};

std::string message(llvm::Expected<cpu::Image> image) {
  return image ? "" : llvm::toString(image.takeError());
}

TEST_F(TargetCpu, FindsTheKernelsOfAnImage) {
  auto objects = compile(emptyKernel);
  ASSERT_TRUE(bool(objects));
  auto image = cpu::linkImage(*objects, {"kernel"});
  ASSERT_TRUE(bool(image));
  ASSERT_EQ(image->entries.size(), 1u);
  EXPECT_LT(image->entries[0], image->bytes.size());
}

TEST_F(TargetCpu, NamesAMissingKernel) {
  auto objects = compile(emptyKernel);
  ASSERT_TRUE(bool(objects));
  EXPECT_EQ(message(cpu::linkImage(*objects, {"other"})),
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

TEST_F(TargetCpu, RefusesWhatDoesNotTranslate) {
  mlir::ScopedDiagnosticHandler quiet(
      &context, [](mlir::Diagnostic &) { return mlir::success(); });
  auto objects = compile("llvm.func @kernel() {"
                         " %0 = arith.constant 1 : i32 llvm.return }");
  ASSERT_FALSE(bool(objects));
  EXPECT_EQ(llvm::toString(objects.takeError()),
            "kernels do not translate to LLVM IR");
}

} // namespace
