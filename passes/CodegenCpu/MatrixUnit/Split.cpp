//===- Split.cpp - numbers of f32 as three of bf16 ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenCpu/MatrixUnit/Split.h"

#include "lib/Tile/MatrixUnit.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "passes/CodegenCpu/Builder/ElementwiseOps.h"

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

  /// x's upper half below y's.
  void storePair(Value x, Value y, Value to) {
    Value low = binary<arith::ShRUIOp>(x, b.constantInt(bits, 16));
    b.store(binary<arith::OrIOp>(low, y), to);
  }

private:
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

void codegen::splitPairs(KernelBuilder &b, Value x, Value y, Value to) {
  Splitter split(b);
  Type byte = b.builder().getI8Type();
  for (int64_t piece = 0; piece + 1 < MatrixSquare::pieces; ++piece) {
    Value first = split.rounded(x), second = split.rounded(y);
    split.storePair(first, second,
                    b.at(to, piece * MatrixSquare::tileBytes, byte));
    x = split.less(x, first);
    y = split.less(y, second);
  }
  // What is left has at most eight digits.
  split.storePair(
      split.toBits(x), split.upper(split.toBits(y)),
      b.at(to, (MatrixSquare::pieces - 1) * MatrixSquare::tileBytes, byte));
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
