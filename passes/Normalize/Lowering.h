//===- Lowering.h - the table from onnx to graph ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares what a lowering is and where each is registered. One
// ONNX operator is one function, in the file of its name; operators that map
// to one graph operation are lines of their family's table.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_NORMALIZE_LOWERING_H
#define TENON_PASSES_NORMALIZE_LOWERING_H

#include "passes/Normalize/Context.h"
#include "passes/Normalize/Node.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace tenon::normalize {

/// The values that replace a node's results, or failure. A null value among
/// them is a failure too, unless the model does not use that result.
class Lowered {
public:
  Lowered(Value value) : values({value}) {}
  Lowered(SmallVector<Value> values) : values(std::move(values)) {}
  Lowered(mlir::LogicalResult) {}

  SmallVector<Value> values; ///< empty after a failure
};

/// Builds graph operations for `node`. On failure it has called
/// ctx.unsupported(), or a creation has failed and said why.
using Lowering =
    std::function<Lowered(NormalizeContext &ctx, const Node &node)>;

/// ONNX operator ("Conv") -> its lowering.
class LoweringTable {
public:
  void add(StringRef op, Lowering lowering) {
    lowerings["onnx." + op.str()] = std::move(lowering);
  }
  /// The same for an operator that takes sequences, optionals and strings.
  void addForAll(StringRef op, Lowering lowering) {
    add(op, std::move(lowering));
    forAll.insert("onnx." + op.str());
  }
  bool takesAll(StringRef operationName) const {
    return forAll.contains(operationName);
  }
  /// The lowering of an operation name ("onnx.Conv"), or null.
  const Lowering *find(StringRef operationName) const {
    auto found = lowerings.find(operationName);
    return found == lowerings.end() ? nullptr : &found->second;
  }

private:
  llvm::StringMap<Lowering> lowerings;
  llvm::StringSet<> forAll;
};

//===-- One function per family ---------------------------------------------//

void populateElementwiseLowerings(LoweringTable &table);
void populateContractionLowerings(LoweringTable &table);
void populateReductionLowerings(LoweringTable &table);
void populateNormalizationLowerings(LoweringTable &table);
void populateWindowLowerings(LoweringTable &table);
void populateMovementLowerings(LoweringTable &table);
void populateShapeLowerings(LoweringTable &table);
void populateRecurrentLowerings(LoweringTable &table);
void populateQuantizationLowerings(LoweringTable &table);
void populateSignalLowerings(LoweringTable &table);
void populateSelectionLowerings(LoweringTable &table);
void populateRandomLowerings(LoweringTable &table);
void populateControlLowerings(LoweringTable &table);

/// All of them.
LoweringTable allLowerings();

} // namespace tenon::normalize

#endif // TENON_PASSES_NORMALIZE_LOWERING_H
