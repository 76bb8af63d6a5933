//===- KernelBuilderMemory.cpp - loads, stores, vectors -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Codegen/Builder/KernelBuilder.h"

#include "dialects/Graph/Graph.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tenon::codegen;

static int64_t lanesOf(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? vector.getNumElements() : 1;
}

static unsigned alignmentOf(Type element) {
  return std::max(1u, element.getIntOrFloatBitWidth() / 8);
}

Value KernelBuilder::at(Value pointer, Value index, Type element) {
  return LLVM::GEPOp::create(
      b, location, pointer.getType(), storageType(element), pointer,
      ArrayRef<LLVM::GEPArg>{index}, LLVM::GEPNoWrapFlags::inbounds);
}

Value KernelBuilder::at(Value pointer, int64_t offset, Type element) {
  if (offset == 0)
    return pointer;
  if (offset == int32_t(offset))
    return LLVM::GEPOp::create(b, location, pointer.getType(),
                               storageType(element), pointer,
                               ArrayRef<LLVM::GEPArg>{int32_t(offset)},
                               LLVM::GEPNoWrapFlags::inbounds);
  return at(pointer, index(offset), element);
}

/// i1 lives as a byte; everything else as it is.
Value KernelBuilder::fromStorage(Value value, Type type) {
  if (value.getType() == type)
    return value;
  Value zero = constantInt(value.getType(), 0);
  return arith::CmpIOp::create(b, location, arith::CmpIPredicate::ne, value,
                               zero);
}

Value KernelBuilder::toStorage(Value value, Type element) {
  if (!getElementTypeOrSelf(value.getType()).isInteger(1))
    return value;
  Type type = vectorType(b.getI8Type(), lanesOf(value.getType()));
  return arith::ExtUIOp::create(b, location, type, value);
}

Value KernelBuilder::load(Value pointer, Type type, Type element) {
  if (!element)
    element = getElementTypeOrSelf(type);
  Type stored = vectorType(storageType(element), lanesOf(type));
  Value loaded = LLVM::LoadOp::create(b, location, stored, pointer,
                                      alignmentOf(storageType(element)));
  return fromStorage(loaded, type);
}

void KernelBuilder::store(Value value, Value pointer, Type element) {
  Value stored = toStorage(value, element);
  Type scalar = getElementTypeOrSelf(stored.getType());
  LLVM::StoreOp::create(b, location, stored, pointer, alignmentOf(scalar));
}

Value KernelBuilder::loadPart(Value pointer, Type vector, Value count,
                              Type element, Value otherwise) {
  if (!element)
    element = getElementTypeOrSelf(vector);
  int64_t lanes = lanesOf(vector);
  Type stored = vectorType(storageType(element), lanes);
  Value rest =
      otherwise ? toStorage(otherwise, element) : constantOf(stored, 0);
  Value loaded = LLVM::MaskedLoadOp::create(b, location, stored, pointer,
                                            mask(count, lanes), rest,
                                            alignmentOf(storageType(element)));
  return fromStorage(loaded, vector);
}

/// The first `count` lanes, in pieces whose numbers of lanes are powers of two.
void KernelBuilder::storePieces(Value stored, Value pointer, int64_t count) {
  Type element = getElementTypeOrSelf(stored.getType());
  int64_t first = 0;
  for (int64_t size = lanesOf(stored.getType()); size >= 1; size /= 2) {
    if (!(count & size))
      continue;
    Value piece = permute(stored, stored, size,
                          [&](int64_t lane) { return first + lane; });
    store(piece, at(pointer, first, element), element);
    first += size;
  }
}

void KernelBuilder::storePart(Value value, Value pointer, Value count,
                              Type element) {
  Value stored = toStorage(value, element);
  Type scalar = getElementTypeOrSelf(stored.getType());
  // Masks cost more: without AVX-512 a dozen cycles on some processors.
  std::optional<int64_t> known = constant(count);
  if (known && (!cpu.avx512 || llvm::isPowerOf2_64(uint64_t(*known))))
    return storePieces(stored, pointer, *known);
  LLVM::MaskedStoreOp::create(b, location, stored, pointer,
                              mask(count, lanesOf(stored.getType())),
                              alignmentOf(scalar));
}

/// Lanes of few vectors that lie beside each other, the last of them as far
/// down as keeps it in what the lanes span.
Value KernelBuilder::loadSpan(Value pointer, int64_t lanes, int64_t stride,
                              Type element) {
  Type type = vectorType(storageType(element), lanes);
  int64_t step = std::abs(stride), last = (lanes - 1) * step;
  Value first = stride > 0 ? pointer : at(pointer, -last, element);
  Value result;
  for (int64_t start = 0, end = 0; end <= last; start += lanes) {
    int64_t from = std::min(start, last + 1 - lanes);
    Value piece =
        LLVM::LoadOp::create(b, location, type, at(first, from, element),
                             alignmentOf(storageType(element)));
    result = permute(result ? result : piece, piece, lanes, [&](int64_t lane) {
      int64_t place = stride > 0 ? lane * step : last - lane * step;
      bool isHere = place >= end && place < from + lanes;
      return isHere ? lanes + place - from : lane;
    });
    end = from + lanes;
  }
  return result;
}

