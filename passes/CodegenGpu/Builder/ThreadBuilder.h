//===- ThreadBuilder.h - what a thread of a block does ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the vocabulary of kernels that blocks of threads compute
// together: 32-bit indices, lanes and warps, shared memory and what fills it,
// barriers, and the matrix units.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGENGPU_BUILDER_THREADBUILDER_H
#define TENON_PASSES_CODEGENGPU_BUILDER_THREADBUILDER_H

#include "lib/Tile/Gpu.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Builders.h"

namespace tenon::gpu {

using mlir::Type;
using mlir::Value;
using mlir::ValueRange;
using Values = llvm::SmallVector<Value>;

/// Builds at the insertion point of another builder. Indices are `i32` and not
/// negative where they are divided; addresses count bytes.
class ThreadBuilder {
public:
  ThreadBuilder(mlir::OpBuilder &builder, mlir::Location loc)
      : b(builder), location(loc) {}

  mlir::OpBuilder &builder() { return b; }
  mlir::Location loc() const { return location; }

  //===-- Index arithmetic (folds constants) ------------------------------===//
  Value number(int64_t value); ///< i32
  Value add(Value x, Value y);
  Value add(Value x, int64_t y) { return y ? add(x, number(y)) : x; }
  Value sub(Value x, Value y);
  Value mul(Value x, Value y);
  Value mul(Value x, int64_t y) { return y == 1 ? x : mul(x, number(y)); }
  Value div(Value x, int64_t y); ///< y > 0
  Value div(Value x, Value y);
  Value rem(Value x, int64_t y); ///< y > 0
  Value rem(Value x, Value y);
  Value min(Value x, int64_t y);
  Value min(Value x, Value y);
  Value max(Value x, int64_t y);
  Value bitAnd(Value x, int64_t mask);
  Value bitXor(Value x, Value y);
  Value less(Value x, Value y); ///< i1
  Value less(Value x, int64_t y) { return less(x, number(y)); }
  Value equal(Value x, int64_t y);      ///< i1
  Value inside(Value x, int64_t count); ///< i1: 0 <= x < count
  Value both(Value x, Value y);         ///< i1; a null value holds always
  Value choose(Value condition, Value x, Value y);
  /// Splits a number over `extents`, the last one fastest.
  Values delinearize(Value linear, llvm::ArrayRef<int64_t> extents);

  //===-- Control ---------------------------------------------------------===//
  Values loop(Value lower, Value upper, ValueRange init,
              llvm::function_ref<Values(Value i, ValueRange carried)> body);
  /// Unless the condition is known; a null one holds always.
  void ifThen(Value condition, llvm::function_ref<void()> then);

  //===-- Where a thread is -----------------------------------------------===//
  Value thread(int64_t threads); ///< its number of so many
  Value block();                 ///< along x
  Value clusterRank();           ///< of the block in its cluster

  //===-- Memory ----------------------------------------------------------===//
  /// The memory that the block shares.
  Value shared(mlir::LLVM::GlobalOp array);
  /// The same place in the memory of another block of the cluster.
  Value sharedOf(Value pointer, Value rank);
  Value at(Value pointer, Value bytes);
  Value at(Value pointer, int64_t bytes);
  /// Element `index` of what has `elementBytes` each.
  Value element(Value pointer, Value index, int64_t elementBytes);
  Value load(Value pointer, Type type, int64_t alignment);
  /// Reads global memory where the condition holds, without a branch; elsewhere
  /// the value is `otherwise`. Elements have 16 or 32 bits; a null condition
  /// holds always.
  Value loadIf(Value condition, Value pointer, int64_t alignment,
               Value otherwise);
  /// Reads what no kernel writes: here, also before waitForGrids.
  Value loadConstant(Value pointer, Type type, int64_t alignment);
  void store(Value value, Value pointer, int64_t alignment);
  /// `bytes` (4, 8 or 16) from global to shared memory; of what lies behind the
  /// first `live` ones, zeros. A null `live` stands for all.
  void copyAsync(Value to, Value from, int64_t bytes, Value live);
  /// Copies up to here belong together.
  void commitCopies();
  /// Until all but the last `count` of those are there.
  void waitCopies(int64_t count);

