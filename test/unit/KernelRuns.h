//===- KernelRuns.h - a group's kernel, compiled and run --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares what tests of kernels share: storage with guards, machine
// code, random operands, and the comparison with the interpreter.
//===----------------------------------------------------------------------===//
#ifndef TENON_TEST_UNIT_KERNELRUNS_H
#define TENON_TEST_UNIT_KERNELRUNS_H

#include "dialects/Graph/Graph.h"
#include "dialects/Kernel/Kernel.h"
#include "lib/Interpreter/Interpreter.h"
#include "lib/Target/Cpu/Cpu.h"
#include "passes/Codegen/Backends.h"
#include "passes/Codegen/Groups/WindowGeometry.h"
#include "passes/Codegen/Planning.h"
#include "passes/CodegenCpu/CpuDevice.h"
#include "passes/CodegenCpu/Strategies.h"
#include "passes/Emit/Pack.h"
#include "tenon-c/Runtime.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Verifier.h"
#include "gtest/gtest.h"

#include <cmath>
#include <cstring>
#include <random>
#include <sys/mman.h>

namespace tenon::test {

inline constexpr size_t guardBytes = 64;
inline constexpr unsigned char guardByte = 0xEE;

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

  /// `sizes`: those that the kernel asks for.
  void run(void *const *buffers, void *scratch, int64_t tiles, int64_t steps,
           const int64_t *sizes = nullptr) const {
    auto kernel =
        reinterpret_cast<tenon_kernel_fn>(static_cast<char *>(address) + entry);
    for (int64_t step = 0; step < steps; ++step) {
      tenon_call call = {buffers, sizes, scratch, step * tiles,
                         (step + 1) * tiles};
      kernel(&call);
    }
  }

private:
  void *address;
  size_t size;
  uint64_t entry;
};

//===-- Elements -------------------------------------------------------===//

inline double readElement(const char *data, mlir::Type type, int64_t i) {
  unsigned width = type.isInteger(1) ? 8 : type.getIntOrFloatBitWidth();
  uint64_t raw = 0;
  std::memcpy(&raw, data + i * width / 8, width / 8);
  llvm::APInt bits(width, raw);
  if (auto real = llvm::dyn_cast<mlir::FloatType>(type)) {
    llvm::APFloat value(real.getFloatSemantics(), bits);
    bool lossy;
    value.convert(llvm::APFloat::IEEEdouble(),
                  llvm::APFloat::rmNearestTiesToEven, &lossy);
    return value.convertToDouble();
  }
  return type.isUnsignedInteger() || type.isInteger(1)
             ? double(raw)
             : double(bits.getSExtValue());
}

inline void writeElement(char *data, mlir::Type type, int64_t i, double x) {
  unsigned width = type.isInteger(1) ? 8 : type.getIntOrFloatBitWidth();
  uint64_t raw;
  if (auto real = llvm::dyn_cast<mlir::FloatType>(type)) {
    llvm::APFloat value(x);
    bool lossy;
    value.convert(real.getFloatSemantics(), llvm::APFloat::rmNearestTiesToEven,
                  &lossy);
    raw = value.bitcastToAPInt().getZExtValue();
  } else if (type.isInteger(1)) {
    raw = x > 0;
  } else {
    raw = uint64_t(std::llround(type.isUnsignedInteger() ? std::fabs(x) : x));
  }
  std::memcpy(data + i * width / 8, &raw, width / 8);
}

inline interp::Tensor randomTensor(mlir::RankedTensorType type,
                                   std::mt19937 &rng) {
  interp::Tensor tensor = interp::Tensor::allocate(type);
  std::normal_distribution<double> normal(0, 1.5);
  for (int64_t i = 0; i < tensor.size(); ++i)
    writeElement(tensor.mutableBytes().data(), type.getElementType(), i,
                 normal(rng));
  return tensor;
}

