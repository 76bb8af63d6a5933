//===- EmitDeviceTest.cpp - programs for devices to artifacts -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file writes artifacts of programs that have been planned by hand: one
// for a device, behind which stands one for a processor.
//===----------------------------------------------------------------------===//
// LINK: TenonCompiler TenonEmit tenon_runtime MLIR LLVM
#include "lib/Compiler/Compiler.h"
#include "mlir/Parser/Parser.h"
#include "passes/Emit/Emit.h"
#include "test/unit/ArtifactTestModel.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cstdlib>

using namespace tenon;
using namespace tenon::test;

namespace {

constexpr llvm::StringLiteral buffers =
    "func.func @main() attributes {memory.arena_bytes = 0 : i64, "
    "memory.arena_lower_bound_bytes = 0 : i64, memory.inputs = [{name = \"x\", "
    "type = tensor<64xf32>}], memory.outputs = [{name = \"y\", type = "
    "tensor<64xf32>}]} {\n"
    "  %0 = memory.input 0 : <tensor<64xf32>, [1], 0, 256>\n"
    "  %1 = memory.output 0 : <tensor<64xf32>, [1], 0, 256>\n"
    "  %2 = memory.constant dense<2.0> : tensor<64xf32> : <tensor<64xf32>, "
    "[1], 0, 256>\n"
    "  kernel.launch @k_0 tiles(TILES) reads(%0, %2 : "
    "!memory.buffer<tensor<64xf32>, [1], 0, 256>, "
    "!memory.buffer<tensor<64xf32>, [1], 0, 256>) writes(%1 : "
    "!memory.buffer<tensor<64xf32>, [1], 0, 256>) {bytes = 768 : i64, flops = "
    "64 : i64, nodes = \"scale\"DEVICE}\n"
    "  return\n}\n";

constexpr llvm::StringLiteral processorKernel =
    "func.func private @k_0(%call: !llvm.ptr) { return }\n";

constexpr llvm::StringLiteral deviceKernel =
    "llvm.func @k_0(%map: !llvm.ptr {llvm.byval = !llvm.array<128 x i8>, "
    "nvvm.grid_constant, llvm.align = 64 : i64}, %x: !llvm.ptr<1>, %w: "
    "!llvm.ptr<1>, %y: !llvm.ptr<1>, %first: i64) attributes {nvvm.kernel, "
    "kernel.error_growth = 2.0 : f64} {\n"
    "  %0 = llvm.load %x : !llvm.ptr<1> -> f32\n"
    "  llvm.store %0, %y : f32, !llvm.ptr<1>\n"
    "  llvm.return\n}\n";

constexpr llvm::StringLiteral map =
    "#kernel.map<operand = 0, element = ELEMENT, dims = [16, 4], strides = "
    "[64], box = [16, 2], steps = [1, 1], swizzle = 64, offset = 0>";

std::string replace(std::string text, llvm::StringRef word,
                    llvm::StringRef by) {
  size_t at = text.find(word);
  return at == std::string::npos ? text : text.replace(at, word.size(), by);
}

std::string deviceProgram(llvm::StringRef element = "f32",
                          llvm::StringRef grid = "[3, 2]") {
  std::string device =
      ", steps = 2, device = #kernel.device<grid = " + grid.str() +
      ", threads = 64, shared = 512, cluster = 2, cooperative = false, "
      "programmatic = true, maps = [" +
      replace(map.str(), "ELEMENT", element) + "]>";
  return replace(replace(buffers.str(), "TILES", "4"), "DEVICE", device) +
         deviceKernel.str();
}

std::string processorProgram() {
  return replace(replace(buffers.str(), "TILES", "1"), "DEVICE", "") +
         processorKernel.str();
}

class EmitDevice : public testing::Test {
protected:
  EmitDevice() : context(createContext(1)) {
    setenv("TENON_PTXAS", "", /*overwrite=*/1);
  }
  ~EmitDevice() override { unsetenv("TENON_PTXAS"); }

  /// The text's errors go nowhere: they are those of what is returned.
  llvm::Expected<emit::StageInfo> emit(const std::string &device,
                                       const std::string &processor,
                                       llvm::StringRef path) {
    auto first = mlir::parseSourceString<mlir::ModuleOp>(device, &*context);
    auto second = mlir::parseSourceString<mlir::ModuleOp>(processor, &*context);
    EXPECT_TRUE(first && second);
    auto cpu = cpu::resolveCpu("x86-64");
    EXPECT_TRUE(bool(cpu));
    emit::Program programs[] = {{*first, *cpu, tile::findGpuTarget("sm_90a")},
                                {*second, *cpu}};
    return emit::emitArtifact(programs, {1, "model"}, path);
  }

  std::unique_ptr<mlir::MLIRContext> context;
};

std::string contentOf(llvm::StringRef path) {
  return (*llvm::MemoryBuffer::getFile(path))->getBuffer().str();
}

} // namespace

