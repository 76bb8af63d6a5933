//===- Infer.h - types and shapes of all values ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is private to the importer.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_IMPORT_ONNX_INFER_H
#define TENON_LIB_IMPORT_ONNX_INFER_H

#include "onnx/defs/schema.h"
#include "onnx/onnx_pb.h"
#include "onnx/shape_inference/implementation.h"
#include <deque>
#include <map>
#include <set>
#include <string>

namespace tenon::onnximport {

/// What is known about values, node after node, from onnx's own inference
/// functions. Values of shapes and axes are followed through the graph, but,
/// unlike in onnx's own loop, only as long as they are few: a vector of a
/// billion elements would be followed element by element.
///
/// Types are hints for lowerings and messages. Where an inference function
/// fails, or is one of those that are not safe to call, the element type is
/// what the model declares, or what the schema implies.
///
/// The inputs, tensors and nodes that are added must outlive this object.
class Inference {
public:
  explicit Inference(const ::onnx::GraphProto &graph);

  void addInput(::onnx::ValueInfoProto &input);
  void addConstant(const std::string &name, const ::onnx::TensorProto &tensor);
  /// What the model says about a value that some node makes.
  void declare(const ::onnx::ValueInfoProto &info);
  /// Infers the types of the outputs of `node`.
  void addNode(::onnx::NodeProto &node, const ::onnx::OpSchema &schema);
  /// Only guesses element types; calls nothing of onnx.
  void guessNode(const ::onnx::NodeProto &node, const ::onnx::OpSchema &schema);
  /// Gives the inputs of a subgraph of `node` types.
  void enterSubgraph(const ::onnx::NodeProto &node,
                     const ::onnx::GraphProto &graph);
  /// Sets the type of `value` unless it is empty or the type is.
  void setType(const std::string &value, ::onnx::TypeProto type);

  /// Null if nothing is known.
  const ::onnx::TypeProto *typeOf(const std::string &value) const;
  /// Null if the value is not a constant.
  const ::onnx::TensorProto *constantOf(const std::string &value) const;
  /// 0 if it is not known.
  int32_t elementType(const std::string &value) const;
  /// -1 if it is not known.
  int64_t rank(const std::string &value) const;
  /// Whether the type is only a guess.
  bool isGuess(const std::string &value) const { return guesses.count(value); }
  /// Why the element type of `value` is unknown.
  std::string reason(const std::string &value) const;

private:
  void inferWith(const ::onnx::OpSchema &schema, ::onnx::NodeProto &node);
  bool tuplesFit(const ::onnx::NodeProto &node) const;
  bool isSafe(const ::onnx::OpSchema &schema,
              const ::onnx::NodeProto &node) const;
  bool inferControl(const ::onnx::NodeProto &node);
  void inferIf(const ::onnx::NodeProto &node);
  void inferSequences(const ::onnx::NodeProto &node);
  void inferBody(const ::onnx::NodeProto &node, int carried, int firstInput,
                 int firstOutput);
  void follow(const ::onnx::OpSchema &schema, ::onnx::NodeProto &node);
  bool isShort(const std::string &value) const;
  void guess(const ::onnx::OpSchema &schema, const ::onnx::NodeProto &node,
             int output);
  int32_t impliedType(const ::onnx::OpSchema &schema,
                      const ::onnx::NodeProto &node, int output) const;

  std::deque<::onnx::TypeProto> storage;
  // These have the forms that onnx's contexts take.
  std::unordered_map<std::string, ::onnx::TypeProto *> types;
  std::unordered_map<std::string, const ::onnx::TensorProto *> constants;
  std::unordered_map<std::string, const ::onnx::SparseTensorProto *> noSparse;
  ::onnx::shape_inference::DataValueMap followed;
  ::onnx::shape_inference::SymbolTableImpl symbols;
  std::map<std::string, int32_t> declared;   ///< element types
  std::map<std::string, std::string> errors; ///< what inference functions said
  std::set<std::string> guesses;
};

} // namespace tenon::onnximport

#endif // TENON_LIB_IMPORT_ONNX_INFER_H
