//===- KernelTest.cpp - kernels against the interpreter -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file compiles each group in kernels/*.mlir for each instruction set that
// this processor has, runs it on random operands, and compares every element
// with the interpreter. Bytes behind each result must stay untouched.
//===----------------------------------------------------------------------===//
// LINK: TenonCodegenCpu TenonTargetCpu TenonInterpreter TenonKernel TenonGraph
#include "dialects/Kernel/Kernel.h"
#include "dialects/Graph/Graph.h"
#include "lib/Interpreter/Interpreter.h"
#include "lib/Target/Cpu/Cpu.h"
#include "passes/CodegenCpu/Builder/ElementwiseOps.h"
#include "passes/CodegenCpu/Planning.h"
#include "tenon-c/Runtime.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "test/unit/TestProcessors.h"
#include "gtest/gtest.h"

#include <cmath>
#include <filesystem>
#include <random>
#include <sys/mman.h>

using namespace mlir;
using namespace tenon;

namespace {

constexpr size_t guardBytes = 64;
constexpr unsigned char guardByte = 0xEE;

/// Storage of one operand or result with a guard behind it, which begins so
/// many bytes behind the beginning of a line.
class Storage {
public:
  explicit Storage(size_t size, size_t behind = 0) : size(size) {
    size_t whole = (behind + size + 2 * guardBytes) / 64 * 64;
    line = static_cast<char *>(std::aligned_alloc(64, whole));
    bytes = line + behind;
    std::memset(bytes, guardByte, size + guardBytes);
  }
  Storage(Storage &&other)
      : bytes(other.bytes), size(other.size), line(other.line) {
    other.line = nullptr;
  }
  ~Storage() { std::free(line); }

  bool guardHolds() const {
    return std::all_of(bytes + size, bytes + size + guardBytes, [](char c) {
      return static_cast<unsigned char>(c) == guardByte;
    });
  }

  char *bytes;
  size_t size;

private:
  char *line;
};

/// Machine code mapped for execution.
class Code {
public:
  explicit Code(const cpu::Image &image) : size(image.bytes.size()) {
    address = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    std::memcpy(address, image.bytes.data(), size);
    mprotect(address, size, PROT_READ | PROT_EXEC);
    entry = image.entries[0];
  }
  ~Code() { munmap(address, size); }

  void run(void *const *buffers, void *scratch, int64_t tiles,
           int64_t steps) const {
    auto kernel =
        reinterpret_cast<tenon_kernel_fn>(static_cast<char *>(address) + entry);
    for (int64_t step = 0; step < steps; ++step) {
      tenon_call call = {buffers, nullptr, scratch, step * tiles,
                         (step + 1) * tiles};
      kernel(&call);
    }
  }

private:
  void *address;
  size_t size;
  uint64_t entry;
};

} // namespace

//===-- Elements -------------------------------------------------------===//

static double readElement(const char *data, Type type, int64_t i) {
  unsigned width = type.isInteger(1) ? 8 : type.getIntOrFloatBitWidth();
  uint64_t raw = 0;
  std::memcpy(&raw, data + i * width / 8, width / 8);
  APInt bits(width, raw);
  if (auto real = dyn_cast<FloatType>(type)) {
    APFloat value(real.getFloatSemantics(), bits);
    bool lossy;
    value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &lossy);
    return value.convertToDouble();
  }
  return type.isUnsignedInteger() || type.isInteger(1)
             ? double(raw)
             : double(bits.getSExtValue());
}

static void writeElement(char *data, Type type, int64_t i, double x) {
  unsigned width = type.isInteger(1) ? 8 : type.getIntOrFloatBitWidth();
  uint64_t raw;
  if (auto real = dyn_cast<FloatType>(type)) {
    APFloat value(x);
    bool lossy;
    value.convert(real.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                  &lossy);
    raw = value.bitcastToAPInt().getZExtValue();
  } else if (type.isInteger(1)) {
    raw = x > 0;
  } else {
    raw = uint64_t(std::llround(type.isUnsignedInteger() ? std::fabs(x) : x));
  }
  std::memcpy(data + i * width / 8, &raw, width / 8);
}

