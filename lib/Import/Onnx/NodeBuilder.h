//===- NodeBuilder.h - onnx operations from nodes -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is private to the importer.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_IMPORT_ONNX_NODEBUILDER_H
#define TENON_LIB_IMPORT_ONNX_NODEBUILDER_H

#include "lib/Import/Onnx/Session.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

namespace tenon::onnximport {

/// Makes one operation per node of session.model at the insertion point.
/// Subgraphs become regions that end in onnx.Yield.
class NodeBuilder {
public:
  /// With a `fixedLocation` all operations get that one, otherwise each has the
  /// name of its node.
  NodeBuilder(Session &session, mlir::OpBuilder builder,
              std::optional<mlir::Location> fixedLocation = std::nullopt);

  /// Imports the declared and inferred types of all values.
  void collectTypes();
  /// Why the value has none.
  std::string whyNoType(llvm::StringRef value) const;
  /// The operation of `node`, the `index`-th of the graph.
  mlir::LogicalResult makeNode(const proto::NodeProto &node, size_t index);
  /// An `onnx.Constant` with the value of `tensor`, under its name.
  mlir::LogicalResult makeInitializer(const proto::TensorProto &tensor,
                                      mlir::Location location);
  /// `loc("name")`, with a number appended if the name was used before.
  mlir::Location uniqueLocation(std::string name);

  mlir::OpBuilder builder;
  llvm::StringMap<mlir::Type> types;   ///< of values, by name
  llvm::StringMap<mlir::Value> values; ///< made so far, by name

private:
  llvm::Expected<mlir::Type> importType(const proto::TypeProto &type,
                                        llvm::StringRef name);
  llvm::Expected<mlir::Type>
  importTensorType(const proto::TypeProto::Tensor &tensor,
                   llvm::StringRef name);
  /// The same under another name; `what` stands for it in messages.
  mlir::LogicalResult makeConstant(const proto::TensorProto &tensor,
                                   llvm::StringRef name,
                                   mlir::Location location,
                                   const std::string &what);
  void collectType(const proto::ValueInfoProto &info);
  mlir::LogicalResult addArguments(const proto::NodeProto &node,
                                   const proto::GraphProto &graph,
                                   mlir::Block &block);
  mlir::LogicalResult addRegion(const proto::NodeProto &node,
                                const proto::GraphProto &graph,
                                mlir::OperationState &state);
  mlir::LogicalResult addRegions(const proto::NodeProto &node,
                                 mlir::OperationState &state);
  mlir::LogicalResult addOperands(const proto::NodeProto &node,
                                  mlir::OperationState &state);
  mlir::FailureOr<mlir::Attribute>
  importAttribute(const proto::NodeProto &node,
                  const proto::AttributeProto &attribute);
  mlir::Value absent();

  Session &session;
  const proto::GraphProto &graph;
  std::optional<mlir::Location> fixedLocation;
  llvm::StringSet<> locations;
  llvm::StringMap<std::string> problems; ///< of types, by the value's name
  mlir::Value noValue;
};

} // namespace tenon::onnximport

#endif // TENON_LIB_IMPORT_ONNX_NODEBUILDER_H
