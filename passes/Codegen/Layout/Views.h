//===- Views.h - tensors that are parts of other tensors' storage -*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares what movements do to a place in memory. In `@main`,
// `graph.reshape`, `graph.slice` and `graph.transpose` move nothing: their
// results are the operand's storage, walked with other strides:
//
//   slice [:, 1:3]        transpose           part of a concatenation
//   . x x .  first = 1    x x  strides swap   a a b b b  b: first = 2, pitch 5
//   . x x .  pitch = 4    x x                 a a b b b
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGEN_LAYOUT_VIEWS_H
#define TENON_PASSES_CODEGEN_LAYOUT_VIEWS_H

#include "dialects/Kernel/Buffers.h"
#include "dialects/Kernel/Kernel.h"
#include <optional>

namespace tenon::graph {
class TypicalSizes;
}

namespace tenon::codegen {

/// Where a tensor's elements lie in some storage, counted in elements: element
/// (i0, i1, ...) at `first + sum(i_k * strides[k])`.
struct TensorPlace {
  graph::Size first = 0;
  graph::Sizes strides;

  static TensorPlace of(memory::BufferType type) {
    return {kernel::offsetOf(type), kernel::stridesOf(type)};
  }
};

/// Whether `op` only says where its operand's elements are found.
bool isView(mlir::Operation *op);

/// The place of a view's result when its operand lies at `source`; none when
/// strides cannot express it. A slice that runs backwards is none.
std::optional<TensorPlace> placeThrough(mlir::Operation *view,
                                        const TensorPlace &source);

/// Where the operand of a view must lie so that the result lies at `result`;
/// none for slices, whose result is only a part.
std::optional<TensorPlace> placeBefore(mlir::Operation *view,
                                       const TensorPlace &result);

/// Operand `index` of a concatenation that lies at `result`.
TensorPlace placeOfPart(mlir::Operation *concat, unsigned index,
                        const TensorPlace &result);

/// The concatenation that a group consists of, or null.
mlir::Operation *concatIn(kernel::GroupOp group);

/// Row-major, with free space for so many more indices of one dimension.
memory::BufferType withRoom(mlir::RankedTensorType tensor, int64_t axis,
                            const graph::Size &room);

/// Whether the rows of `place` are less than half of what lies between their
/// starts: reading them brings in more of the neighbours than of themselves.
bool isSparse(mlir::RankedTensorType tensor, const TensorPlace &place,
              const graph::TypicalSizes &sizes);

/// A buffer at `place` and where it starts in its storage. The type does not
/// depend on where, unless sizes say it: kernels of equal parts are one kernel.
/// `low` and `high` are elements around the tensor that belong to the buffer
/// too (or empty).
struct PlacedBuffer {
  memory::BufferType type;
  int64_t byteOffset = 0;
};
PlacedBuffer bufferAt(mlir::RankedTensorType tensor, const TensorPlace &place,
                      llvm::ArrayRef<int64_t> low = {},
                      llvm::ArrayRef<int64_t> high = {});

/// Whether kernels walk `place` about as fast as a dense tensor: its innermost
/// loop runs over neighbours, enough of them for a vector.
bool hasLongRows(mlir::RankedTensorType tensor, const TensorPlace &place,
                 const graph::TypicalSizes &sizes);

/// Whether the planned group works when its buffer `index` (operands, then
/// results), a `tensor`, lies at `place`, whatever its symbols are.
bool groupAccepts(kernel::GroupOp group, unsigned index,
                  mlir::RankedTensorType tensor, const TensorPlace &place);

/// Whether everything that uses `value` works when it lies at `place`: groups
/// by their emitter's word, views and what uses them; nothing else does.
bool usersAccept(mlir::Value value, const TensorPlace &place);

/// The tensor whose storage holds `value`, through views.
mlir::Value viewedTensor(mlir::Value value);

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGEN_LAYOUT_VIEWS_H
