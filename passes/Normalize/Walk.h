//===- Walk.h - one function, node after node -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the walk that lowers the nodes of a function, and what the
// walks over a model's functions share.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_NORMALIZE_WALK_H
#define TENON_PASSES_NORMALIZE_WALK_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "passes/Normalize/Lowering.h"
#include "passes/Normalize/MissingSizes.h"
#include "passes/Normalize/Report.h"
#include "llvm/ADT/DenseSet.h"

namespace tenon::normalize {

/// What all walks share.
struct Model {
  explicit Model(mlir::ModuleOp module)
      : module(module), table(allLowerings()) {}

  mlir::ModuleOp module;
  LoweringTable table;
  Report report;
  /// What is known of symbols that functions of subgraphs have.
  std::vector<std::pair<std::string, graph::SymbolRange>> ranges;
  int64_t lowered = 0, evaluated = 0, expanded = 0;
};

/// One walk over one function. Each `onnx` operation is lowered where it
/// stands; those that control what others do are lowered by Control/.
class Walk {
public:
  Walk(mlir::func::FuncOp function, Model &model)
      : function(function), model(model), ctx(function.getContext()) {}

  /// Lowers all nodes of the model's main function.
  mlir::LogicalResult run();
  /// The same for a function that was made of a subgraph, with the symbols of
  /// what is around it. On failure some walk has refused a node.
  mlir::LogicalResult runBody(const graph::ConstraintStore &symbols);

  //===-- For control -----------------------------------------------------===//

  mlir::func::FuncOp function;
  Model &model;
  NormalizeContext ctx;

  /// What was made for a value of the onnx dialect; null if nothing was.
  Value lookup(Value value) const { return values.lookup(value); }
  void set(Value value, Value made) { values[value] = made; }
  bool isUsed(Value value) const {
    return !value.use_empty() || returned.contains(value);
  }
  /// Says that something will use `value`.
  void markReturned(Value value) { returned.insert(value); }
  void visitAll(ArrayRef<mlir::Operation *> body);
  /// Makes the results of `op` stand for what was made instead.
  void setResults(mlir::Operation *op, mlir::ValueRange made);
  void refuse(mlir::Operation *op, StringRef reason, bool isUnknown = false);
  /// The results of `op` are not known, for a reason that is told elsewhere.
  void doubt(mlir::Operation *op) { doubtful.insert_range(op->getResults()); }
  bool isDoubted(Value value) const {
    return doubtful.contains(value) || unsized.contains(value);
  }
  /// Erases `op` in the end, and with it what it reads behind it.
  void markVisited(mlir::Operation *op) { visited.push_back(op); }

private:
  mlir::LogicalResult checkArguments();
  void visitNodes();
  bool waitsForSize(mlir::Operation *op, StringRef reason);
  SmallVector<Value> madeFor(mlir::Operation *op) const;
  std::string withOptions(mlir::Operation *op, StringRef reason) const;
  llvm::SetVector<mlir::Operation *> neededNodes();
  void visit(mlir::Operation *op);
  void visitControl(mlir::Operation *op);
  void lower(mlir::Operation *op, const Lowering &lowering,
             ArrayRef<Value> operands);
  void expand(mlir::Operation *op);
  void refuseExpansion(mlir::Operation *op, ArrayRef<mlir::Operation *> body,
                       std::string why);
  bool takesOperands(mlir::Operation *op,
                     llvm::SmallVectorImpl<Value> &operands);
  void replaceOperands(mlir::Operation *op);
  void finish();

  bool isBody = false;
  llvm::DenseMap<Value, Value> values; ///< onnx value -> graph value
  llvm::DenseSet<Value> doubtful;      ///< onnx values behind a refused node
  llvm::DenseSet<Value> returned; ///< results of function bodies that are used
  bool isDoubtful = false;        ///< of the node in hand
  llvm::DenseSet<Value> unsized;  ///< onnx values that wait for a size
  MissingSizes missing;           ///< that all the others wait for
  int64_t depth = 0;              ///< of nested function bodies
  mlir::Operation *expanded = nullptr; ///< the outermost node of these
  SmallVector<mlir::Operation *> visited;
};

} // namespace tenon::normalize

#endif // TENON_PASSES_NORMALIZE_WALK_H
