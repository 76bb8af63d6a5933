//===- Constraints.h - what is known about symbols --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the store of facts about symbolic dimensions. In the IR
// it is the attribute `graph.symbols` of the module:
//
//   graph.symbols = {batch = {min = 1, max = 32, typical = 4},
//                    keys = {equal = "queries"}, queries = {max = 512}}
//===----------------------------------------------------------------------===//
#ifndef TENON_DIALECTS_GRAPH_CONSTRAINTS_H
#define TENON_DIALECTS_GRAPH_CONSTRAINTS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"

#include <limits>
#include <map>
#include <string>

namespace tenon::graph {

/// The values that a symbol may have: multiples of `multipleOf` within
/// [min, max]. The default is what holds for every dimension.
struct SymbolRange {
  int64_t min = 0;
  int64_t max = std::numeric_limits<int64_t>::max();
  int64_t multipleOf = 1;
  /// What plans are made for; 0: nobody said.
  int64_t typical = 0;

  bool operator==(const SymbolRange &) const = default;
  /// Whether some value is left.
  bool isPossible() const;
  /// The values that are in both; the least common multiple may saturate, then
  /// the result is not possible.
  SymbolRange intersect(const SymbolRange &other) const;
};

/// Symbols in classes of equal ones, each class with a range. Queries on names
/// that were never mentioned answer as for a symbol without constraints.
///
///   ConstraintStore store;
///   store.constrain("batch", {1, 32, 1});
///   store.setEqual("keys", "queries");
///   store.equal("keys", "queries"); // true
class ConstraintStore {
public:
  /// Reads `graph.symbols`; absent means no constraints. Reports what is
  /// malformed or contradictory through `emitError`.
  static mlir::FailureOr<ConstraintStore>
  parse(mlir::DictionaryAttr symbols,
        llvm::function_ref<mlir::InFlightDiagnostic()> emitError);
  static mlir::FailureOr<ConstraintStore> load(mlir::ModuleOp module);

  /// The text form, names sorted; empty dictionary for no constraints.
  mlir::DictionaryAttr toAttr(mlir::MLIRContext *context) const;
  void save(mlir::ModuleOp module) const;

  /// Narrows the range of a symbol. Failure, without change, if nothing would
  /// be left.
  mlir::LogicalResult constrain(llvm::StringRef symbol, SymbolRange range);
  /// Merges two classes. Failure, without change, if their ranges exclude each
  /// other.
  mlir::LogicalResult setEqual(llvm::StringRef a, llvm::StringRef b);

  bool equal(llvm::StringRef a, llvm::StringRef b) const;
  SymbolRange range(llvm::StringRef symbol) const;

private:
  /// The name that stands for the symbol's class: the smallest one.
  std::string leader(llvm::StringRef symbol) const;

  std::map<std::string, std::string>
      parent; ///< only names that are not leaders
  std::map<std::string, SymbolRange> ranges; ///< by leader
};

} // namespace tenon::graph

#endif // TENON_DIALECTS_GRAPH_CONSTRAINTS_H