Value KernelBuilder::loadStrided(Value pointer, Type vector, int64_t stride,
                                 Type element) {
  if (stride == 1 || !isa<VectorType>(vector))
    return load(pointer, vector, element);
  if (stride == 0)
    return loadBroadcast(pointer, vector, element);
  if (!element)
    element = getElementTypeOrSelf(vector);
  Type scalar = storageType(element);
  int64_t lanes = lanesOf(vector);
  if (spansFewVectors(stride))
    return fromStorage(loadSpan(pointer, lanes, stride, element), vector);
  Value result = LLVM::PoisonOp::create(b, location, vectorType(scalar, lanes));
  for (int64_t lane = 0; lane < lanes; ++lane) {
    Value piece = LLVM::LoadOp::create(b, location, scalar,
                                       at(pointer, lane * stride, element),
                                       alignmentOf(scalar));
    result = vector::InsertOp::create(b, location, piece, result,
                                      ArrayRef<int64_t>{lane});
  }
  return fromStorage(result, vector);
}

void KernelBuilder::storeStrided(Value value, Value pointer, int64_t stride,
                                 Type element) {
  if (stride == 1)
    return store(value, pointer, element);
  Value stored = toStorage(value, element);
  Type scalar = getElementTypeOrSelf(stored.getType());
  for (int64_t i = 0; i < lanesOf(stored.getType()); ++i)
    LLVM::StoreOp::create(b, location, lane(stored, i),
                          at(pointer, i * stride, scalar), alignmentOf(scalar));
}

void KernelBuilder::storeStreaming(Value value, Value pointer, Type element) {
  Value stored = toStorage(value, element);
  int64_t bytes = lanesOf(stored.getType()) * graph::elementBytes(element);
  LLVM::StoreOp::create(b, location, stored, pointer, unsigned(bytes),
                        /*isVolatile=*/false, /*isNonTemporal=*/true);
}

void KernelBuilder::drain() {
  LLVM::CallIntrinsicOp::create(
      b, location, b.getStringAttr("llvm.x86.sse.sfence"), ValueRange());
}

void KernelBuilder::forgetLoads() {
  if (cpu.isGpuThread())
    return;
  LLVM::FenceOp::create(b, location, LLVM::AtomicOrdering::seq_cst,
                        "singlethread");
}

Value KernelBuilder::loadBroadcast(Value pointer, Type vector, Type element) {
  Value scalar = load(pointer, getElementTypeOrSelf(vector), element);
  return splat(scalar, vector);
}

void KernelBuilder::prefetch(Value pointer, int locality) {
  if (cpu.isGpuThread())
    return;
  LLVM::Prefetch::create(b, location, pointer, b.getI32IntegerAttr(0),
                         b.getI32IntegerAttr(locality), b.getI32IntegerAttr(1));
}

void KernelBuilder::prefetchLines(Value pointer, int64_t count, Type element,
                                  int locality) {
  int64_t line = tile::lineBytes / graph::elementBytes(element);
  for (int64_t i = 0; i < count; i += line)
    prefetch(at(pointer, i, element), locality);
}

Value KernelBuilder::scratch(int64_t count, Type element) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&function.op.getFunctionBody().front());
  Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  return LLVM::AllocaOp::create(b, location, pointer, storageType(element),
                                index(count), /*alignment=*/64);
}

Value KernelBuilder::constants(DenseElementsAttr numbers) {
  StringRef kernel = SymbolTable::getSymbolName(function.op).getValue();
  std::string name = (kernel + "_" + Twine(function.numConstants++)).str();
  auto type = LLVM::LLVMArrayType::get(numbers.getElementType(),
                                       numbers.getNumElements());
  OpBuilder beside(function.op);
  auto global = LLVM::GlobalOp::create(beside, location, type,
                                       /*isConstant=*/true,
                                       LLVM::Linkage::Private, name, numbers,
                                       /*alignment=*/64);
  return LLVM::AddressOfOp::create(b, location, global);
}

Value KernelBuilder::splat(Value scalar, Type vector) {
  if (!isa<VectorType>(vector))
    return scalar;
  return vector::BroadcastOp::create(b, location, vector, scalar);
}

Value KernelBuilder::permute(Value x, Value y, ArrayRef<int64_t> lanes) {
  return vector::ShuffleOp::create(b, location, x, y, lanes);
}

Value KernelBuilder::permute(Value x, Value y, int64_t count,
                             function_ref<int64_t(int64_t)> from) {
  SmallVector<int64_t> lanes;
  for (int64_t i = 0; i < count; ++i)
    lanes.push_back(from(i));
  return permute(x, y, lanes);
}

Value KernelBuilder::lane(Value value, int64_t number) {
  if (!isa<VectorType>(value.getType()))
    return value;
  return vector::ExtractOp::create(b, location, value,
                                   ArrayRef<int64_t>{number});
}

Value KernelBuilder::plus(Value x, Value y) {
  if (isa<FloatType>(getElementTypeOrSelf(x.getType())))
    return arith::AddFOp::create(b, location, x, y);
  return arith::AddIOp::create(b, location, x, y);
}

Value KernelBuilder::fma(Value x, Value y, Value z) {
  if (isa<FloatType>(getElementTypeOrSelf(x.getType()))) {
    if (cpu.fma)
      return LLVM::FMAOp::create(b, location, x.getType(), x, y, z);
    return plus(arith::MulFOp::create(b, location, x, y), z);
  }
  return plus(arith::MulIOp::create(b, location, x, y), z);
}

Value KernelBuilder::mask(Value count, int64_t lanes) {
  // i32 lanes compare in one native register at 16 lanes of AVX-512.
  SmallVector<int32_t> values(lanes);
  for (int64_t lane = 0; lane < lanes; ++lane)
    values[lane] = int32_t(lane);
  auto type = VectorType::get({lanes}, b.getI32Type());
  Value indices = arith::ConstantOp::create(
      b, location, DenseElementsAttr::get(type, ArrayRef(values)));
  Value narrow =
      b.createOrFold<arith::TruncIOp>(location, b.getI32Type(), count);
  return arith::CmpIOp::create(b, location, arith::CmpIPredicate::slt, indices,
                               splat(narrow, type));
}
