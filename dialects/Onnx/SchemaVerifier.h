//===- SchemaVerifier.h - one verifier for all onnx operations ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is private to the dialect; it names onnx's own types.
//===----------------------------------------------------------------------===//
#ifndef TENON_DIALECTS_ONNX_SCHEMAVERIFIER_H
#define TENON_DIALECTS_ONNX_SCHEMAVERIFIER_H

#include "mlir/IR/Operation.h"

namespace onnx {
class OpSchema;
}

namespace tenon::onnx {

/// Checks counts, types and attributes of `op` against `schema`, and reports
/// the first violation on the operation.
mlir::LogicalResult verifyAgainstSchema(const ::onnx::OpSchema &schema,
                                        mlir::Operation *op);

} // namespace tenon::onnx

#endif // TENON_DIALECTS_ONNX_SCHEMAVERIFIER_H
