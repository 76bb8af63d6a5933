//===- Ops.h - one function per data movement -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the kernels of kind `move`. Each builds the body and
// returns the number of tiles, or fails after a diagnostic.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGENCPU_MOVE_OPS_H
#define TENON_PASSES_CODEGENCPU_MOVE_OPS_H

#include "dialects/Graph/Graph.h"
#include "passes/Codegen/Bodies/Move.h"
#include "passes/Codegen/Groups/MoveGroup.h"

namespace tenon::codegen {

mlir::FailureOr<Size> emitConcat(Move &move);
mlir::FailureOr<Size> emitReshapeCopy(Move &move);
mlir::FailureOr<Size> emitPad(Move &move);
mlir::FailureOr<Size> emitGather(Move &move);
mlir::FailureOr<Size> emitGatherElements(Move &move);
mlir::FailureOr<Size> emitScatter(Move &move);
mlir::FailureOr<Size> emitTopK(Move &move);
mlir::FailureOr<Size> emitPrefix(Move &move);
mlir::FailureOr<Size> emitIota(Move &move);
mlir::FailureOr<Size> emitSizes(Move &move);
mlir::FailureOr<Size> emitArg(Move &move);
mlir::FailureOr<Size> emitDet(Move &move);
mlir::FailureOr<Size> emitResize(Move &move);
mlir::FailureOr<Size> emitConvTranspose(Move &move);

/// The bytes that `emitDet` wants in the buffer behind its result.
Size detScratchBytes(graph::DetOp op, const tile::Target &target);

/// The filter's order for `emitConvTranspose`, when it is constant.
mlir::DictionaryAttr convTransposePack(mlir::Operation *op,
                                       const tile::Target &target);

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGENCPU_MOVE_OPS_H
