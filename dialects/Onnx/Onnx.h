//===- Onnx.h - the onnx dialect, made from the ONNX schemas
//---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the dialect and its few fixed entities. Every ONNX
// operator of every domain is an operation `onnx.<Op>` or
// `onnx.<domain_with_underscores>.<Op>`, materialised at start-up from the
// schema registry; there is no C++ class per operation.
//===----------------------------------------------------------------------===//
#ifndef TENON_DIALECTS_ONNX_ONNX_H
#define TENON_DIALECTS_ONNX_ONNX_H

#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/ExtensibleDialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/Types.h"
#include <string>

namespace tenon::onnx {

/// The dialect. Operations carry their ONNX attributes under the ONNX names:
/// `i64`, `f32`, strings, `array<i64: ..>`, `array<f32: ..>`, lists of strings,
/// elements attributes. Generic form only:
///
///   %y = "onnx.Conv"(%x, %w, %none) {strides = array<i64: 2, 2>} : (...) ->
///   ...
///
/// Each is verified against the newest schema of its operator: counts, types,
/// attributes. Some operations are not (only) schemas: `onnx.NoValue` makes the
/// `none` value of an absent optional input, `onnx.Constant` always has its
/// tensor in `value`, and `onnx.If`, `onnx.Loop` and `onnx.Scan` have regions.
/// Sequences, optionals and strings have the types of the control dialect.
class OnnxDialect : public mlir::ExtensibleDialect {
public:
  explicit OnnxDialect(mlir::MLIRContext *context);
  static constexpr llvm::StringLiteral getDialectNamespace() { return "onnx"; }

private:
  void registerSchemas();
};

/// The end of a branch of `onnx.If`, whose two regions are the branch for true
/// and that for false, have no arguments, and read values around them:
///
///   %y = "onnx.If"(%c) ({ "onnx.Yield"(%a) : ... }, { ... }) : ...
///
/// The bodies of `onnx.Loop` and `onnx.Scan` end in it, too; they have the
/// arguments that ONNX gives them.
class YieldOp
    : public mlir::Op<YieldOp, mlir::OpTrait::ZeroRegions,
                      mlir::OpTrait::ZeroResults, mlir::OpTrait::ZeroSuccessors,
                      mlir::OpTrait::VariadicOperands,
                      mlir::OpTrait::IsTerminator> {
public:
  using Op::Op;
  static constexpr llvm::StringLiteral getOperationName() {
    return "onnx.Yield";
  }
  static llvm::ArrayRef<llvm::StringRef> getAttributeNames() { return {}; }
};

/// The newest opset of the default domain, which imported models conform to.
int64_t newestOpset();

/// `onnx.Conv` for ("", "Conv"), `onnx.ai_onnx_ml.Scaler` for ("ai.onnx.ml",
/// "Scaler").
std::string operationName(llvm::StringRef domain, llvm::StringRef opType);

/// Whether a node Gradient of ai.onnx.preview.training takes a value, be it for
/// the tensor that it differentiates by.
bool isReadByGradient(mlir::Value value);

/// The element type of ONNX's `TensorProto.DataType` number (the value of
/// `Cast`'s attribute `to`): signless for signed integers, `ui8`.. for
/// unsigned; null for numbers that ONNX does not define.
mlir::Type elementType(int64_t dataType, mlir::MLIRContext *context);

/// The inverse, 0 for types that ONNX does not have.
int64_t dataTypeOf(mlir::Type elementType);

/// ONNX's name of a data type, `float` for 1; empty if it is undefined.
llvm::StringRef dataTypeName(int64_t dataType);

/// Makes the dialect loadable. The context needs nothing else.
void registerOnnxDialect(mlir::DialectRegistry &registry);

} // namespace tenon::onnx

MLIR_DECLARE_EXPLICIT_TYPE_ID(tenon::onnx::OnnxDialect)
MLIR_DECLARE_EXPLICIT_TYPE_ID(tenon::onnx::YieldOp)

#endif // TENON_DIALECTS_ONNX_ONNX_H
