//===- ThreadBuilderGroups.cpp - boxes, and units of warpgroups -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenGpu/Builder/ThreadBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tenon;
using tenon::gpu::ThreadBuilder;
using tenon::gpu::Values;

//===-- Copies by boxes ---------------------------------------------------===//

/// Only threads for which the condition holds do it: no branch.
static void inlinePtx(OpBuilder &b, Location loc, StringRef code,
                      ValueRange reads, Value condition = {}) {
  NVVM::InlinePtxOp::create(b, loc, TypeRange(), reads, ValueRange(),
                            b.getStringAttr(code), condition);
}

void ThreadBuilder::initBarrier(Value barrier, int64_t count) {
  inlinePtx(b, location, "mbarrier.init.shared.b64 [$0], $1;",
            {barrier, number(count)});
}

void ThreadBuilder::fenceBarriers() {
  NVVM::FenceMbarrierInitOp::create(b, location);
}

void ThreadBuilder::expect(Value barrier, int64_t bytes) {
  inlinePtx(b, location, "mbarrier.arrive.expect_tx.shared.b64 _, [$0], $1;",
            {barrier, number(bytes)});
}

void ThreadBuilder::arrive(Value barrier, Value condition) {
  inlinePtx(b, location, "mbarrier.arrive.shared.b64 _, [$0];", barrier,
            condition);
}

void ThreadBuilder::wait(Value barrier, Value parity) {
  constexpr int64_t ticks = 10000000;
  NVVM::MBarrierTryWaitParityOp::create(b, location, barrier, parity,
                                        number(ticks));
}

void ThreadBuilder::copyBox(Value to, Value map, Value barrier,
                            ValueRange corner) {
  constexpr unsigned clusterSpace = 7;
  auto type = LLVM::LLVMPointerType::get(b.getContext(), clusterSpace);
  Value target = LLVM::AddrSpaceCastOp::create(b, location, type, to);
  NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp::create(
      b, location, target, map, corner, barrier, /*im2colOffsets=*/ValueRange(),
      /*multicastMask=*/Value(), /*l2CacheHint=*/Value(),
      NVVM::TMALoadMode::TILE, /*isCTAOnly=*/false,
      /*group=*/NVVM::CTAGroupKindAttr(), /*predicate=*/Value());
}

//===-- Units of warpgroups -----------------------------------------------===//

Value ThreadBuilder::uniform(Value value) {
  return NVVM::ShflOp::create(b, location, value.getType(), number(-1), value,
                              number(0), number(31), NVVM::ShflKind::idx,
                              UnitAttr());
}

void ThreadBuilder::barrierOf(int64_t id, int64_t threads) {
  NVVM::BarrierOp::create(b, location, TypeRange(), number(id), number(threads),
                          NVVM::BarrierReductionAttr(), Value());
}

Value ThreadBuilder::sharedAddress(Value pointer) {
  return LLVM::PtrToIntOp::create(b, location, b.getI32Type(), pointer);
}

/// Eights of rows are 1024 or 512 bytes apart.
Value ThreadBuilder::descriptorOf(Value address, int64_t rowBytes) {
  constexpr uint64_t wide128 = (1ull << 62) | (64ull << 32) | (1ull << 16);
  constexpr uint64_t wide64 = (2ull << 62) | (32ull << 32) | (1ull << 16);
  uint64_t rows = rowBytes == 128 ? wide128 : wide64;
  Type i64 = b.getI64Type();
  Value start = arith::ShRUIOp::create(b, location, address, number(4));
  Value wide = arith::ExtUIOp::create(b, location, i64, start);
  Value constant = arith::ConstantOp::create(
      b, location, b.getI64IntegerAttr(int64_t(rows)));
  return arith::OrIOp::create(b, location, wide, constant);
}

void ThreadBuilder::fenceProducts() {
  NVVM::WgmmaFenceAlignedOp::create(b, location);
}

void ThreadBuilder::commitProducts() {
  NVVM::WgmmaGroupSyncAlignedOp::create(b, location);
}

void ThreadBuilder::waitProducts(int64_t count) {
  NVVM::WgmmaWaitGroupSyncOp::create(b, location, uint64_t(count));
}

static LLVM::LLVMStructType floats(OpBuilder &b, size_t count) {
  return LLVM::LLVMStructType::getLiteral(
      b.getContext(), SmallVector<Type>(count, b.getF32Type()));
}

static NVVM::WGMMATypes typeOfUnit(tile::Precision type) {
  switch (type) {
  case tile::Precision::F16:
    return NVVM::WGMMATypes::f16;
  case tile::Precision::BF16:
    return NVVM::WGMMATypes::bf16;
  case tile::Precision::F32:
  case tile::Precision::TF32:
    return NVVM::WGMMATypes::tf32;
  }
  return NVVM::WGMMATypes::tf32;
}

