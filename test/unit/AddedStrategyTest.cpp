//===- AddedStrategyTest.cpp - a strategy as the page adds it -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file follows docs/adding-a-strategy.md, whose code it holds word for
// word, and runs what comes of it: for a processor, and for a GPU on the
// emulator.
//===----------------------------------------------------------------------===//
// LINK: TenonCompiler TenonArtifact tenon_runtime tenon-cuda-emulator MLIR LLVM
#include "dialects/Graph/Graph.h"
#include "mlir/IR/TypeUtilities.h"
#include "passes/Codegen/Backends.h"
#include "passes/Codegen/Bodies/Move.h"
#include "passes/Codegen/Builder/VectorMath.h"
#include "passes/Codegen/Groups/Work.h"
#include "passes/CodegenCpu/CpuDevice.h"
#include "passes/CodegenCpu/Strategies.h"
#include "passes/CodegenGpu/Builder/ThreadBuilder.h"
#include "passes/CodegenGpu/GpuDevice.h"
#include "passes/CodegenGpu/Strategies.h"
#include "test/unit/CompiledTestProgram.h"
#include "test/unit/CudaTestModel.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

static bool isNegation(kernel::GroupOp group) {
  Operation *op = &group.getBlock().front();
  return isa<graph::NegOp>(op) &&
         getElementTypeOrSelf(op->getResult(0).getType()).isF32() &&
         op->getNextNode() == group.getBlock().getTerminator();
}

static PlannedChoices planNegation(const PlanRequest &request) {
  kernel::GroupOp group = request.group;
  Builder b(group.getContext());
  auto each =
      b.getNamedAttr("each", b.getI64IntegerAttr(request.target.tileWork));
  StagePlan plan;
  plan.plan = kernel::PlanAttr::get(b.getContext(), "negation",
                                    b.getDictionaryAttr(each));
  return theOnlyChoice(std::move(plan), request);
}

static FailureOr<StageInfo> emitNegation(const StageRequest &request) {
  KernelBuilder &b = request.b;
  Type f32 = b.f32Type();
  int64_t each = request.plan.getInt("each"),
          lanes = request.target().lanes(sizeof(float));
  Size elements =
      graph::productOf(graph::sizesOf(request.operands[0].getTensor()));
  b.forTiles([&](Value tile) {
    Value first = b.mul(tile, each);
    Value from = b.at(b.buffer(0), first, f32),
          to = b.at(b.buffer(1), first, f32);
    Value length = b.min(b.index(each), b.sub(b.index(elements), first));
    forRun(b, length, lanes, [&](Value i, int64_t vectors, Value live) {
      for (int64_t v = 0; v < vectors; ++v) {
        Value place = b.add(i, v * lanes), count = live ? live : b.index(lanes);
        Num x(b, b.loadPart(b.at(from, place, f32), b.vectorType(f32, lanes),
                            count, f32));
        b.storePart((-x).get(), b.at(to, place, f32), count, f32);
      }
    });
  });
  StageInfo info;
  info.tiles = elements.ceilDiv(each);
  return info;
}

static bool isDense(kernel::GroupOp, unsigned, memory::BufferType type) {
  return type.isDense();
}

static bool takesAll(kernel::GroupOp) { return true; }

static const Strategy negation{.name = "negation",
                               .matches = isNegation,
                               .plan = planNegation,
                               .emit = emitNegation,
                               .canAddress = isDense,
                               .takesSymbols = takesAll};

static PlannedChoices planNegationOnGpu(const PlanRequest &request) {
  kernel::GroupOp group = request.group;
  MLIRContext *context = group.getContext();
  const tile::GpuTarget &target = tenon::gpu::targetOf(request.device);
  StagePlan plan;
  plan.plan = kernel::PlanAttr::get(context, "gpu_negation",
                                    DictionaryAttr::get(context));
  double bytes = codegen::workOf(group).footprint();
  return oneChoice(
      std::move(plan),
      Time::ofMicroseconds(tile::shortestKernel + bytes / target.memoryBytes));
}

