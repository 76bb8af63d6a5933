//===- ThreadFunction.cpp - CPU kernels in GPU threads --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenGpu/Threads/ThreadFunction.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::gpu;
using codegen::Size;

/// A number that is told later.
static Value placeholder(OpBuilder &b, Location loc, Type type) {
  return LLVM::UndefOp::create(b, loc, type);
}

ThreadFunction::ThreadFunction(ModuleOp module, Location loc, StringRef name,
                               const ThreadBuffers &given)
    : numPointers(given.tensors + given.scratch + (given.threadScratch > 0)),
      numTensors(given.tensors) {
  OpBuilder b = OpBuilder::atBlockEnd(module.getBody());
  MLIRContext *context = b.getContext();
  Type global = LLVM::LLVMPointerType::get(context, /*addressSpace=*/1);
  Type pointer = LLVM::LLVMPointerType::get(context);
  Type i64 = b.getI64Type();
  SmallVector<Type> parameters(numPointers, global);
  auto type =
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context), parameters);
  function = LLVM::LLVMFuncOp::create(b, loc, name, type);
  op = function;
  Block *entry = function.addEntryBlock(b);
  b.setInsertionPointToEnd(entry);
  // Emitters choose between pointers to buffers and to their own storage.
  auto bufferAt = [&](unsigned i) {
    return LLVM::AddrSpaceCastOp::create(b, loc, pointer,
                                         entry->getArgument(i));
  };
  bool hasOwn = given.threadScratch > 0;
  for (unsigned i = 0; i < numPointers; ++i)
    if (!hasOwn || i != given.tensors)
      buffers.push_back(bufferAt(i));
  auto read = [&](Value number) {
    return arith::ExtUIOp::create(b, loc, i64, number);
  };
  Value block = read(NVVM::BlockIdXOp::create(b, loc, b.getI32Type()));
  Value thread = read(NVVM::ThreadIdXOp::create(b, loc, b.getI32Type()));
  threads = placeholder(b, loc, i64);
  Value before = arith::MulIOp::create(b, loc, block, threads,
                                       arith::IntegerOverflowFlags::nsw);
  number = arith::AddIOp::create(b, loc, before, thread,
                                 arith::IntegerOverflowFlags::nsw);
  if (hasOwn) {
    Value bytes = constant(b, given.threadScratch);
    Value start = arith::MulIOp::create(b, loc, number, bytes,
                                        arith::IntegerOverflowFlags::nsw);
    scratch = LLVM::GEPOp::create(b, loc, pointer, b.getI8Type(),
                                  bufferAt(given.tensors),
                                  ArrayRef<LLVM::GEPArg>{start});
  }
  tiles = {placeholder(b, loc, i64), placeholder(b, loc, i64)};
  has = placeholder(b, loc, b.getI1Type());
  auto guard = scf::IfOp::create(b, loc, has, /*withElseRegion=*/false);
  body = guard.thenBlock();
  body->back().erase();
}

Value ThreadFunction::constant(OpBuilder &b, int64_t value) {
  return arith::ConstantOp::create(b, op.getLoc(), b.getI64IntegerAttr(value));
}

void ThreadFunction::setAlignment(unsigned buffer, int64_t bytes) {
  function.setArgAttr(
      buffer, LLVM::LLVMDialect::getAlignAttrName(),
      IntegerAttr::get(IntegerType::get(op.getContext(), 64), bytes));
}

void ThreadFunction::setScratchAlignment(int64_t bytes) {
  for (unsigned i = numTensors; i < numPointers; ++i)
    setAlignment(i, bytes);
}

void ThreadFunction::setAlone(unsigned buffer, bool isRead) {
  Attribute yes = UnitAttr::get(op.getContext());
  function.setArgAttr(buffer, LLVM::LLVMDialect::getNoAliasAttrName(), yes);
  if (isRead)
    function.setArgAttr(buffer, LLVM::LLVMDialect::getReadonlyAttrName(), yes);
}

/// A parameter behind the others.
Value ThreadFunction::addNumber() {
  LLVM::LLVMFunctionType old = function.getFunctionType();
  SmallVector<Type> types(old.getParams());
  types.push_back(IntegerType::get(op.getContext(), 64));
  function.setFunctionType(
      LLVM::LLVMFunctionType::get(old.getReturnType(), types));
  return function.getBody().addArgument(types.back(), op.getLoc());
}

Value ThreadFunction::size(Attribute dim) {
  auto [entry, isNew] = sizes.insert({dim, Value()});
  if (!isNew)
    return entry->second;
  return entry->second = addNumber();
}

Value ThreadFunction::sizeOf(OpBuilder &b, const Size &value) {
  return value.isFixed() ? constant(b, value.fixed()) : size(value.symbolic());
}

void ThreadFunction::replace(Value placeholder, Value value) {
  Operation *op = placeholder.getDefiningOp();
  op->replaceAllUsesWith(ValueRange(value));
  op->erase();
}

/// The first tile of the step that runs; null where there is one. A launch says
/// how many blocks come before.
Value ThreadFunction::firstOfStep(OpBuilder &b, const ThreadGrid &grid) {
  if (grid.steps.is(1))
    return {};
  Location loc = op.getLoc();
  Value each = sizeOf(b, grid.tiles), blocks = sizeOf(b, grid.blocks());
  Value step = arith::DivUIOp::create(b, loc, addNumber(), blocks);
  return arith::MulIOp::create(b, loc, step, each);
}

void ThreadFunction::finish(const ThreadGrid &grid) {
  Location loc = op.getLoc();
  OpBuilder b = OpBuilder::atBlockEnd(body);
  scf::YieldOp::create(b, loc);
  b.setInsertionPointToEnd(&function.getBody().front());
  LLVM::ReturnOp::create(b, loc, ValueRange());
  b.setInsertionPoint(threads.getDefiningOp());
  replace(threads, constant(b, grid.threads));
  b.setInsertionPoint(tiles.begin.getDefiningOp());
  Value begin = number;
  if (grid.perThread > 1)
    begin = arith::MulIOp::create(b, loc, number, constant(b, grid.perThread));
  Value all = sizeOf(b, grid.tiles);
  replace(has,
          arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, begin, all));
  Value end = arith::AddIOp::create(b, loc, begin, constant(b, grid.perThread),
                                    arith::IntegerOverflowFlags::nsw);
  if (grid.perThread > 1)
    end = arith::MinSIOp::create(b, loc, end, all);
  if (Value first = firstOfStep(b, grid)) {
    begin = arith::AddIOp::create(b, loc, begin, first);
    end = arith::AddIOp::create(b, loc, end, first);
  }
  replace(tiles.begin, begin);
  replace(tiles.end, end);
  auto count = b.getDenseI32ArrayAttr({int32_t(grid.threads)});
  function->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(),
                    b.getUnitAttr());
  function->setAttr(NVVM::NVVMDialect::getMaxntidAttrName(), count);
}
