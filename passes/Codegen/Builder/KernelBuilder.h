//===- KernelBuilder.h - writes kernel bodies -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the vocabulary all emitters speak: 64-bit index
// arithmetic that folds constants, counted loops, and loads and stores of
// scalars and one-dimensional native vectors through pointers.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGEN_BUILDER_KERNELBUILDER_H
#define TENON_PASSES_CODEGEN_BUILDER_KERNELBUILDER_H

#include "dialects/Graph/Size.h"
#include "lib/Tile/Rows.h"
#include "lib/Tile/Target.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/MapVector.h"

namespace tenon::codegen {

using graph::Size;
using graph::Sizes;
using mlir::Type;
using mlir::Value;
using mlir::ValueRange;
using Values = llvm::SmallVector<Value>;

/// [begin, end).
struct Interval {
  Value begin, end;
};

/// The function of one kernel, as emitters see it. How it is called is told by
/// those that open one.
struct KernelFunction {
  virtual ~KernelFunction() = default;
  /// A number that is known when the program runs: the kernel gets each that it
  /// asks for, ready-made.
  virtual Value size(mlir::Attribute dim) = 0;

  mlir::FunctionOpInterface op;
  mlir::Block *body = nullptr; ///< what emitters build ends it
  Values buffers; ///< pointers to the start of each buffer's storage
  Value scratch;  ///< of the thread that runs, aligned to 64 bytes
  Interval tiles; ///< what a call has to do
  unsigned numConstants = 0;
  /// The dimensions that make up `sizes` of a call, in order.
  llvm::MapVector<mlir::Attribute, Value> sizes;
};

/// `func.func @name(%call: !llvm.ptr)`, which is called as tenon_kernel_fn of
/// tenon-c/Runtime.h says.
struct CalledFunction : KernelFunction {
  /// Opens it at the end of `module`.
  CalledFunction(mlir::ModuleOp module, mlir::Location loc,
                 llvm::StringRef name, unsigned numBuffers);
  /// Terminates it; nothing may be built afterwards.
  void finish();
  /// Loaded from the call's `sizes` at its entry.
  Value size(mlir::Attribute dim) override;

private:
  Value call;
  Value sizeTable;           ///< null until a size is asked for
  mlir::Operation *prologue; ///< its last operation
};

/// Builds the code of one stage inside of a kernel's function. The stage knows
/// the pointers to its own buffers and which of its tiles to run; who opened
/// the function, and what else stands in it, is not its business. Indices are
/// `i64` values and count elements, not bytes. An i1 tensor element is one byte
/// (0 or 1) in memory and an `i1` in registers; unsigned types are signless in
/// registers, so signedness is the operation's business.
///
///   CalledFunction function(module, loc, "k0", /*numBuffers=*/2);
///   KernelBuilder b(function, loc, target);
///   b.forTiles([&](Value tile) {
///     Value v = b.load(b.at(b.buffer(0), tile, f32), vec16);
///     b.store(v, b.at(b.buffer(1), tile, f32));
///   });
///   function.finish();
class KernelBuilder {
public:
  /// For the stage that is a whole kernel: its buffers, its tiles.
  KernelBuilder(KernelFunction &function, mlir::Location loc,
                const tile::Target &target);
  /// For a stage at the place where `outer` builds, on other buffers;
  /// `scratch`: that of a thread, if it is not `outer`'s.
  KernelBuilder(const KernelBuilder &outer, mlir::Location loc, Values buffers,
                Interval tiles, Value scratch = {});
  KernelBuilder(const KernelBuilder &) = delete;

  mlir::OpBuilder &builder() { return b; }
  mlir::Location loc() { return location; }
  const tile::Target &target() const { return cpu; }
  /// Pointer to the start of the stage's buffer `i`: operands, then results,
  /// then scratch.
  Value buffer(unsigned i) { return buffers[i]; }
  /// Scratch of the thread that runs: what the plan asks for, holding anything.
  Value threadScratch() { return ownScratch ? ownScratch : function.scratch; }
  Value tileBegin() { return begin; }
  Value tileEnd() { return end; }

  //===-- Types -----------------------------------------------------------===//
  Type i64Type() { return b.getI64Type(); }
  Type f32Type() { return b.getF32Type(); }
  /// The type of an element in memory: i1 becomes i8, signedness is dropped.
  Type storageType(Type element);
  /// The type of an element in registers: signedness is dropped.
  Type registerType(Type element);
  /// A vector of `lanes` register elements; the element itself for 1 lane.
  Type vectorType(Type element, int64_t lanes);

  //===-- Index arithmetic (folds constants) ------------------------------===//
  Value index(int64_t value);
  Value index(const Size &value); ///< a constant, or one of the call's sizes
  Value add(Value x, Value y);
  Value add(Value x, int64_t y) { return add(x, index(y)); }
  Value add(Value x, const Size &y) { return add(x, index(y)); }
  Value sub(Value x, Value y);
  Value mul(Value x, Value y);
  Value mul(Value x, int64_t y) { return mul(x, index(y)); }
  Value mul(Value x, const Size &y) { return mul(x, index(y)); }
  Value div(Value x, int64_t y); ///< floor division of a non-negative x
  Value div(Value x, Value y);
  Value divUp(Value x, int64_t y); ///< rounded up; 0 for a negative x
  Value rem(Value x, int64_t y);   ///< remainder of a non-negative x
  Value rem(Value x, Value y);
  Value min(Value x, Value y);
  Value max(Value x, Value y);
  Value less(Value x, Value y);                    ///< i1
  Value equal(Value x, Value y);                   ///< i1
  Value inside(Value x, const Size &extent);       ///< i1: x in [0, extent)
  Value choose(Value condition, Value x, Value y); ///< x if it holds
  /// The integer when `value` is a constant.
  std::optional<int64_t> constant(Value value);
  /// Splits a linear index over `extents` (row-major, the last one fastest).
  Values delinearize(Value linear, llvm::ArrayRef<int64_t> extents);
  Values delinearize(Value linear, llvm::ArrayRef<Size> extents);
  Values delinearize(Value linear, std::initializer_list<int64_t> extents) {
    return delinearize(linear, llvm::ArrayRef<int64_t>(extents));
  }
  /// Where piece `i` of a split starts: tall pieces come first.
  Value startOf(const tile::EvenSplit &split, Value i);
  /// The same where the number of tall pieces is known in the run only.
  Value startOf(int64_t height, Value tall, Value i);
  /// What the launch tiles in `of` have of `items`, which `tiles` of them share
  /// out as evenly as can be: see tile::shareStart.
  Interval shareOf(const Size &items, const Size &tiles, Interval of);
  /// What the stage has to run.
  Interval shareOfCall(const Size &items, const Size &tiles) {
    return shareOf(items, tiles, {tileBegin(), tileEnd()});
  }

