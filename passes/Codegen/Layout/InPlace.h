//===- InPlace.h - which tensor lies where ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the layout decisions of a function: which values get a
// halo, which are computed where a movement would copy them to, and which have
// padded pixels.
//
// A concatenation needs no copy when its operands' producers write into the
// parts of its result:
//
//   p = conv ...                 the buffer of r
//   q = pool ...                 +-------+---+
//   r = concat p, q  (axis 3)    | p p p | q |   p and q have r's pitch
//                                | p p p | q |
//                                +-------+---+
//
// Other users of p read that part. A transposition needs none either when its
// operand's producer writes rows in the result's order. Storage is found from
// the end of the program backwards, so that concatenations of concatenations
// lie in the outermost one. A halo that a part needs surrounds the whole.
// Shared storage that would live so long that memory grows much is refused,
// and so are narrow parts of large storage that are read again.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGEN_LAYOUT_INPLACE_H
#define TENON_PASSES_CODEGEN_LAYOUT_INPLACE_H

#include "dialects/Graph/States.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/Codegen/Layout/Views.h"
#include "passes/Codegen/Planning.h"

namespace tenon::graph {
class TypicalSizes;
}

namespace tenon::codegen {

class Layouts {
public:
  /// Lows, then highs.
  using Halo = llvm::SmallVector<int64_t>;

  Layouts(mlir::func::FuncOp function, const tile::Target &target)
      : function(function), target(&target) {}

  /// Whether `value` can be allocated with `halo` around it.
  static bool canHaveHalo(mlir::Value value, llvm::ArrayRef<int64_t> halo);

  /// Notes that a user of `value` needs `halo`.
  void addHalo(mlir::Value value, llvm::ArrayRef<int64_t> halo);

  /// Decides which states grow in place: the first operand of the concatenation
  /// that makes a state's output is its input, and both lie in one buffer with
  /// room behind. Notes it in `states`; returns how many.
  unsigned placeStates(llvm::MutableArrayRef<graph::State> states);

  /// Decides which operands of movements lie in their results; returns how
  /// many. All halos are known by then.
  unsigned placeParts();

  /// Pads the pixels of maps that own their storage, with the parts that lie in
  /// it (Pixels.h); returns of how many. All parts are placed by then.
  unsigned padPixels();

  /// How `value` lies in its storage; none for views that strides cannot
  /// express, which `tenon-form-views` does not make.
  std::optional<PlacedBuffer> bufferOf(mlir::Value value) const;
  /// The operands of the movement in `group` that lie in its result.
  llvm::ArrayRef<int64_t> partsInPlace(kernel::GroupOp group) const;
  bool hasHalo(mlir::Value value) const { return halos.contains(value); }

private:
  /// A value that lies in the result of a movement's group.
  struct Part {
    kernel::GroupOp mover;
    unsigned index; ///< operand of the movement
  };

  /// Free space behind the last index of a dimension.
  struct Room {
    int64_t axis;
    graph::Size size;
  };

  memory::BufferType ownBuffer(mlir::Value value) const;
  llvm::SmallVector<Part> partsAbove(mlir::Value value) const;
  mlir::Value storageOf(mlir::Value value) const;
  std::optional<TensorPlace> placeOf(mlir::Value value) const;
  bool isPossible(mlir::Value part) const;
  bool isWorthwhile(mlir::Value part) const;
  bool holdsParts(mlir::Value storage) const;
  std::optional<Halo> haloOf(mlir::Value value) const;
  void restoreHalo(mlir::Value value, const std::optional<Halo> &halo);
  bool widenHalo(mlir::Value part);
  bool tryPlace(kernel::GroupOp mover, unsigned index);
  void placeAll();
  int64_t bytesOf(mlir::Value value, const graph::TypicalSizes &sizes) const;
  int64_t peakBytes() const;
  bool tryPad(mlir::Value map, const Halo &halo);
  bool tryPlaceState(graph::State &state);
  bool holdsState(mlir::Value past, mlir::Value present) const;

  mlir::func::FuncOp function;
  const tile::Target *target;
  std::optional<int64_t> memoryBudget; ///< of `peakBytes()`; none: do not ask
  llvm::DenseMap<mlir::Value, Halo> halos;
  llvm::DenseMap<mlir::Value, Room> rooms; ///< of states' outputs
  llvm::DenseMap<mlir::Value, Part> parts;
  llvm::SmallVector<mlir::Value> placed; ///< the keys of `parts`, in order
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<int64_t>> inPlace;
};

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGEN_LAYOUT_INPLACE_H