static interp::Tensor randomTensor(RankedTensorType type, std::mt19937 &rng) {
  interp::Tensor tensor = interp::Tensor::allocate(type);
  std::normal_distribution<double> normal(0, 1.5);
  for (int64_t i = 0; i < tensor.size(); ++i)
    writeElement(tensor.mutableBytes().data(), type.getElementType(), i,
                 normal(rng));
  return tensor;
}

/// The largest difference relative to the largest number.
static double difference(const interp::Tensor &want, const char *got) {
  Type type = want.getElementType();
  double scale = 1e-30, worst = 0;
  for (int64_t i = 0; i < want.size(); ++i)
    if (double x = readElement(want.bytes().data(), type, i); std::isfinite(x))
      scale = std::max(scale, std::fabs(x));
  for (int64_t i = 0; i < want.size(); ++i) {
    double x = readElement(want.bytes().data(), type, i);
    double y = readElement(got, type, i);
    if (x == y || (std::isnan(x) && std::isnan(y)))
      continue;
    double error = std::fabs(x - y) / scale;
    worst = std::isnan(error) ? INFINITY : std::max(worst, error);
  }
  return worst;
}

static double tolerance(Type type) {
  if (type.isBF16())
    return 1e-2;
  if (type.isF16())
    return 2e-3;
  return type.isF64() ? 1e-12 : 1e-5;
}

//===-- One kernel -----------------------------------------------------===//

static memory::BufferType denseType(Value value) {
  return memory::BufferType::getDense(cast<RankedTensorType>(value.getType()));
}

static kernel::PlanAttr withParam(kernel::PlanAttr plan, StringRef name,
                                  int64_t value) {
  Builder b(plan.getContext());
  NamedAttrList params(plan.getParams());
  params.set(name, b.getI64IntegerAttr(value));
  return kernel::PlanAttr::get(plan.getContext(), plan.getStrategy(),
                               params.getDictionary(plan.getContext()));
}

/// The plan with its decision to split steps reversed; null if it has none.
static kernel::PlanAttr otherSplit(kernel::PlanAttr plan) {
  if (!plan.getParams().contains("split"))
    return nullptr;
  return withParam(plan, "split", !plan.getInt("split"));
}

/// The plan with results going past the caches, as those of large tensors do;
/// null where they can't.
static kernel::PlanAttr streaming(kernel::PlanAttr plan,
                                  const tile::Target &target) {
  if (!plan.getParams().contains("transposed") || !target.hasStreams())
    return nullptr;
  return withParam(plan, "stream", 1);
}

/// Fails the test when there is no code.
static std::unique_ptr<Code> compile(kernel::GroupOp group,
                                     const codegen::StagePlan &plan,
                                     const cpu::CpuTarget &target,
                                     codegen::StageInfo &result) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(group.getLoc());
  codegen::KernelFunction function(*module, group.getLoc(), "k",
                                   group->getNumOperands() +
                                       group->getNumResults() +
                                       plan.scratchBytes.size());
  codegen::KernelBuilder b(function, group.getLoc(), *target.row);
  codegen::StageRequest request{b, group, {}, {}, plan.plan};
  for (Value value : group.getOperands_())
    request.operands.push_back(denseType(value));
  for (Value value : group.getResults_())
    request.results.push_back(denseType(value));
  auto emitted = codegen::findStrategy(plan.plan.getStrategy())->emit(request);
  function.finish();
  if (failed(emitted) || failed(verify(*module)))
    return nullptr;
  result = *emitted;
  auto kernels = cpu::compileKernels(*module, target, 1, nullptr);
  if (!kernels) {
    ADD_FAILURE() << llvm::toString(kernels.takeError());
    return nullptr;
  }
  auto image = cpu::linkImage(kernels->objects, kernels->symbols);
  if (!image) {
    ADD_FAILURE() << llvm::toString(image.takeError());
    return nullptr;
  }
  return std::make_unique<Code>(*image);
}

