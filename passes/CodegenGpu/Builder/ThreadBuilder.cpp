//===- ThreadBuilder.cpp - what a thread of a block does ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file holds indices, control and memory; what threads do together is in
// ThreadBuilderUnits.cpp.
//===----------------------------------------------------------------------===//
#include "passes/CodegenGpu/Builder/ThreadBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tenon;
using tenon::gpu::ThreadBuilder;
using tenon::gpu::Values;

//===-- Index arithmetic --------------------------------------------------===//

Value ThreadBuilder::number(int64_t value) {
  return arith::ConstantOp::create(b, location,
                                   b.getI32IntegerAttr(int32_t(value)));
}

Value ThreadBuilder::add(Value x, Value y) {
  return b.createOrFold<arith::AddIOp>(location, x, y,
                                       arith::IntegerOverflowFlags::nsw);
}

Value ThreadBuilder::sub(Value x, Value y) {
  return b.createOrFold<arith::SubIOp>(location, x, y,
                                       arith::IntegerOverflowFlags::nsw);
}

Value ThreadBuilder::mul(Value x, Value y) {
  return b.createOrFold<arith::MulIOp>(location, x, y,
                                       arith::IntegerOverflowFlags::nsw);
}

Value ThreadBuilder::div(Value x, int64_t y) {
  return y == 1 ? x : div(x, number(y));
}

Value ThreadBuilder::div(Value x, Value y) {
  return b.createOrFold<arith::DivUIOp>(location, x, y);
}

Value ThreadBuilder::rem(Value x, int64_t y) {
  return y == 1 ? number(0) : rem(x, number(y));
}

Value ThreadBuilder::rem(Value x, Value y) {
  return b.createOrFold<arith::RemUIOp>(location, x, y);
}

Value ThreadBuilder::min(Value x, int64_t y) { return min(x, number(y)); }

Value ThreadBuilder::min(Value x, Value y) {
  return b.createOrFold<arith::MinSIOp>(location, x, y);
}

Value ThreadBuilder::max(Value x, int64_t y) {
  return b.createOrFold<arith::MaxSIOp>(location, x, number(y));
}

Value ThreadBuilder::bitAnd(Value x, int64_t mask) {
  return b.createOrFold<arith::AndIOp>(location, x, number(mask));
}

Value ThreadBuilder::bitXor(Value x, Value y) {
  return b.createOrFold<arith::XOrIOp>(location, x, y);
}

Value ThreadBuilder::less(Value x, Value y) {
  return b.createOrFold<arith::CmpIOp>(location, arith::CmpIPredicate::slt, x,
                                       y);
}

Value ThreadBuilder::equal(Value x, int64_t y) {
  return b.createOrFold<arith::CmpIOp>(location, arith::CmpIPredicate::eq, x,
                                       number(y));
}

Value ThreadBuilder::inside(Value x, int64_t count) {
  return b.createOrFold<arith::CmpIOp>(location, arith::CmpIPredicate::ult, x,
                                       number(count));
}

Value ThreadBuilder::both(Value x, Value y) {
  if (!x || !y)
    return x ? x : y;
  return b.createOrFold<arith::AndIOp>(location, x, y);
}

Value ThreadBuilder::choose(Value condition, Value x, Value y) {
  return b.createOrFold<arith::SelectOp>(location, condition, x, y);
}

Values ThreadBuilder::delinearize(Value linear, ArrayRef<int64_t> extents) {
  Values result(extents.size());
  for (size_t i = extents.size(); i-- > 1;) {
    result[i] = rem(linear, extents[i]);
    linear = div(linear, extents[i]);
  }
  if (!extents.empty())
    result[0] = linear;
  return result;
}

//===-- Control -----------------------------------------------------------===//

Values ThreadBuilder::loop(Value lower, Value upper, ValueRange init,
                           function_ref<Values(Value, ValueRange)> body) {
  auto loop =
      scf::ForOp::create(b, location, lower, upper, number(1), init,
                         [](OpBuilder &, Location, Value, ValueRange) {});
  OpBuilder::InsertionGuard guard(b);
  Block *block = loop.getBody();
  if (!block->empty())
    block->back().erase();
  b.setInsertionPointToEnd(block);
  Values next = body(loop.getInductionVar(), loop.getRegionIterArgs());
  scf::YieldOp::create(b, location, next);
  return Values(loop.getResults());
}

void ThreadBuilder::ifThen(Value condition, function_ref<void()> then) {
  if (!condition || matchPattern(condition, m_One()))
    return then();
  auto branch = scf::IfOp::create(b, location, condition, /*withElse=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  then();
}

//===-- Memory ------------------------------------------------------------===//

Value ThreadBuilder::shared(LLVM::GlobalOp array) {
  return LLVM::AddressOfOp::create(b, location, array);
}

Value ThreadBuilder::at(Value pointer, Value bytes) {
  APInt known;
  if (matchPattern(bytes, m_ConstantInt(&known)))
    return at(pointer, known.getSExtValue());
  return LLVM::GEPOp::create(b, location, pointer.getType(), b.getI8Type(),
                             pointer, ArrayRef<LLVM::GEPArg>{bytes});
}

Value ThreadBuilder::at(Value pointer, int64_t bytes) {
  if (bytes == 0)
    return pointer;
  if (bytes == int32_t(bytes))
    return LLVM::GEPOp::create(b, location, pointer.getType(), b.getI8Type(),
                               pointer, ArrayRef<LLVM::GEPArg>{int32_t(bytes)});
  Value offset =
      arith::ConstantOp::create(b, location, b.getI64IntegerAttr(bytes));
  return LLVM::GEPOp::create(b, location, pointer.getType(), b.getI8Type(),
                             pointer, ArrayRef<LLVM::GEPArg>{offset});
}

Value ThreadBuilder::element(Value pointer, Value index, int64_t elementBytes) {
  auto type = IntegerType::get(b.getContext(), unsigned(elementBytes * 8));
  return LLVM::GEPOp::create(b, location, pointer.getType(), type, pointer,
                             ArrayRef<LLVM::GEPArg>{index});
}

Value ThreadBuilder::load(Value pointer, Type type, int64_t alignment) {
  return LLVM::LoadOp::create(b, location, type, pointer, unsigned(alignment));
}

void ThreadBuilder::store(Value value, Value pointer, int64_t alignment) {
  LLVM::StoreOp::create(b, location, value, pointer, unsigned(alignment));
}

void ThreadBuilder::copyAsync(Value to, Value from, int64_t bytes, Value live) {
  // Only whole pieces of 16 bytes can pass the first-level cache by.
  auto cache = bytes == 16 ? NVVM::LoadCacheModifierKind::CG
                           : NVVM::LoadCacheModifierKind::CA;
  NVVM::CpAsyncOp::create(b, location, to, from, uint32_t(bytes), cache, live);
}

void ThreadBuilder::commitCopies() {
  NVVM::CpAsyncCommitGroupOp::create(b, location);
}

void ThreadBuilder::waitCopies(int64_t count) {
  NVVM::CpAsyncWaitGroupOp::create(b, location, uint32_t(count));
}