/// The largest difference relative to the largest number.
inline double difference(const interp::Tensor &want, const char *got) {
  mlir::Type type = want.getElementType();
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

inline double tolerance(mlir::Type type) {
  if (type.isBF16())
    return 1e-2;
  if (type.isF16())
    return 2e-3;
  return type.isF64() ? 1e-12 : 1e-5;
}

//===-- One kernel -----------------------------------------------------===//

inline memory::BufferType denseType(mlir::Value value) {
  return memory::BufferType::getDense(
      llvm::cast<mlir::RankedTensorType>(value.getType()));
}

/// As `graph.pack` makes it.
inline memory::BufferType packedType(mlir::Value value,
                                     mlir::DictionaryAttr packing) {
  mlir::OperationState state(value.getLoc(), graph::PackOp::getOperationName(),
                             value, mlir::TypeRange(), packing.getValue());
  mlir::OpBuilder detached(value.getContext());
  mlir::OwningOpRef<mlir::Operation *> op = detached.create(state);
  llvm::SmallVector<mlir::Type> types;
  EXPECT_TRUE(mlir::succeeded(graph::PackOp::inferReturnTypes(
      value.getContext(), value.getLoc(), value, op->getAttrDictionary(),
      op->getPropertiesStorage(), mlir::RegionRange(), types)));
  return memory::BufferType::getDense(
      llvm::cast<mlir::RankedTensorType>(types.front()));
}

/// An operand with the halo that the plan wants, or packed.
inline memory::BufferType operandType(mlir::Value value,
                                      const codegen::StagePlan &plan,
                                      unsigned number) {
  if (number < plan.packs.size() && plan.packs[number])
    return packedType(value, plan.packs[number]);
  bool hasHalo = number < plan.halos.size() && !plan.halos[number].low.empty();
  return hasHalo ? codegen::bufferWithHalo(
                       llvm::cast<mlir::RankedTensorType>(value.getType()),
                       plan.halos[number])
                 : denseType(value);
}

/// As a piece of a wider result: what lies behind each row is somebody else's.
inline memory::BufferType pieceType(mlir::Value value) {
  auto type = llvm::cast<mlir::RankedTensorType>(value.getType());
  codegen::StagePlan::Halo others;
  others.low.resize(type.getRank(), 0);
  others.high.resize(type.getRank(), 0);
  if (type.getRank() > 1)
    others.high.back() = 16;
  return codegen::bufferWithHalo(type, others);
}

/// Calls the function with where each element of a buffer begins, in bytes.
inline void forElements(memory::BufferType type,
                        llvm::function_ref<void(size_t i, size_t at)> visit) {
  llvm::ArrayRef<int64_t> shape = type.getShape(), strides = type.getStrides();
  size_t width = graph::elementBytes(type.getElementType());
  for (int64_t i = 0; i < type.getTensor().getNumElements(); ++i) {
    int64_t at = type.getOffset(), left = i;
    for (size_t dim = shape.size(); dim-- > 0; left /= shape[dim])
      at += left % shape[dim] * strides[dim];
    visit(i, at * width);
  }
}

/// A tensor's storage, with zeros around it.
inline Storage storageOf(const interp::Tensor &tensor,
                         memory::BufferType type) {
  Storage storage(type.getBytes());
  std::memset(storage.bytes, 0, storage.size);
  size_t width = graph::elementBytes(type.getElementType());
  forElements(type, [&](size_t i, size_t at) {
    std::memcpy(storage.bytes + at, tensor.bytes().data() + i * width, width);
  });
  return storage;
}

/// The elements of a result one behind the other; fails the test if anything
/// between them was written.
inline std::vector<char> elementsIn(const Storage &storage,
                                    memory::BufferType type) {
  size_t width = graph::elementBytes(type.getElementType());
  std::vector<char> elements;
  std::vector<bool> isElement(storage.size, false);
  forElements(type, [&](size_t, size_t at) {
    elements.insert(elements.end(), storage.bytes + at,
                    storage.bytes + at + width);
    std::fill_n(isElement.begin() + at, width, true);
  });
  for (size_t at = 0; at < storage.size; ++at)
    if (!isElement[at] && (unsigned char)storage.bytes[at] != guardByte) {
      ADD_FAILURE() << "writes byte " << at << ", which is of no element";
      break;
    }
  return elements;
}

/// Where results lie: dense, but for those that are pieces.
using Pieces = std::vector<bool>;
inline memory::BufferType resultType(mlir::Value value, const Pieces &pieces,
                                     size_t number) {
  return number < pieces.size() && pieces[number] ? pieceType(value)
                                                  : denseType(value);
}

/// What is known of a kernel when there is code.
struct CompiledKernel {
  std::unique_ptr<Code> code; ///< null: the test failed
  codegen::StageInfo info;
  std::vector<mlir::Attribute> sizes = {}; ///< what the calls have in `sizes`
};

/// A processor's strategy of that name.
inline const codegen::Strategy *strategyNamed(llvm::StringRef name) {
  return codegen::findStrategy(codegen::cpuStrategies(), name);
}

/// The plan of the fastest strategy of a processor.
inline mlir::FailureOr<codegen::StagePlan>
planFor(kernel::GroupOp group, const tile::Target &row,
        const codegen::Arithmetic &arithmetic = {}) {
  return codegen::planStage(group, codegen::CpuDevice(row, arithmetic), row);
}

/// Fails the test when there is no code.
inline CompiledKernel compile(kernel::GroupOp group,
                              const codegen::StagePlan &plan,
                              const cpu::CpuTarget &target,
                              const Pieces &pieces = {}) {
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::ModuleOp::create(group.getLoc());
  codegen::CalledFunction function(*module, group.getLoc(), "k",
                                   group->getNumOperands() +
                                       group->getNumResults() +
                                       plan.scratchBytes.size());
  codegen::KernelBuilder b(function, group.getLoc(), *target.row);
  codegen::CpuDevice device(*target.row, {});
  codegen::StageRequest request{device, function, b, group, {}, {}, plan.plan};
  for (auto [i, value] : llvm::enumerate(group.getOperands_()))
    request.operands.push_back(operandType(value, plan, i));
  for (auto [i, value] : llvm::enumerate(group.getResults_()))
    request.results.push_back(resultType(value, pieces, i));
  auto emitted = strategyNamed(plan.plan.getStrategy())->emit(request);
  function.finish();
  if (mlir::failed(emitted) || mlir::failed(mlir::verify(*module))) {
    ADD_FAILURE() << "no kernel is emitted";
    return {};
  }
  CompiledKernel result{nullptr, *emitted};
  for (auto [dim, value] : function.sizes)
    result.sizes.push_back(dim);
  auto kernels = cpu::compileKernels(*module, target, 1, nullptr);
  if (!kernels) {
    ADD_FAILURE() << llvm::toString(kernels.takeError());
    return {};
  }
  auto image = cpu::linkImage(kernels->objects, kernels->symbols);
  if (!image) {
    ADD_FAILURE() << llvm::toString(image.takeError());
    return {};
  }
  result.code = std::make_unique<Code>(*image);
  return result;
}

/// What an emitter of kernels builds with, and what it reads.
inline void loadDialects(mlir::MLIRContext &context) {
  mlir::DialectRegistry backends;
  codegen::registerCpu(backends);
  context.appendDialectRegistry(backends);
  context.loadDialect<graph::GraphDialect, kernel::KernelDialect,
                      memory::MemoryDialect, mlir::func::FuncDialect,
                      mlir::arith::ArithDialect, mlir::scf::SCFDialect,
                      mlir::vector::VectorDialect, mlir::LLVM::LLVMDialect>();
}

/// As the plan wants them to lie.
inline Storage weightsOf(graph::ConstantOp constant,
                         mlir::DictionaryAttr packing) {
  auto numbers = llvm::cast<mlir::DenseElementsAttr>(constant.getValue());
  llvm::SmallVector<char> bytes(numbers.getRawData());
  if (packing) {
    bytes.clear();
    emit::pack(llvm::cast<mlir::RankedTensorType>(numbers.getType()), packing,
               numbers.getRawData(), [&](llvm::ArrayRef<char> piece) {
                 bytes.append(piece.begin(), piece.end());
               });
  }
  Storage storage(bytes.size());
  llvm::copy(bytes, storage.bytes);
  return storage;
}

/// Runs the kernel of a function's only group, of known sizes, on its constants
/// and random operands and compares the results, which begin `behind` bytes
/// behind a line, or are `pieces`. `sizes` are those that the kernel asks for.
inline void compareWithInterpreter(mlir::func::FuncOp function,
                                   const CompiledKernel &kernel,
                                   const codegen::StagePlan &plan,
                                   int64_t tiles, double slack,
                                   size_t behind = 0,
                                   llvm::ArrayRef<int64_t> sizes = {},
                                   const Pieces &pieces = {}) {
  auto group = *function.getOps<kernel::GroupOp>().begin();
  std::mt19937 rng(7);
  std::vector<interp::Tensor> operands;
  std::vector<Storage> storage;
  for (auto [i, value] : llvm::enumerate(group.getOperands_())) {
    if (auto constant = value.getDefiningOp<graph::ConstantOp>()) {
      storage.push_back(
          weightsOf(constant, i < plan.packs.size() ? plan.packs[i] : nullptr));
      continue;
    }
    operands.push_back(
        randomTensor(llvm::cast<mlir::RankedTensorType>(value.getType()), rng));
    storage.push_back(storageOf(operands.back(), operandType(value, plan, i)));
  }
  for (auto [i, value] : llvm::enumerate(group.getResults_()))
    storage.emplace_back(resultType(value, pieces, i).getBytes(), behind);
  for (int64_t size : plan.scratchBytes)
    storage.emplace_back(size);
  std::vector<void *> buffers;
  for (Storage &one : storage)
    buffers.push_back(one.bytes);
  storage.emplace_back(plan.threadScratch);
  kernel.code->run(buffers.data(), storage.back().bytes, tiles,
                   kernel.info.steps.fixed(), sizes.data());
  auto want = interp::interpretFunction(function, operands);
  ASSERT_TRUE(mlir::succeeded(want));
  for (auto [i, tensor] : llvm::enumerate(*want)) {
    const Storage &got = storage[group.getOperands_().size() + i];
    std::vector<char> elements =
        elementsIn(got, resultType(group.getResult(i), pieces, i));
    EXPECT_LE(difference(tensor, elements.data()),
              slack * tolerance(tensor.getElementType()));
    EXPECT_TRUE(got.guardHolds()) << "writes behind result " << i;
  }
  for (const Storage &one : storage)
    EXPECT_TRUE(one.guardHolds()) << "writes behind scratch";
}

} // namespace tenon::test

#endif // TENON_TEST_UNIT_KERNELRUNS_H
