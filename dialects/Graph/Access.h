//===- Access.h - what an operation touches ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the structs in which operations of the graph dialect state
// their mathematics: iteration domains, accesses, reductions, costs. They are
// the statements that polyhedral analyses start from.
//===----------------------------------------------------------------------===//
#ifndef TENON_DIALECTS_GRAPH_ACCESS_H
#define TENON_DIALECTS_GRAPH_ACCESS_H

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Value.h"

#include <optional>

namespace tenon::graph {

//===-- Iteration domains -------------------------------------------------===//

enum class DimKind {
  Parallel,   ///< its points may run in any order, or at once
  Reduction,  ///< its points are combined into one element
  Sequential, ///< a point reads what the one before it wrote: a host loop
};

/// One dimension of an iteration domain.
struct IterationDim {
  mlir::Attribute extent; ///< a size or a symbol, as in `Dims` (Shapes.h)
  DimKind kind = DimKind::Parallel;

  bool isReduction() const { return kind == DimKind::Reduction; }
};

/// The box an operation iterates over: the dimensions of the result in its
/// order, then reduction dimensions.
struct IterationDomain {
  llvm::SmallVector<IterationDim> dims;

  /// Number of points; none if symbols have a say.
  std::optional<int64_t> size() const;
};

//===-- Accesses ----------------------------------------------------------===//

/// How the elements that a map names relate to those that are touched.
enum class AccessKind {
  Exact,  ///< they are the same
  Over,   ///< all that are touched are among them
  Gather, ///< likewise; which ones, only operands' elements say
};

/// What stands where a map leaves its tensor.
enum class Outside {
  Nothing, ///< no part in a reduction; another operand's element in `concat`
  Zero,    ///< the number 0; of a product, the point adds nothing
  Value,   ///< an element of another operand
  Edge,    ///< the nearest element
  Reflect, ///< the element as far inside, the border not repeated
  Wrap,    ///< the element of the next copy, modulo the extent
};

/// Which elements of an operand or result a point of the domain touches. An
/// operand may have several accesses: the point touches all that they name.
struct Access {
  /// From the domain's dimensions to the tensor's. Symbol i is *any* index of
  /// the tensor's dimension i; there are none, or one per dimension.
  mlir::AffineMap map;
  AccessKind kind = AccessKind::Exact;
  /// Set where points may leave the tensor.
  std::optional<Outside> outside;
  bool writes = false;   ///< else reads
  bool ofResult = false; ///< reads: of what an earlier point wrote
  unsigned number = 0;   ///< of the operand or result

  /// The tensor.
  mlir::Value valueIn(mlir::Operation *op) const;
  /// Whether `map` is a function, and says all.
  bool isPrecise() const {
    return kind == AccessKind::Exact && !outside && map.getNumSymbols() == 0;
  }
};

//===-- Reductions --------------------------------------------------------===//

/// How the points along reduction dimensions are combined. A mean is a sum.
enum class ReductionKind {
  Sum,
  Product,
  Max,
  Min,
  ArgMax,
  ArgMin,
  Last, ///< each replaces what was there
};

struct Reduction {
  ReductionKind kind;
  /// What changes nothing, in the operation's element type; null of kinds that
  /// start with an element.
  mlir::TypedAttr identity;
};

//===-- Costs -------------------------------------------------------------===//

/// What executing an operation once costs, nothing cached; none where symbols
/// have a say.
struct Cost {
  std::optional<int64_t> flops = 0;        ///< a fused multiply-add counts 2
  std::optional<int64_t> bytesRead = 0;    ///< every operand once
  std::optional<int64_t> bytesWritten = 0; ///< every result once
};

} // namespace tenon::graph

#endif // TENON_DIALECTS_GRAPH_ACCESS_H