Values ThreadBuilder::multiplyGroup(tile::Precision type, Value lhs, Value rhs,
                                    ValueRange sums) {
  MLIRContext *context = b.getContext();
  Value before = LLVM::UndefOp::create(b, location, floats(b, sums.size()));
  for (auto [i, sum] : llvm::enumerate(sums))
    before = LLVM::InsertValueOp::create(b, location, before, sum, int64_t(i));
  NVVM::WGMMATypes unit = typeOfUnit(type);
  int steps = unit == NVVM::WGMMATypes::tf32 ? 8 : 16;
  auto shape =
      NVVM::MMAShapeAttr::get(context, 64, int(sums.size()) * 2, steps);
  auto operand = NVVM::WGMMATypesAttr::get(context, unit);
  auto one = NVVM::WGMMAScaleInAttr::get(context, NVVM::WGMMAScaleIn::one);
  auto layout = [&](NVVM::MMALayout kind) {
    return NVVM::MMALayoutAttr::get(context, kind);
  };
  Value product = NVVM::WgmmaMmaAsyncOp::create(
      b, location, before.getType(), before, lhs, rhs, shape, operand, operand,
      NVVM::WGMMATypesAttr::get(context, NVVM::WGMMATypes::f32),
      NVVM::WGMMAScaleOutAttr::get(context, NVVM::WGMMAScaleOut::one), one, one,
      layout(NVVM::MMALayout::row), layout(NVVM::MMALayout::col),
      NVVM::MMAIntOverflowAttr());
  return membersOf(product);
}

/// No operation has the left operand in registers. Sums are results, and inputs
/// behind the others.
Values ThreadBuilder::multiplyWords(ValueRange lhs, Value rhs, ValueRange sums,
                                    bool begins) {
  size_t count = sums.size();
  std::string registers, constraints, ties;
  for (size_t i = 0; i < count; ++i) {
    registers += (i ? ", $" : "$") + std::to_string(i);
    constraints += i ? ",=f" : "=f";
    ties += "," + std::to_string(i);
  }
  std::string words;
  for (size_t i = 0; i < lhs.size(); ++i)
    words += (i ? ", $" : "$") + std::to_string(count + i);
  std::string code = "{ .reg .pred p; setp.ne.b32 p, ";
  code += begins ? "0" : "1";
  code += ", 0; wgmma.mma_async.sync.aligned.m64n" + std::to_string(2 * count);
  code += "k16.f32.bf16.bf16 {" + registers + "}, {" + words + "}, $";
  code += std::to_string(count + lhs.size()) + ", p, 1, 1, 0; }";
  Values operands(lhs);
  operands.push_back(rhs);
  llvm::append_range(operands, sums);
  auto product = LLVM::InlineAsmOp::create(
      b, location, floats(b, count), operands, code,
      constraints + ",r,r,r,r,l" + ties, /*has_side_effects=*/true,
      /*is_align_stack=*/false, LLVM::TailCallKind::None,
      LLVM::AsmDialectAttr(), ArrayAttr());
  return membersOf(product.getResult(0));
}

Value ThreadBuilder::toHalves(tile::Precision type, Value low, Value high) {
  StringRef code = type == tile::Precision::F16
                       ? "cvt.rn.f16x2.f32 $0, $1, $2;"
                       : "cvt.rn.bf16x2.f32 $0, $1, $2;";
  auto pair = LLVM::InlineAsmOp::create(
      b, location, b.getI32Type(), ValueRange{high, low}, code, "=r,f,f",
      /*has_side_effects=*/false,
      /*is_align_stack=*/false, LLVM::TailCallKind::None,
      LLVM::AsmDialectAttr(), ArrayAttr());
  return pair.getResult(0);
}

/// They pass through an empty instruction that is not moved.
Values ThreadBuilder::pin(ValueRange values) {
  std::string constraints;
  for (size_t i = 0; i < values.size(); ++i)
    constraints += i ? ",=f" : "=f";
  for (size_t i = 0; i < values.size(); ++i)
    constraints += "," + std::to_string(i);
  auto pinned = LLVM::InlineAsmOp::create(
      b, location, floats(b, values.size()), values, "// pin", constraints,
      /*has_side_effects=*/true, /*is_align_stack=*/false,
      LLVM::TailCallKind::None, LLVM::AsmDialectAttr(), ArrayAttr());
  return membersOf(pinned.getResult(0));
}
