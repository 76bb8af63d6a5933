//===- Call.h - one operation being executed --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares what the functions of the operation families share: the
// call they execute, the tables they are listed in, and strided iteration.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_INTERPRETER_CALL_H
#define TENON_LIB_INTERPRETER_CALL_H

#include "lib/Interpreter/Elements.h"

namespace tenon::interp {

/// An operation with its operand values and room for its results.
struct Call {
  mlir::Operation *op;
  llvm::ArrayRef<Tensor> operands;
  llvm::SmallVector<Tensor> results; ///< allocated by the caller
  std::string reason;                ///< why it failed

  Tensor &result() { return results.front(); }

  mlir::LogicalResult fail(const llvm::Twine &why) {
    reason = why.str();
    return mlir::failure();
  }
};

using Function = mlir::LogicalResult (*)(Call &);

struct Entry {
  llvm::StringLiteral name; ///< of the operation
  Function function;
};

llvm::ArrayRef<Entry> elementwiseEntries();
llvm::ArrayRef<Entry> contractionEntries();
llvm::ArrayRef<Entry> reductionEntries();
llvm::ArrayRef<Entry> windowEntries();
llvm::ArrayRef<Entry> movementEntries();
llvm::ArrayRef<Entry> packEntries();
llvm::ArrayRef<Entry> pickingEntries();
llvm::ArrayRef<Entry> resizeEntries();
llvm::ArrayRef<Entry> selectionEntries();
llvm::ArrayRef<Entry> recurrentEntries();

using Shape = llvm::ArrayRef<int64_t>;
using Strides = llvm::SmallVector<int64_t>;

/// Row-major strides of a shape.
Strides stridesOf(Shape shape);

/// Strides that read a tensor of shape `from` broadcast like numpy to a shape
/// of rank `rank`: 0 where an extent of 1 repeats.
Strides broadcastStrides(Shape from, size_t rank);

int64_t product(Shape shape);

/// A run of points with consecutive numbers: element `offsets[k] + i *
/// strides[k]` of tensor k for i below `size`, from point `first` on.
struct Run {
  int64_t first;
  int64_t size;
  llvm::ArrayRef<int64_t> offsets;
  llvm::ArrayRef<int64_t> strides;
};

/// Walks a box in row-major order, several tensors at once, in runs as long as
/// the strides allow but of at most `kMaxRun` points.
inline constexpr int64_t kMaxRun = 512;
void forEachRun(Shape box, llvm::ArrayRef<Strides> strides,
                llvm::function_ref<void(const Run &)> visit);

/// Copies into the whole of `result` the elements of `input` that lie at
/// `offset` plus the index times `strides`.
void copyStrided(Tensor &result, const Tensor &input, int64_t offset,
                 const Strides &strides);

/// Numbers of a tensor of shape `shape`, permuted: dimension i of the outcome
/// is dimension `order[i]` of `numbers`.
template <typename W>
std::vector<W> permute(const std::vector<W> &numbers, Shape shape,
                       llvm::ArrayRef<int64_t> order) {
  Strides all = stridesOf(shape), strides;
  llvm::SmallVector<int64_t> box;
  for (int64_t dim : order) {
    strides.push_back(all[dim]);
    box.push_back(shape[dim]);
  }
  std::vector<W> permuted(numbers.size());
  forEachRun(box, strides, [&](const Run &run) {
    for (int64_t i = 0; i < run.size; ++i)
      permuted[run.first + i] = numbers[run.offsets[0] + i * run.strides[0]];
  });
  return permuted;
}

} // namespace tenon::interp

#endif // TENON_LIB_INTERPRETER_CALL_H
