//===- SizeProgram.h - dimensions as code -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares how dimensions become instructions of an artifact's size
// program, which computes them from the extents of the inputs.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_EMIT_SIZEPROGRAM_H
#define TENON_PASSES_EMIT_SIZEPROGRAM_H

#include "dialects/Graph/Constraints.h"
#include "dialects/Graph/Size.h"
#include "lib/Target/Artifact/Artifact.h"

#include <map>
#include <tuple>

namespace tenon::emit {

/// Appends to the program of one entry; what it computes already is not
/// computed again. Values are size values (Artifact.h).
class SizeProgram {
public:
  SizeProgram() = default;

  /// Room behind something of this extent in a buffer whose capacity comes with
  /// the run.
  struct Room {
    mlir::StringAttr symbol;
    mlir::Attribute extent;
  };

  /// Takes the entry's inputs, gives their names to extents, and demands what
  /// several extents with one name, and `constraints`, ask for. Each of `rooms`
  /// has the register of a capacity.
  void bind(llvm::ArrayRef<mlir::RankedTensorType> inputs,
            const graph::ConstraintStore &constraints,
            llvm::ArrayRef<Room> rooms = {});

  /// Of an input's dimension: its own register, or a number.
  int64_t extent(unsigned input, unsigned dim) const;

  /// Each symbol must be bound, or derived from bound ones.
  int64_t valueOf(mlir::Attribute dim);
  int64_t valueOf(const graph::Size &size) {
    return size.isFixed() ? size.fixed() : valueOf(size.symbolic());
  }

  /// What is added from now on is for the first of these nodes, "a;b": errors
  /// of what has no text of its own name it.
  void setNode(llvm::StringRef nodes);

  int64_t add(artifact::SizeOp op, int64_t a, int64_t b,
              llvm::StringRef text = {});
  /// Of values that are at least 0 whatever the inputs' shapes are.
  int64_t max(int64_t a, int64_t b) {
    if (a == 0 || b == 0)
      return a == 0 ? b : a;
    return add(artifact::SizeOp::Max, a, b);
  }
  int64_t atLeastZero(int64_t value) {
    return add(artifact::SizeOp::Max, value, 0);
  }
  int64_t roundUp(int64_t value, int64_t unit);

  const std::vector<artifact::SizeInstruction> &code() const { return program; }
  /// Whether some input's shape is known in the run only.
  bool hasSymbols() const { return !known.empty(); }

private:
  int64_t valueOfSymbol(mlir::StringAttr symbol);
  int64_t valueOfExpr(mlir::AffineExpr expr,
                      llvm::ArrayRef<mlir::StringAttr> symbols);
  int64_t sum(mlir::AffineExpr expr, llvm::ArrayRef<mlir::StringAttr> symbols);

  std::vector<artifact::SizeInstruction> program;
  std::vector<int64_t> firstRegisters; ///< of each input
  llvm::SmallVector<mlir::RankedTensorType> inputTypes;
  llvm::DenseMap<mlir::Attribute, int64_t> known;
  llvm::SmallVector<std::pair<Room, int64_t>> capacities; ///< their registers
  std::map<std::tuple<artifact::SizeOp, int64_t, int64_t>, int64_t> results;
  int64_t registers = 0;
  std::string node; ///< "node 'a'", or none
};

} // namespace tenon::emit

#endif // TENON_PASSES_EMIT_SIZEPROGRAM_H
