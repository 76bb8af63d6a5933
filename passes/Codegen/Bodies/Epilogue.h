//===- Epilogue.h - what follows an anchor, in registers --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares how the element-wise operations of a group are applied to
// the anchor's result before it is stored. Contractions and windows share it.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGEN_BODIES_EPILOGUE_H
#define TENON_PASSES_CODEGEN_BODIES_EPILOGUE_H

#include "mlir/IR/TypeUtilities.h"
#include "passes/Codegen/Builder/KernelBuilder.h"
#include "passes/Codegen/Groups/IndexedTensor.h"
#include "passes/Codegen/Strategy.h"

namespace tenon::codegen {

/// The element of each tensor at the leading indices of the anchor's result,
/// the others being zero.
Values elementsAt(KernelBuilder &b, llvm::ArrayRef<IndexedTensor> tensors,
                  mlir::ValueRange index);

/// `count` strides behind a pointer.
Value atSteps(KernelBuilder &b, Value pointer, int64_t count,
              const Size &stride, Type element);

/// Lanes of a vector that lie elsewhere than behind those before.
struct SegmentPart {
  int64_t lane, count;
  /// From the segment's first element, for each tensor, in elements.
  llvm::SmallVector<int64_t> displacements;
};

/// A run of elements along the result's last dimension. Rows and vectors are
/// the caller's small numbers: equal numbers mean equal addresses, so that a
/// per-channel bias is loaded once for all rows.
struct Segment {
  int64_t lanes; ///< of the vectors
  int64_t count; ///< lanes that exist; the rest is neither read nor written
  int64_t row, vector;
  /// The address of the first element in tensor `i` of `tensors()`.
  llvm::function_ref<Value(unsigned i)> pointer;
  /// The lanes of further rows, which share the vector.
  llvm::ArrayRef<SegmentPart> parts = {};
  /// How many of the `count` lanes exist, where only the run knows it.
  Value live = {};
};

/// The epilogue of one group.
class Epilogue {
public:
  /// Fails, with a diagnostic, when an operation of the group is not an
  /// element-wise function of the anchor's result.
  static mlir::FailureOr<Epilogue> create(const StageRequest &request);

  /// Of the operations that follow an anchor among others in its block, whose
  /// arguments lie in `operands`; `results` are what they yield.
  static mlir::FailureOr<Epilogue>
  create(mlir::Operation *anchor, llvm::ArrayRef<mlir::Operation *> following,
         llvm::ArrayRef<IndexedTensor> results,
         llvm::ArrayRef<memory::BufferType> operands);

  /// Results first, in the group's order, then operands.
  llvm::ArrayRef<IndexedTensor> tensors() const { return all; }
  unsigned numResults() const { return results; }

  /// The elements of what the anchor computes, before anything follows. Where
  /// all that follows reads them widened, they are not rounded before.
  Type sumType() const { return mlir::getElementTypeOrSelf(anchor); }

  /// From now on a segment runs along a dimension with these strides, one per
  /// tensor: for results whose last dimension has one element.
  void runAlong(llvm::ArrayRef<Size> strides);

  /// Rough instructions per vector.
  int64_t cost() const;

  /// The values of the results where the anchor's is `sums`: vectors of
  /// `lanes`, or scalars. `load(i)` is tensor `i` there.
  mlir::FailureOr<Values> compute(KernelBuilder &b, Value sums, int64_t lanes,
                                  llvm::function_ref<Value(unsigned)> load);

  /// Applies the operations to the anchor's result and stores what the group
  /// yields.
  mlir::LogicalResult apply(KernelBuilder &b, Value sums,
                            const Segment &segment);

  /// Forgets loaded values: to be called when control flow leaves the place
  /// where they were loaded.
  void clearLoads() { loads.clear(); }

private:
  Value loadOperand(KernelBuilder &b, unsigned index, const Segment &segment);
  void storeResult(KernelBuilder &b, unsigned index, Value value,
                   const Segment &segment);

  Value anchor; ///< its result, or that result widened
  llvm::SmallVector<mlir::Operation *> operations;
  llvm::SmallVector<IndexedTensor> all;
  unsigned results = 0;
  /// (tensor, row or -1, vector or -1) -> loaded value.
  std::map<std::tuple<unsigned, int64_t, int64_t>, Value> loads;
};

/// Loads or stores `count` of the lanes along a dimension of any stride, or the
/// first `live` of them where they lie together.
Value loadLanes(KernelBuilder &b, Value pointer, Type vector, int64_t stride,
                int64_t count, Type element, Value live = {});
void storeLanes(KernelBuilder &b, Value value, Value pointer, int64_t stride,
                int64_t count, Type element, Value live = {});

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGEN_BODIES_EPILOGUE_H