  //===-- Together --------------------------------------------------------===//
  void barrier();        ///< of the block
  void clusterBarrier(); ///< of all blocks of the cluster
  /// The word of the lane whose number differs in the bits of `distance`.
  Value exchange(Value word, int64_t distance);
  /// Until all that earlier kernels wrote is there.
  void waitForGrids();
  /// Later kernels may begin.
  void launchDependents();

  //===-- Matrix units ----------------------------------------------------===//
  /// Four 8 x 8 matrices of 16 bits, or 8 x 4 of 32: lane `i` has the address
  /// of row `i % 8` of matrix `i / 8`, and gets two neighbours (a word) of row
  /// `lane / 4` of each, or of the transposed ones.
  Values loadMatrices(Value pointer, bool transposed);
  /// The product of 16 rows and 8 columns added to four sums: 8 steps of TF32,
  /// or 16 of 16 bits. Operands are words.
  Values multiply(tile::Precision type, ValueRange lhs, ValueRange rhs,
                  ValueRange sums);
  Value bitcast(Value value, Type type);
  Value toTf32(Value word); ///< rounded
  /// A number of f32 as one of TF32 and what is left, words.
  std::pair<Value, Value> splitTf32(Value word);

  //===-- Numbers of f32, about as exact as they are ----------------------===//
  Value exp2(Value x); ///< 0 where no normal number is as small
  Value reciprocal(Value x);

  //===-- Copies by boxes -------------------------------------------------===//
  /// A barrier in shared memory whose phase ends when `count` have arrived and
  /// all expected bytes are there.
  void initBarrier(Value barrier, int64_t count);
  /// Others see the barriers.
  void fenceBarriers();
  /// Arrives, with so many bytes to come.
  void expect(Value barrier, int64_t bytes);
  void arrive(Value barrier, Value condition);
  /// Until the phase of that parity is over.
  void wait(Value barrier, Value parity);
  /// The box at `corner` (innermost first) of what a map describes.
  void copyBox(Value to, Value map, Value barrier, ValueRange corner);

  //===-- Units of warpgroups ---------------------------------------------===//
  /// That of lane 0, so that all of a warp is seen to branch alike.
  Value uniform(Value value);
  void barrierOf(int64_t number, int64_t threads);
  /// Rows of 128 or 64 bytes at an address in shared memory, swizzled in
  /// eights.
  Value descriptorOf(Value address, int64_t rowBytes = 128);
  Value sharedAddress(Value pointer); ///< i32
  void fenceProducts();
  void commitProducts();
  void waitProducts(int64_t count);
  /// The product of 64 rows, 32 bytes of k, and two columns a sum, both
  /// operands by descriptors. Sums may not be used before they are waited for.
  Values multiplyGroup(tile::Precision type, Value lhs, Value rhs,
                       ValueRange sums);
  /// The product of 64 rows whose 16 numbers of bf16 lanes have in four words
  /// each; with `begins` sums are those of the product alone.
  Values multiplyWords(ValueRange lhs, Value rhs, ValueRange sums, bool begins);
  /// Two numbers of f32 as such of 16 bits in a word, `low` in its lower half.
  Value toHalves(tile::Precision type, Value low, Value high);
  Value toBrainFloats(Value low, Value high) {
    return toHalves(tile::Precision::BF16, low, high);
  }
  /// The same values, used no earlier than here.
  Values pin(ValueRange values);

private:
  Values membersOf(Value structure);
  Values load(Type type, llvm::StringRef code, ValueRange operands,
              llvm::StringRef constraints);
  Values wordsOf(Value value, Type all, int64_t count);
  Value ofWords(ValueRange words, Type all, Type type);

  mlir::OpBuilder &b;
  mlir::Location location;
};

} // namespace tenon::gpu

#endif // TENON_PASSES_CODEGENGPU_BUILDER_THREADBUILDER_H
