//===- SizeAdvice.h - what gives a dimension its size -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares what errors say about dimensions that have no size: the
// options that give them one, and the nodes that find one in their data.
//
//   --const k=VALUE: 'tile_0', which node 'tile' computes from input 'k'
//   --dim n=1: 'n', dimension 0 of input 'x'
//   no option: 'nonzero_0_1', which node 'nonzero' finds in its data
//===----------------------------------------------------------------------===//
#ifndef TENON_DIALECTS_GRAPH_SIZEADVICE_H
#define TENON_DIALECTS_GRAPH_SIZEADVICE_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace tenon::graph {

/// Gathers dimensions, then says what gives them sizes.
class SizeAdvice {
public:
  /// About what is in `function`: a model, or a part of one.
  explicit SizeAdvice(mlir::FunctionOpInterface function);

  void add(mlir::Attribute dim);
  /// All dimensions of a tensor.
  void add(mlir::Type type);
  /// The numbers in a tensor, if they follow from few numbers in inputs.
  void addContents(mlir::Value value);

  /// A line for each option, then for each size that none gives; each begins
  /// with a line break and `indent` spaces.
  std::string lines(unsigned indent = 2) const;

private:
  using Inputs = llvm::SetVector<unsigned>;
  struct Place {
    unsigned input, dim;
  };
  struct Found {
    mlir::Operation *maker = nullptr;
    Inputs inputs; ///< whose values decide; none where those are no option
  };

  void addSymbol(mlir::StringAttr symbol);
  bool isOfModel(unsigned input) const;
  Inputs inputsBehind(mlir::ValueRange values) const;
  mlir::Operation *makerOf(mlir::StringAttr symbol) const;
  using Lines = llvm::SmallVector<std::string>;
  std::string constOptions(const Inputs &inputs) const;
  void addDataLines(Lines &lines, bool haveOption) const;
  void addDimLines(Lines &lines) const;
  void addShapeLines(Lines &lines) const;
  void addUnnamedLines(Lines &lines) const;

  mutable mlir::FunctionOpInterface entry; ///< its getters are not const
  llvm::MapVector<mlir::StringAttr, llvm::SmallVector<Place>> named;
  llvm::MapVector<mlir::StringAttr, Found> found;
  llvm::SetVector<mlir::Attribute> seen;
  Inputs told;            ///< inputs whose values are asked for themselves
  bool isUnnamed = false; ///< some dimension has neither size nor name
};

/// "[batch, 3, 2 * h + 1]"; "[...]" where the rank is not known.
std::string dimsText(mlir::Type type);

/// "node 'name'", or the operation's name where no node has made it.
std::string nodeText(mlir::Operation *op);

} // namespace tenon::graph

#endif // TENON_DIALECTS_GRAPH_SIZEADVICE_H
