//===- Import.h - from an ONNX file to operations of the onnx dialect -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is the only public header of the importer. No onnx, protobuf or
// exception ever crosses it: failures are diagnostics on the context.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_IMPORT_ONNX_IMPORT_H
#define TENON_LIB_IMPORT_ONNX_IMPORT_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tenon::onnximport {

/// Values that a symbolic dimension may have: multiples of `multipleOf` in
/// [min, max].
struct DimRange {
  std::string name;
  int64_t min = 0, max = INT64_MAX, multipleOf = 1;
};

/// On constants that are initialisers of the model, if they are to be marked.
inline constexpr llvm::StringLiteral kInitializer = "tenon.initializer";

/// What the caller fixes about a model before it is imported.
struct ImportOptions {
  /// Input name -> its shape; -1 leaves a dimension as the model states it.
  std::vector<std::pair<std::string, std::vector<int64_t>>> shapes;
  /// Symbolic dimension name -> its value, wherever the name occurs.
  std::vector<std::pair<std::string, int64_t>> dims;
  /// What is known of those that stay symbolic.
  std::vector<DimRange> ranges;
  /// Input name -> its value, which makes it a constant: numbers with commas
  /// between them (one alone fills the shape), or `@` and a .npy or .pb file.
  std::vector<std::pair<std::string, std::string>> constants;
  /// Tells initialisers from other constants, by the attribute kInitializer.
  bool markInitializers = false;
  /// A model with more bytes of graph structure (weights not counted) than
  /// this is refused.
  uint64_t maxGraphBytes = uint64_t(256) << 20;
  /// A tensor type of more bytes than this is refused.
  uint64_t maxTensorBytes = uint64_t(1) << 40;
  /// The bytes of a model in memory, and those below, stay as they are while
  /// the context lives, and are not copied.
  bool borrowBytes = false;
  /// What a model in memory calls by a file's name; none refuses it.
  std::function<std::optional<llvm::StringRef>(llvm::StringRef location)>
      external;
  /// Called with each node (its name, or its first output's) and its operator,
  /// before any is refused.
  std::function<void(llvm::StringRef node, llvm::StringRef op)> onNode;

  /// Adds `name=1x3x224x224` (`?` leaves a dimension alone). On a malformed
  /// text returns false and says why in `error`.
  bool addShape(llvm::StringRef text, std::string &error);
  /// Adds `batch=1`, a range `seq=1..512`, or one of multiples `seq=8..512:8`,
  /// with the same convention; without an upper end there is none.
  bool addDim(llvm::StringRef text, std::string &error);
  /// Adds `mask=1` or `mask=@mask.npy`, with the same convention; the value is
  /// read with the model.
  bool addConst(llvm::StringRef text, std::string &error);
};

/// Reads the model at `path` into a module with one function, `@main`, of
/// `onnx` operations that all conform to the newest opset (module attribute
/// `onnx.opset`; that of the model is `onnx.model_opset`). `path` ends in
/// `.onnxtxt` for ONNX's textual syntax and is a binary model otherwise.
///
/// Weights stay in a read-only mapping of the file, which the context keeps
/// alive; a tensor whose bytes are not aligned in the file is copied once.
/// External data is read from the folder of the model only.
///
/// Fails with at least one error diagnostic that begins with the file and
/// names the node; never throws.
mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>>
importOnnx(llvm::StringRef path, mlir::MLIRContext &context,
           const ImportOptions &options = {});

/// The same for a model in memory (`name` stands for the file in messages).
/// The bytes are copied once, and external data is refused, unless the options
/// say otherwise.
mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>>
importOnnxBytes(llvm::StringRef bytes, llvm::StringRef name,
                mlir::MLIRContext &context, const ImportOptions &options = {});

/// Makes the operations of the function body by which ONNX defines the operator
/// of `op` (an `onnx` operation) at the builder's insertion point, and returns
/// the values for the results of `op`, which stays. All get the location of
/// `op`. Their types say what can be inferred from the operand types; the body
/// may hold operators that are functions themselves.
///
/// The context must have loaded the onnx and graph dialects.
///
/// Fails without a diagnostic if the operator has no function body, and with
/// one on `op` if the body cannot be imported.
mlir::FailureOr<llvm::SmallVector<mlir::Value>>
expandFunction(mlir::OpBuilder &builder, mlir::Operation *op);

/// Whether `path` names a file that importOnnx reads (by its extension).
bool isOnnxFile(llvm::StringRef path);

} // namespace tenon::onnximport

#endif // TENON_LIB_IMPORT_ONNX_IMPORT_H
