//===- TypicalSizes.h - what symbols are likely to be -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the only way from a symbol to a number that somebody made
// up. Prices, choices between plans and reports go it. What computes never
// does: a bound, a shape, a check or the text of a kernel holds for all sizes,
// and gets `Size`s. `tools/dev/check-layers` has the list of files that may
// include this header, all of them sources; no other header does but
// `passes/Codegen/Groups/SizedGroup.h`, for which the same list holds.
//===----------------------------------------------------------------------===//
#ifndef TENON_DIALECTS_GRAPH_TYPICALSIZES_H
#define TENON_DIALECTS_GRAPH_TYPICALSIZES_H

#include "dialects/Graph/Constraints.h"
#include "dialects/Graph/Size.h"

namespace tenon::graph {

/// What symbols are likely to be: plans are made for these sizes, and hold for
/// all. The number that the module's `graph.symbols` name, else the one of its
/// `graph.typical` that the symbol's name picks, else 128; or what is nearest
/// to it in the symbol's range. Expressions may be negative at sizes that
/// nobody meant: they count as 0, so no estimate is negative.
///
/// `graph.further` names further sizes, numbered from 1; number 0 are those
/// above. Numbers between two lie between their sizes, by ratio.
class TypicalSizes {
public:
  /// With what a module states; null: nothing.
  static TypicalSizes in(mlir::ModuleOp module, double number = 0);
  static TypicalSizes around(mlir::Operation *op, double number = 0);
  /// How many further ones a module names.
  static unsigned countFurther(mlir::ModuleOp module);

  int64_t of(mlir::Attribute dim) const;
  int64_t of(const Size &size) const {
    return size.isFixed() ? size.fixed() : of(size.symbolic());
  }
  /// The same in place of a dimension.
  mlir::Attribute sizeOf(mlir::Attribute dim) const;

private:
  TypicalSizes() = default;
  int64_t ofSymbol(mlir::StringAttr symbol) const;
  int64_t wanted(mlir::StringAttr symbol, int64_t usual) const;
  int64_t listed(mlir::StringAttr symbol, int64_t usual, size_t at) const;

  ConstraintStore store;
  llvm::SmallVector<int64_t> others; ///< `graph.typical`
  mlir::ArrayAttr further;           ///< of dictionaries, or null
  double number = 0;                 ///< of further sizes; 0: typical ones
};

} // namespace tenon::graph

#endif // TENON_DIALECTS_GRAPH_TYPICALSIZES_H
