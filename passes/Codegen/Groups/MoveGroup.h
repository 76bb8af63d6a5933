//===- MoveGroup.h - operations that stand alone ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_CODEGEN_GROUPS_MOVEGROUP_H
#define TENON_PASSES_CODEGEN_GROUPS_MOVEGROUP_H

#include "dialects/Kernel/Kernel.h"

#include <optional>

namespace tenon::codegen {

/// What a group of one operation is that no loop nest expresses and nothing
/// follows.
enum class MoveKind {
  Copy,
  Resize,
  ConvTranspose,
  Arg,
  TopK,
  Prefix,
  Scatter,
  Det
};

/// That of an operation; none if it is no such one.
std::optional<MoveKind> moveKind(mlir::Operation *op);

/// That of a group; none where loops or a product express it.
std::optional<MoveKind> moveKind(kernel::GroupOp group);

/// Whether a group is made around nothing, so that it is one nest of loops.
bool isNest(kernel::GroupOp group);

/// How a gather reads a table of rows that lies as a product packs it: element
/// k of row n at (n / rows, k / fold, n % rows * fold + k % fold).
struct TablePanels {
  int64_t rows, fold;
};
/// Those that a pack makes of a matrix's rows, if it does no more.
std::optional<TablePanels> panelsOf(mlir::DictionaryAttr pack);

/// The group's operand that its gather takes rows of, if it takes rows.
std::optional<unsigned> tableOf(kernel::GroupOp group);

/// Those of a group's gather, if its table lies so.
std::optional<TablePanels> panelsOfTable(kernel::GroupOp group);

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGEN_GROUPS_MOVEGROUP_H