TEST_F(EmitDevice, StandsInFrontOfAProcessor) {
  TemporaryFile file, again;
  auto info = emit(deviceProgram(), processorProgram(), file.path);
  ASSERT_TRUE(bool(info)) << llvm::toString(info.takeError());
  const artifact::ArtifactDesc &desc = info->desc;
  ASSERT_EQ(desc.variants.size(), 2u);
  EXPECT_EQ(desc.variants[0].targetCpu, "cuda-sm_90a");
  EXPECT_EQ(desc.variants[1].targetCpu, "x86-64");
  EXPECT_FALSE(desc.variants[1].device.has_value());
  // Weights are shared.
  EXPECT_EQ(desc.weights.size(), 1u);
  EXPECT_EQ(info->compiledKernels, 2u);
  EXPECT_EQ(info->assembler, "");
  auto other = emit(deviceProgram(), processorProgram(), again.path);
  ASSERT_TRUE(bool(other));
  EXPECT_EQ(contentOf(file.path), contentOf(again.path));
}

TEST_F(EmitDevice, DescribesLaunches) {
  TemporaryFile file;
  auto info = emit(deviceProgram(), processorProgram(), file.path);
  ASSERT_TRUE(bool(info)) << llvm::toString(info.takeError());
  const artifact::VariantDesc &variant = info->desc.variants[0];
  EXPECT_EQ(variant.plan.arenaAlignment, 256u);
  ASSERT_EQ(variant.kernels.size(), 1u);
  EXPECT_TRUE(llvm::StringRef(variant.kernels[0].name).starts_with("k_"));
  EXPECT_EQ(variant.kernels[0].entry, 0u);
  EXPECT_EQ(variant.kernels[0].errorGrowth, 2);
  EXPECT_EQ(variant.launches[0].tiles, 4);
  EXPECT_EQ(variant.launches[0].steps, 2);
  const artifact::DeviceDesc &device = *variant.device;
  // A sixth of what tensor cores do in f16.
  EXPECT_EQ(device.gflops, 126666u);
  EXPECT_EQ(device.architecture.number, 90u);
  EXPECT_TRUE(device.architecture.exact);
  ASSERT_EQ(device.launches.size(), 1u);
  const artifact::DeviceLaunchDesc &launch = device.launches[0];
  EXPECT_EQ(launch.gridY, 3u);
  EXPECT_EQ(launch.gridZ, 2u);
  EXPECT_EQ(launch.threads, 64u);
  EXPECT_EQ(launch.sharedBytes, 512u);
  EXPECT_EQ(launch.cluster, 2u);
  EXPECT_FALSE(launch.cooperative);
  EXPECT_TRUE(launch.programmatic);
  ASSERT_EQ(launch.maps.size(), 1u);
  EXPECT_EQ(launch.maps[0].type, artifact::MapType::F32);
  EXPECT_EQ(launch.maps[0].swizzle, 64u);
  EXPECT_EQ(launch.maps[0].dims, (std::vector<uint64_t>{16, 4}));
  EXPECT_EQ(launch.maps[0].box, (std::vector<uint32_t>{16, 2}));
  ASSERT_EQ(device.modules.size(), 1u);
  EXPECT_EQ(device.modules[0].kind, artifact::ModuleKind::Ptx);
  std::string text = contentOf(file.path);
  EXPECT_NE(text.find(".entry " + variant.kernels[0].name), std::string::npos);
  EXPECT_NE(text.find(".param .align 64 .b8"), std::string::npos);
}

TEST_F(EmitDevice, TakesTheElementTypesOfMaps) {
  using artifact::MapType;
  // Types whose rows have 64 bytes at most.
  for (auto [element, type] : {std::pair("f16", MapType::F16),
                               {"bf16", MapType::BF16},
                               {"i32", MapType::I32},
                               {"i8", MapType::U8}}) {
    TemporaryFile file;
    auto info = emit(deviceProgram(element), processorProgram(), file.path);
    ASSERT_TRUE(bool(info)) << llvm::toString(info.takeError());
    EXPECT_EQ(info->desc.variants[0].device->launches[0].maps[0].type, type);
  }
}

TEST_F(EmitDevice, RefusesWhatIsNotForTheTarget) {
  TemporaryFile file;
  EXPECT_FAILS("this launch is for a processor, not for 'cuda-sm_90a'",
               emit(processorProgram(), processorProgram(), file.path));
  EXPECT_FAILS("this launch is for a device, not for 'x86-64'",
               emit(deviceProgram(), deviceProgram(), file.path));
  EXPECT_FAILS("no tensor map has elements of 'f64'",
               emit(deviceProgram("f64"), processorProgram(), file.path));
  EXPECT_FAILS(
      "a grid has two numbers beside the tiles",
      emit(deviceProgram("f32", "[3]"), processorProgram(), file.path));
  EXPECT_FAILS("numbers of a device are out of range",
               emit(deviceProgram("f32", "[4294967297, 1]"), processorProgram(),
                    file.path));
  EXPECT_FAILS(
      "numbers of a tensor map are out of range",
      emit(replace(deviceProgram(), "box = [16, 2]", "box = [4294967312, 2]"),
           processorProgram(), file.path));
  EXPECT_FAILS("its maps are not those of a device",
               emit(replace(deviceProgram(), "maps = [#", "maps = [1, #"),
                    processorProgram(), file.path));
}