/// Results begin `behind` bytes behind a line.
static void check(func::FuncOp function, const codegen::StagePlan &plan,
                  const cpu::CpuTarget &target, double slack,
                  size_t behind = 0) {
  SCOPED_TRACE((function.getName() + " on " + target.cpu).str());
  auto group = *function.getOps<kernel::GroupOp>().begin();
  codegen::StageInfo launch;
  std::unique_ptr<Code> code = compile(group, plan, target, launch);
  ASSERT_TRUE(code);
  std::mt19937 rng(7);
  std::vector<interp::Tensor> operands;
  std::vector<Storage> storage;
  for (Value value : group.getOperands_()) {
    operands.push_back(
        randomTensor(cast<RankedTensorType>(value.getType()), rng));
    storage.emplace_back(operands.back().bytes().size());
    llvm::copy(operands.back().bytes(), storage.back().bytes);
  }
  for (Value value : group.getResults_())
    storage.emplace_back(*graph::tensorBytes(value.getType()), behind);
  for (int64_t size : plan.scratchBytes)
    storage.emplace_back(size);
  std::vector<void *> buffers;
  for (Storage &one : storage)
    buffers.push_back(one.bytes);
  storage.emplace_back(plan.threadScratch);
  code->run(buffers.data(), storage.back().bytes, launch.tiles.fixed(),
            launch.steps);
  auto want = interp::interpretFunction(function, operands);
  ASSERT_TRUE(succeeded(want));
  for (auto [i, tensor] : llvm::enumerate(*want)) {
    const Storage &got = storage[operands.size() + i];
    EXPECT_LE(difference(tensor, got.bytes),
              slack * tolerance(tensor.getElementType()));
    EXPECT_TRUE(got.guardHolds()) << "writes behind result " << i;
  }
  for (const Storage &one : storage)
    EXPECT_TRUE(one.guardHolds()) << "writes behind scratch";
}

/// With the planner's plan, and with others where there are.
static void check(func::FuncOp function, const cpu::CpuTarget &target,
                  double slack) {
  auto group = *function.getOps<kernel::GroupOp>().begin();
  auto plan = codegen::planStage(group, *target.row);
  ASSERT_TRUE(succeeded(plan));
  check(function, *plan, target, slack);
  codegen::StagePlan other = *plan;
  other.plan = otherSplit(plan->plan);
  if (other.plan)
    check(function, other, target, slack);
  other.plan = streaming(plan->plan, *target.row);
  for (size_t behind : {0, 8})
    if (other.plan)
      check(function, other, target, slack, behind);
}

//===-- All kernels of a file ------------------------------------------===//

/// `slack`: by how much errors grow on the way.
static void checkModule(ModuleOp module, double slack = 1) {
  for (const std::string &name : test::processors()) {
    auto target = cpu::resolveCpu(name);
    ASSERT_TRUE(bool(target)) << llvm::toString(target.takeError());
    for (auto function : module.getOps<func::FuncOp>())
      check(function, *target, slack);
  }
}

static void load(MLIRContext &context) {
  context.loadDialect<graph::GraphDialect, kernel::KernelDialect,
                      memory::MemoryDialect, func::FuncDialect,
                      arith::ArithDialect, scf::SCFDialect,
                      vector::VectorDialect, LLVM::LLVMDialect>();
}

static void checkFile(StringRef name) {
  MLIRContext context;
  load(context);
  std::filesystem::path path =
      std::filesystem::path(TENON_UNIT_TESTS) / "kernels" / name.str();
  auto module = parseSourceFile<ModuleOp>(path.string(), &context);
  ASSERT_TRUE(module);
  checkModule(*module);
}

TEST(Kernel, RefusesWhatIsNotElementwise) {
  MLIRContext context;
  context.loadDialect<graph::GraphDialect, func::FuncDialect>();
  std::string message;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    message = diagnostic.str();
    return success();
  });
  auto module = parseSourceString<ModuleOp>(
      "func.func @f(%x: tensor<4xf32>) -> tensor<1xf32> {\n"
      "  %0 = graph.reduce_sum %x {axes = array<i64: 0>}"
      " : (tensor<4xf32>) -> tensor<1xf32>\n"
      "  return %0 : tensor<1xf32>\n}",
      &context);
  ASSERT_TRUE(module);
  context.loadDialect<arith::ArithDialect, LLVM::LLVMDialect>();
  codegen::KernelFunction function(*module, module->getLoc(), "k", 0);
  codegen::KernelBuilder b(function, module->getLoc(),
                           *tile::findTarget("baseline"));
  Operation *reduce = nullptr;
  module->walk([&](graph::ReduceSumOp op) { reduce = op; });
  EXPECT_TRUE(failed(codegen::emitElementwise(b, reduce, {}, 4)));
  EXPECT_NE(message.find("has no element-wise code for"), std::string::npos);
}

