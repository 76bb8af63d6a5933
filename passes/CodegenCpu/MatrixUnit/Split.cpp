//===- Split.cpp - numbers of f32 as three of bf16 ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenCpu/MatrixUnit/Split.h"

#include "lib/Tile/MatrixUnit.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "passes/Codegen/Builder/ElementwiseOps.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;
using tile::MatrixSquare;

namespace {
/// Vectors of f32 and of their bits.
struct Splitter {
  explicit Splitter(KernelBuilder &b)
      : b(b), ops(b.builder()), floats(b.vectorType(b.f32Type(), lanes)),
        bits(b.vectorType(ops.getI32Type(), lanes)) {}

  static constexpr int64_t lanes = 16;

  Value toBits(Value value) { return cast<arith::BitcastOp>(bits, value); }
  Value toFloats(Value value) { return cast<arith::BitcastOp>(floats, value); }

  /// The upper half of the bits: of bf16.
  Value upper(Value value) {
    return binary<arith::AndIOp>(value, b.constantInt(bits, ~0xffffll));
  }

  /// The bits of bf16(value).
  Value rounded(Value value) {
    return upper(
        binary<arith::AddIOp>(toBits(value), b.constantInt(bits, 0x8000)));
  }

  Value less(Value value, Value roundedBits) {
    return binary<arith::SubFOp>(value, toFloats(roundedBits));
  }

  /// The upper halves of x and y.
  void store(Pairs pairs, Value x, Value y, Value to) {
    Value low = lowered(x);
    b.store(pairs == Pairs::lanes ? binary<arith::OrIOp>(low, upper(y))
                                  : packed(low, lowered(y)),
            to);
  }

private:
  Value lowered(Value value) {
    return binary<arith::ShRUIOp>(value, b.constantInt(bits, 16));
  }

  /// Lower halves, four of x and four of y in turn.
  Value packed(Value x, Value y) {
    Type type = b.vectorType(ops.getI16Type(), 2 * lanes);
    StringRef name = "llvm.x86.avx512.packusdw.512";
    auto call = LLVM::CallIntrinsicOp::create(
        ops, b.loc(), type, ops.getStringAttr(name), ValueRange{x, y});
    return call.getResult(0);
  }

  template <typename Op> Value binary(Value x, Value y) {
    return Op::create(ops, b.loc(), x, y);
  }
  template <typename Op> Value cast(Type type, Value value) {
    return Op::create(ops, b.loc(), type, value);
  }

  KernelBuilder &b;
  OpBuilder &ops;
  Type floats, bits;
};
} // namespace

void codegen::split(KernelBuilder &b, Pairs pairs, Value x, Value y, Value to) {
  Splitter split(b);
  Type byte = b.builder().getI8Type();
  auto place = [&](int64_t piece) {
    return b.at(to, piece * MatrixSquare::tileBytes, byte);
  };
  constexpr int64_t last = MatrixSquare::pieces - 1;
  for (int64_t piece = 0; piece < last; ++piece) {
    Value first = split.rounded(x), second = split.rounded(y);
    split.store(pairs, first, second, place(piece));
    x = split.less(x, first);
    y = split.less(y, second);
  }
  // What is left has at most eight digits.
  split.store(pairs, split.toBits(x), split.toBits(y), place(last));
}

Value codegen::lineOfPair(KernelBuilder &b, Value i) {
  // Two of the first half of the steps, two of the second, in turn.
  Value two = b.rem(b.div(i, 2), 4);
  return b.add(b.mul(two, 4), b.add(b.mul(b.div(i, 8), 2), b.rem(i, 2)));
}

Value codegen::loadClamped(KernelBuilder &b, Value pointer, Value count,
                           Type element) {
  Type vector = b.vectorType(element, Splitter::lanes);
  std::optional<int64_t> known = b.constant(count);
  if (known && *known <= 0)
    return b.constantOf(b.vectorType(b.f32Type(), Splitter::lanes), 0);
  Value loaded = known && *known >= Splitter::lanes
                     ? b.load(pointer, vector, element)
                     : b.loadPart(pointer, vector, count, element);
  return widenFloat(b, loaded);
}
