//===- ThreadBuilderUnits.cpp - what threads do together ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenGpu/Builder/ThreadBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tenon;
using tenon::gpu::ThreadBuilder;
using tenon::gpu::Values;

static constexpr unsigned clusterSpace = 7;

//===-- Where a thread is -------------------------------------------------===//

Value ThreadBuilder::thread(int64_t threads) {
  auto range = LLVM::ConstantRangeAttr::get(b.getContext(), APInt(32, 0),
                                            APInt(32, uint64_t(threads)));
  return NVVM::ThreadIdXOp::create(b, location, b.getI32Type(), range);
}

Value ThreadBuilder::block() {
  return NVVM::BlockIdXOp::create(b, location, b.getI32Type());
}

Value ThreadBuilder::clusterRank() {
  return NVVM::BlockInClusterIdXOp::create(b, location, b.getI32Type());
}

Value ThreadBuilder::sharedOf(Value pointer, Value rank) {
  auto type = LLVM::LLVMPointerType::get(b.getContext(), clusterSpace);
  return NVVM::MapaOp::create(b, location, type, pointer, rank);
}

//===-- Barriers ----------------------------------------------------------===//

void ThreadBuilder::barrier() { NVVM::BarrierOp::create(b, location); }

void ThreadBuilder::clusterBarrier() {
  NVVM::ClusterArriveOp::create(b, location, UnitAttr());
  NVVM::ClusterWaitOp::create(b, location, UnitAttr());
}

Value ThreadBuilder::exchange(Value word, int64_t distance) {
  constexpr int64_t all = -1, clamp = 31;
  return NVVM::ShflOp::create(b, location, word.getType(), number(all), word,
                              number(distance), number(clamp),
                              NVVM::ShflKind::bfly, UnitAttr());
}

void ThreadBuilder::waitForGrids() {
  NVVM::GriddepcontrolOp::create(b, location, NVVM::GridDepActionKind::wait);
}

void ThreadBuilder::launchDependents() {
  NVVM::GriddepcontrolOp::create(b, location,
                                 NVVM::GridDepActionKind::launch_dependents);
}

//===-- Matrix units ------------------------------------------------------===//

Values ThreadBuilder::membersOf(Value structure) {
  Values members;
  auto type = cast<LLVM::LLVMStructType>(structure.getType());
  for (int64_t i = 0, e = int64_t(type.getBody().size()); i < e; ++i)
    members.push_back(LLVM::ExtractValueOp::create(b, location, structure, i));
  return members;
}

Values ThreadBuilder::loadMatrices(Value pointer, bool transposed) {
  MLIRContext *context = b.getContext();
  SmallVector<Type> words(4, b.getI32Type());
  auto type = LLVM::LLVMStructType::getLiteral(context, words);
  auto layout = transposed ? NVVM::MMALayout::col : NVVM::MMALayout::row;
  auto shape = NVVM::LdStMatrixShapeAttr::get(context, 8, 8);
  Value loaded = NVVM::LdMatrixOp::create(b, location, type, pointer, 4, layout,
                                          shape, NVVM::LdStMatrixEltType::B16);
  return membersOf(loaded);
}

static NVVM::MMATypes typeOfUnit(tile::Precision type) {
  switch (type) {
  case tile::Precision::F16:
    return NVVM::MMATypes::f16;
  case tile::Precision::BF16:
    return NVVM::MMATypes::bf16;
  case tile::Precision::F32:
  case tile::Precision::TF32:
    return NVVM::MMATypes::tf32;
  }
  return NVVM::MMATypes::tf32;
}

Values ThreadBuilder::multiply(tile::Precision type, ValueRange lhs,
                               ValueRange rhs, ValueRange sums) {
  NVVM::MMATypes unit = typeOfUnit(type);
  auto halves = VectorType::get({2}, b.getF16Type());
  auto asOperands = [&](ValueRange words) {
    Values operands(words);
    if (unit == NVVM::MMATypes::f16)
      for (Value &operand : operands)
        operand = bitcast(operand, halves);
    return operands;
  };
  SmallVector<Type> floats(4, b.getF32Type());
  auto result = LLVM::LLVMStructType::getLiteral(b.getContext(), floats);
  int64_t steps = unit == NVVM::MMATypes::tf32 ? 8 : 16;
  Value product = NVVM::MmaOp::create(
      b, location, result, asOperands(lhs), asOperands(rhs), sums,
      {16, 8, steps}, std::nullopt, std::nullopt, std::array{unit, unit},
      std::array{NVVM::MMALayout::row, NVVM::MMALayout::col});
  return membersOf(product);
}

Value ThreadBuilder::bitcast(Value value, Type type) {
  if (value.getType() == type)
    return value;
  return LLVM::BitcastOp::create(b, location, type, value);
}

Value ThreadBuilder::toTf32(Value word) {
  Value number = bitcast(word, b.getF32Type());
  return NVVM::ConvertFloatToTF32Op::create(b, location, b.getI32Type(), number,
                                            NVVM::FPRoundingMode::RNA);
}

std::pair<Value, Value> ThreadBuilder::splitTf32(Value word) {
  constexpr int64_t upperBits = 0xffffe000;
  Type f32 = b.getF32Type();
  Value large = bitAnd(word, upperBits);
  Value rest = arith::SubFOp::create(b, location, bitcast(word, f32),
                                     bitcast(large, f32));
  return {large, bitcast(rest, b.getI32Type())};
}

//===-- Numbers -----------------------------------------------------------===//

Value ThreadBuilder::exp2(Value x) {
  auto power = LLVM::InlineAsmOp::create(
      b, location, x.getType(), x, "ex2.approx.ftz.f32 $0, $1;", "=f,f",
      /*has_side_effects=*/false, /*is_align_stack=*/false,
      LLVM::TailCallKind::None, LLVM::AsmDialectAttr(), ArrayAttr());
  return power.getResult(0);
}

Value ThreadBuilder::reciprocal(Value x) {
  return NVVM::RcpApproxFtzF32Op::create(b, location, x.getType(), x);
}
