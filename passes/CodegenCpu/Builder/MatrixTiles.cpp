//===- MatrixTiles.cpp - the registers of a matrix unit -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenCpu/Builder/MatrixTiles.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

static void call(KernelBuilder &b, StringRef name, ValueRange operands) {
  LLVM::CallIntrinsicOp::create(b.builder(), b.loc(),
                                b.builder().getStringAttr(name), operands);
}

static Value tileNumber(KernelBuilder &b, int64_t tile) {
  return b.constantInt(b.builder().getI8Type(), tile);
}

void codegen::configureTiles(KernelBuilder &b) {
  constexpr int64_t bytes = 64, tiles = 8, widths = 16, heights = 48;
  Type byte = b.builder().getI8Type(), word = b.builder().getI16Type();
  Value config = b.scratch(bytes, byte);
  b.store(b.constantInt(b.vectorType(byte, bytes), 0), config);
  b.store(b.constantInt(byte, 1), config); // the palette
  b.store(b.constantInt(b.vectorType(word, tiles), 64),
          b.at(config, widths, byte));
  b.store(b.constantInt(b.vectorType(byte, tiles), 16),
          b.at(config, heights, byte));
  call(b, "llvm.x86.ldtilecfg", config);
}

void codegen::releaseTiles(KernelBuilder &b) {
  call(b, "llvm.x86.tilerelease", {});
}

void codegen::zeroTile(KernelBuilder &b, int64_t tile) {
  call(b, "llvm.x86.tilezero", tileNumber(b, tile));
}

void codegen::loadTile(KernelBuilder &b, int64_t tile, Value pointer,
                       int64_t pitch) {
  call(b, "llvm.x86.tileloadd64",
       {tileNumber(b, tile), pointer, b.index(pitch)});
}

void codegen::storeTile(KernelBuilder &b, int64_t tile, Value pointer,
                        int64_t pitch) {
  call(b, "llvm.x86.tilestored64",
       {tileNumber(b, tile), pointer, b.index(pitch)});
}

void codegen::multiplyTiles(KernelBuilder &b, int64_t sums, int64_t lhs,
                            int64_t rhs) {
  call(b, "llvm.x86.tdpbf16ps",
       {tileNumber(b, sums), tileNumber(b, lhs), tileNumber(b, rhs)});
}