static FailureOr<StageInfo> emitNegationOnGpu(const StageRequest &request) {
  constexpr int64_t threads = 128;
  tenon::gpu::ThreadBuilder t(request.b.builder(), request.b.loc());
  int64_t elements = request.operands[0].getTensor().getNumElements();
  Value point = t.add(t.mul(t.block(), threads), t.thread(threads));
  t.ifThen(t.less(point, elements), [&] {
    Type f32 = request.b.f32Type();
    Num x(request.b, t.load(t.element(request.b.buffer(0), point, 4), f32, 4));
    t.store((-x).get(), t.element(request.b.buffer(1), point, 4), 4);
  });
  StageInfo info;
  info.tiles = (elements + threads - 1) / threads;
  MLIRContext *context = request.plan.getContext();
  info.launch = kernel::DeviceAttr::get(
      context, {1, 1}, threads, /*shared=*/0, /*cluster=*/1,
      /*cooperative=*/false, /*programmatic=*/false,
      ArrayAttr::get(context, {}));
  return info;
}

static const Strategy negationOnGpu{.name = "gpu_negation",
                                    .matches = isNegation,
                                    .plan = planNegationOnGpu,
                                    .emit = emitNegationOnGpu,
                                    .canAddress = isDense};

//===-- What the tables would do ------------------------------------------===//

static std::vector<const Strategy *> with(const Strategy &added,
                                          ArrayRef<const Strategy *> others) {
  std::vector<const Strategy *> all{&added};
  llvm::append_range(all, others);
  return all;
}

static const std::vector<const Strategy *> onCpu =
    with(negation, cpuStrategies());
static const std::vector<const Strategy *> onGpu =
    with(negationOnGpu, tenon::gpu::strategies());

namespace {
struct NegatingCpu : CpuDevice {
  using CpuDevice::CpuDevice;
  ArrayRef<const Strategy *> strategies() const override { return onCpu; }
};
struct NegatingGpu : tenon::gpu::GpuDevice {
  using GpuDevice::GpuDevice;
  ArrayRef<const Strategy *> strategies() const override { return onGpu; }
};
} // namespace

static void addNegation(MLIRContext &context) {
  Backends &backends = Backends::of(&context);
  backends.add(
      {"cpu", onCpu,
       [](StringRef name) { return tile::findTarget(name) != nullptr; },
       [](ModuleOp, const DeviceOptions &options) -> std::unique_ptr<Device> {
         return std::make_unique<NegatingCpu>(*tile::findTarget(options.name),
                                              options.arithmetic);
       }});
  backends.add(
      {"gpu", onGpu,
       [](StringRef name) { return tile::findGpuTarget(name) != nullptr; },
       [](ModuleOp, const DeviceOptions &options) -> std::unique_ptr<Device> {
         const tile::GpuTarget &target = *tile::findGpuTarget(options.name);
         return std::make_unique<NegatingGpu>(
             target, options.precision,
             std::make_unique<CpuDevice>(tile::threadOf(target), Arithmetic()));
       }});
}

//===-- What comes of it --------------------------------------------------===//

static void expectNegated(const test::CompiledProgram &program, size_t count,
                          StringRef kernel) {
  SCOPED_TRACE(kernel.str());
  EXPECT_TRUE(program.hasKernel(kernel));
  std::vector<float> x(count), wanted(count);
  for (size_t i = 0; i < count; ++i) {
    x[i] = float(i) - 7.5F;
    wanted[i] = -x[i];
  }
  EXPECT_EQ(program.run<float>(x), wanted);
}

/// Lengths around vectors, tiles and blocks.
static constexpr size_t lengths[] = {1, 7, 8, 33, 129, 8191, 8193, 20000};

static test::CompiledProgram compiled(size_t length,
                                      const CompileOptions &options) {
  std::string type = "tensor<" + std::to_string(length) + "xf32>";
  std::string text = "func.func @main(%x: " + type +
                     " {onnx.name = \"x\"}) -> (" + type +
                     " {onnx.name = \"y\"}) {\n  %y = graph.neg %x : (" + type +
                     ") -> " + type + "\n  return %y : " + type + "\n}\n";
  return {text, options, addNegation};
}

TEST(AddedStrategy, RunsOnProcessors) {
  for (size_t length : lengths)
    expectNegated(compiled(length, {}), length, "negation");
}

TEST(AddedStrategy, RunsOnGpus) {
  ASSERT_TRUE(test::usesEmulator);
  CompileOptions options;
  options.device = "cuda:sm_80";
  for (size_t length : lengths)
    expectNegated(compiled(length, options), length, "gpu_negation");
}