TEST(Kernel, Loops) { checkFile("loops.mlir"); }
TEST(Kernel, Move) { checkFile("move.mlir"); }
TEST(Kernel, Pool) { checkFile("pool.mlir"); }
TEST(Kernel, Average) { checkFile("average.mlir"); }
TEST(Kernel, ConvTranspose) { checkFile("conv-transpose.mlir"); }
TEST(Kernel, Dots) { checkFile("dots.mlir"); }
TEST(Kernel, Recurrent) { checkFile("recurrent.mlir"); }

//===-- Recurrences of many sizes --------------------------------------===//

namespace {
struct Layer {
  const char *cell, *activations;
  int64_t gates;
  bool linearBeforeReset = false;
};
} // namespace

/// Three steps in both directions.
static constexpr StringLiteral layerBody = R"mlir(
func.func @layer(%g: !gates, %m: !matrix, %l: !lengths, %h: !state)
    -> (!all, !state, !state) {
  %r:3 = kernel.group(%g, %m, %l, %h)
      : (!gates, !matrix, !lengths, !state) -> (!all, !state, !state) {
  ^bb0(%a: !gates, %b: !matrix, %c: !lengths, %d: !state):
    %0:3 = "graph.recurrence"(%a, %b, %c, %d) <{
      operandSegmentSizes = array<i32: 1, 1, 0, 1, 1, 0, 0>, cell = #cell,
      direction = #graph<direction bidirectional>, activations = #functions,
      linear_before_reset = #after}>
      : (!gates, !matrix, !lengths, !state) -> (!all, !state, !state)
    kernel.yield %0#0, %0#1, %0#2 : !all, !state, !state
  }
  return %r#0, %r#1, %r#2 : !all, !state, !state
})mlir";

static std::string layerText(const Layer &layer, int64_t hidden,
                             int64_t batch) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  auto tensor = [&](StringRef name, std::initializer_list<int64_t> shape,
                    StringRef element) {
    stream << "!" << name << " = tensor<";
    for (int64_t size : shape)
      stream << size << "x";
    stream << element << ">\n";
  };
  tensor("gates", {3, 2, batch, layer.gates * hidden}, "f32");
  tensor("matrix", {2, hidden, layer.gates * hidden}, "f32");
  tensor("lengths", {batch}, "i32");
  tensor("state", {2, batch, hidden}, "f32");
  tensor("all", {3, 2, batch, hidden}, "f32");
  stream << "#cell = #graph<cell " << layer.cell << ">\n#functions = ["
         << layer.activations << ", " << layer.activations
         << "]\n#after = " << (layer.linearBeforeReset ? "true" : "false")
         << layerBody;
  return text;
}

TEST(Kernel, RecurrentSizes) {
  const Layer layers[] = {
      {"lstm", "\"Sigmoid\", \"Tanh\", \"Tanh\"", 4},
      {"gru", "\"Sigmoid\", \"Tanh\"", 3},
      {"gru", "\"Sigmoid\", \"Tanh\"", 3, true},
      {"rnn", "\"Tanh\"", 1},
  };
  MLIRContext context;
  load(context);
  int64_t number = 0;
  for (int64_t hidden : {1, 7, 16, 17, 33, 48, 100})
    for (const Layer &layer : layers) {
      int64_t batch = 1 + number++ % 5;
      SCOPED_TRACE(
          ("batch " + Twine(batch) + ", hidden " + Twine(hidden)).str());
      auto module = parseSourceString<ModuleOp>(layerText(layer, hidden, batch),
                                                &context);
      ASSERT_TRUE(module);
      checkModule(*module, /*slack=*/5);
    }
}

TEST(Kernel, Elementwise) { checkFile("elementwise.mlir"); }
