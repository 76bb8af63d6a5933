//===- Session.h - what one import shares ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is private to the importer. It names onnx's types, so units that
// include it are compiled with exceptions; see guarded() for where they end.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_IMPORT_ONNX_SESSION_H
#define TENON_LIB_IMPORT_ONNX_SESSION_H

#include "lib/Import/Onnx/ExternalData.h"
#include "lib/Import/Onnx/Import.h"
#include "lib/Import/Onnx/Infer.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "onnx/defs/schema.h"
#include "onnx/onnx_pb.h"
#include <functional>

namespace tenon::onnximport {

/// onnx's own namespace; `onnx` alone is the dialect's here.
namespace proto = ::onnx;

/// One import from file to module. Each step below reports its own errors.
struct Session {
  mlir::MLIRContext &context;
  const ImportOptions &options;
  std::string path; ///< for messages
  ExternalData external;
  WeightTable weights;
  proto::ModelProto model;
  /// Value name -> why its type is unknown.
  std::map<std::string, std::string> inferenceErrors;
  /// Where errors are reported; none is the file.
  std::optional<mlir::Location> location = std::nullopt;
  /// Output -> the rank that the model states, where nothing implies one.
  std::map<std::string, int64_t> statedRanks = {};

  /// An error about the file as a whole.
  mlir::InFlightDiagnostic error() const;
  /// An error about one node.
  mlir::InFlightDiagnostic error(const proto::NodeProto &node) const;
};

/// Runs `step` and turns whatever onnx throws in it into an error that begins
/// with `what`. Every call into onnx that can throw is inside of one.
mlir::LogicalResult guarded(Session &session, llvm::StringRef what,
                            llvm::function_ref<mlir::LogicalResult()> step);

/// The name, or that of the first output; `domain::Op`.
std::string nameOf(const proto::NodeProto &node);
std::string qualifiedOp(const proto::NodeProto &node);

/// `node 'name' (domain::Op)`.
std::string describe(const proto::NodeProto &node);

/// Fills session.model from the bytes of a file. Check.cpp continues.
mlir::LogicalResult readModel(Session &session, std::shared_ptr<Mapping> file,
                              bool isText);

/// Turns tensors in external files into slices of the weight table.
mlir::LogicalResult resolveExternalData(Session &session);

/// Refuses what cannot be imported: unknown operators and control flow (all in
/// one error), opsets out of range. Puts nodes into order.
mlir::LogicalResult checkModel(Session &session);

/// The value that the options give to an input, as a tensor of its name.
mlir::FailureOr<proto::TensorProto>
readConstant(Session &session, llvm::StringRef name, llvm::StringRef value);

/// Makes `slice` the data of `tensor`: its bytes if they are few.
void setData(Session &session, proto::TensorProto &tensor,
             const WeightSlice &slice);

/// Makes the tensors that nodes name in attributes their inputs, behind those
/// that they have.
void nameGradients(Session &session);

/// Sorts nodes by what they read, everywhere in the model; nodes that are
/// sorted stay where they are. Refuses cycles, and values that are made twice
/// or not at all.
mlir::LogicalResult orderNodes(Session &session);

/// The schema of the operator of `node` in version `opset` of its domain, or
/// null.
const proto::OpSchema *schemaOf(const proto::NodeProto &node, int64_t opset);

/// Refuses a node that has other attributes, or more or less operands and
/// results, than `schema` wants.
mlir::LogicalResult checkNode(Session &session, proto::NodeProto &node,
                              const proto::OpSchema &schema, int64_t opset);

/// Applies the options' shapes and dimensions to the inputs.
mlir::LogicalResult fixDimensions(Session &session);

/// Inlines functions, converts to the newest opset, infers shapes; every
/// Constant then has its tensor in attribute `value`.
mlir::LogicalResult convertModel(Session &session);

/// Makes the module.
mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>>
buildModule(Session &session);

/// The elements of `tensor` as an attribute: `dense` when small or a splat,
/// otherwise a resource over the mapped bytes. `name` becomes the key of the
/// resource. An error is a sentence without the tensor's name.
llvm::Expected<mlir::ElementsAttr>
importTensor(Session &session, const proto::TensorProto &tensor,
             llvm::StringRef name);

/// A size that the model states. The one negative number by which MLIR marks
/// dynamic sizes becomes another, so that tensorType refuses it too.
inline int64_t staticDim(int64_t size) {
  return std::max(size, mlir::ShapedType::kDynamic + 1);
}

/// The ranked type of dims and a data type, or why there is none.
llvm::Expected<mlir::RankedTensorType>
tensorType(Session &session, llvm::ArrayRef<int64_t> dims, int64_t dataType);

} // namespace tenon::onnximport

#endif // TENON_LIB_IMPORT_ONNX_SESSION_H