  //===-- Constants -------------------------------------------------------===//
  /// A float or integer constant of scalar or vector type.
  Value constantOf(Type type, double value);
  Value constantInt(Type type, int64_t value);

  //===-- Control ---------------------------------------------------------===//
  /// for (tile = begin; tile < end; ++tile)
  void forTiles(llvm::function_ref<void(Value tile)> body);
  void loop(Value lower, Value upper, int64_t step,
            llvm::function_ref<void(Value i)> body);
  /// With loop-carried values; the body returns their next values. A trip count
  /// of zero or one known at compile time builds no loop.
  Values loop(Value lower, Value upper, int64_t step, ValueRange init,
              llvm::function_ref<Values(Value i, ValueRange carried)> body);
  void ifThen(Value condition, llvm::function_ref<void()> then,
              llvm::function_ref<void()> otherwise = {});
  Values select(Value condition, llvm::function_ref<Values()> then,
                llvm::function_ref<Values()> otherwise);

  //===-- Memory ----------------------------------------------------------===//
  /// Address of element `index` of a buffer of `element`s.
  Value at(Value pointer, Value index, Type element);
  Value at(Value pointer, int64_t index, Type element);
  Value at(Value pointer, const Size &index, Type element) {
    return index.isFixed() ? at(pointer, index.fixed(), element)
                           : at(pointer, this->index(index), element);
  }
  /// Loads a scalar or vector of register elements; the storage element type is
  /// `element` (default: that of `type`); i1 is widened from bytes.
  Value load(Value pointer, Type type, Type element = {});
  void store(Value value, Value pointer, Type element = {});
  /// Lanes [0, count) only; the others read as `otherwise` (default zero).
  Value loadPart(Value pointer, Type vector, Value count, Type element = {},
                 Value otherwise = {});
  void storePart(Value value, Value pointer, Value count, Type element = {});
  /// Lanes at pointer + lane * stride elements.
  Value loadStrided(Value pointer, Type vector, int64_t stride,
                    Type element = {});
  /// Whether that takes a load for each vector of the span instead of each
  /// lane.
  static bool spansFewVectors(int64_t stride) {
    return stride >= -4 && stride <= 4;
  }
  void storeStrided(Value value, Value pointer, int64_t stride,
                    Type element = {});
  /// Stores a whole vector, at a multiple of its bytes, past the caches. Only
  /// where the target has streams; lines that are not filled at once are slow.
  void storeStreaming(Value value, Value pointer, Type element);
  /// Other threads see what was stored so.
  void drain();
  /// One element in all lanes.
  Value loadBroadcast(Value pointer, Type vector, Type element = {});
  /// locality 3 keeps the line in all caches, 2 in L2 and beyond. Never for
  /// writing: that brings lines into L1, which costs more than it saves.
  void prefetch(Value pointer, int locality = 2);
  /// What has been loaded before is loaded again where it is needed behind
  /// this, instead of taking a register; no instruction.
  void forgetLoads();
  /// All lines of `count` elements from `pointer` on.
  void prefetchLines(Value pointer, int64_t count, Type element, int locality);
  /// Stack storage of `count` elements, aligned to 64 bytes, allocated once at
  /// the function's entry.
  Value scratch(int64_t count, Type element);
  /// Numbers that the kernel reads, aligned to 64 bytes: constants beside it in
  /// its module, named after it.
  Value constants(mlir::DenseElementsAttr numbers);

  //===-- Vectors ---------------------------------------------------------===//
  Value splat(Value scalar, Type vector);
  /// The lanes of two vectors, by number: those of `y` follow those of `x`.
  Value permute(Value x, Value y, llvm::ArrayRef<int64_t> lanes);
  /// With `from(i)` in lane `i` of `count`.
  Value permute(Value x, Value y, int64_t count,
                llvm::function_ref<int64_t(int64_t i)> from);
  /// One lane of a vector; a scalar itself.
  Value lane(Value value, int64_t number);
  Value plus(Value x, Value y);         ///< of floats or integers, as is fma
  Value fma(Value x, Value y, Value z); ///< x * y + z; mul and add without FMA
  /// i1 vector: lane < count.
  Value mask(Value count, int64_t lanes);

private:
  Value loadSpan(Value pointer, int64_t lanes, int64_t stride, Type element);
  void storePieces(Value stored, Value pointer, int64_t count);
  Value toStorage(Value value, Type element);
  Value fromStorage(Value value, Type type);

  mlir::OpBuilder b;
  mlir::Location location;
  const tile::Target &cpu;
  KernelFunction &function;
  Values buffers;
  Value begin, end;
  Value ownScratch; ///< null: the function's
};

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGEN_BUILDER_KERNELBUILDER_H
