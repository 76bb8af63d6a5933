//===- EpilogueTile.h - storing a register tile -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares how a rectangle of accumulators goes through the epilogue
// to memory.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGENCPU_CONTRACTION_EPILOGUETILE_H
#define TENON_PASSES_CODEGENCPU_CONTRACTION_EPILOGUETILE_H

#include "passes/Codegen/Bodies/Epilogue.h"
#include <limits>

namespace tenon::codegen {

/// Strides of one dimension for each tensor of the epilogue; empty means that
/// the dimension has one element.
using TensorStrides = llvm::ArrayRef<Size>;
inline Size strideOf(TensorStrides strides, size_t tensor) {
  return strides.empty() ? Size(0) : strides[tensor];
}

/// A tile of `height * width` rows by `vectors` vectors of results. They begin
/// at the column `first` of `members` of `memberColumns` each: neighbours, or
/// rows whose results share vectors. Strides within a row are fixed.
struct EpilogueTile {
  Values base; ///< element index of the first element in each tensor
  int64_t height = 1, width = 1;
  int64_t vectors, lanes;
  int64_t last; ///< existing lanes of the last vector
  Value live;   ///< how many columns exist, where only the run knows it
  TensorStrides outer, inner, member, column;
  int64_t members = 1, first = 0;
  int64_t memberColumns = std::numeric_limits<int64_t>::max();
  bool areRows = false; ///< the members
};

/// Stores tiles of one kernel. Short epilogues are applied to registers one by
/// one; long ones in a loop over the tile, whose accumulators then wait on the
/// stack, so that their operations are emitted once per vector of a row.
class TileStore {
public:
  /// `capacity`: vectors of the largest tile.
  TileStore(Epilogue epilogue, int64_t capacity)
      : epilogue(std::move(epilogue)), result(this->epilogue.sumType()),
        capacity(capacity) {}

  llvm::ArrayRef<IndexedTensor> tensors() const { return epilogue.tensors(); }
  unsigned numResults() const { return epilogue.numResults(); }

  /// Asks for the lines that storing the tile will touch.
  void prefetch(KernelBuilder &b, const EpilogueTile &tile) const;

  /// `sums` are the accumulators, rows outermost.
  void store(KernelBuilder &b, const EpilogueTile &tile, ValueRange sums);

  /// Whether any operation could not be emitted (there is a diagnostic).
  bool failed() const { return broken; }

private:
  void storeInline(KernelBuilder &b, const EpilogueTile &tile, ValueRange sums);
  void storeLooped(KernelBuilder &b, const EpilogueTile &tile, ValueRange sums);
  void storeWaiting(KernelBuilder &b, const EpilogueTile &tile, Type vector,
                    Value y, Value x, int64_t rows);
  /// To vector `j` of a row whose number is `row`: `address(tensor, offset)` is
  /// that many elements behind the row's first one.
  void
  apply(KernelBuilder &b, const EpilogueTile &tile, int64_t row, int64_t j,
        Value sum,
        llvm::function_ref<Value(unsigned tensor, int64_t offset)> address);

  Epilogue epilogue;
  Type result;
  int64_t capacity;
  Value waiting; ///< stack storage
  bool broken = false;
};

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGENCPU_CONTRACTION_EPILOGUETILE_H
