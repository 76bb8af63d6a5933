//===- Graph.h - a graph of ONNX Runtime as plain data ------------*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_TOOLS_ONNXRUNTIME_GRAPH_H
#define TENON_TOOLS_ONNXRUNTIME_GRAPH_H

#include "tools/onnxruntime/Api.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace tenon::ort {

/// The elements of a constant, borrowed from the graph.
struct Constant {
  int type = 0; ///< ONNX's number
  std::vector<int64_t> shape;
  const void *data = nullptr;
  size_t size = 0; ///< bytes
};

struct Value {
  std::string name;
  /// ONNX's number of the element type; 0 for what is no tensor.
  int type = 0;
  bool hasRank = false;
  /// -1 where it is not known; `symbols` names some of those.
  std::vector<int64_t> shape;
  std::vector<std::string> symbols;
  bool isOutput = false; ///< of the graph
  bool isConstant = false;
  Constant constant;
  int producer = -1; ///< a node
};

/// The bytes of an ONNX AttributeProto, without the tensor inside it.
struct Attribute {
  std::string name;
  int type = 0;
  std::vector<int64_t> ints; ///< one for attributeInt
  std::vector<float> floats;
  std::vector<std::string> strings;
  Constant tensor;
  OrtValue *owned = nullptr; ///< what `tensor` borrows from
};

struct Node {
  const OrtNode *node = nullptr;
  std::string name, op, domain;
  std::vector<int> inputs, outputs; ///< values, -1 for those left out
  std::vector<int> implicit;        ///< what subgraphs take from outside
  std::vector<Attribute> attributes;
  bool hasSubgraphs = false;
  bool isTaken = false; ///< by another provider
};

/// Nodes are in an order in which they can run.
struct Graph {
  explicit Graph(const Api &api) : api(api) {}
  Graph(const Graph &) = delete;
  ~Graph();

  OrtStatus *read(const OrtGraph *graph);

  int64_t irVersion = 0;
  std::vector<std::pair<std::string, int64_t>> opsets;
  std::vector<Node> nodes;
  std::vector<Value> values;

private:
  const Api &api;
  std::map<std::string, int> byName;

  int valueOf(Calls &calls, const OrtValueInfo *info);
  void readValue(Calls &calls, const OrtValueInfo *info, Value &value);
  void readType(Calls &calls, const OrtValueInfo *info, Value &value);
  void readConstant(Calls &calls, const OrtValue *from, Constant &constant);
  void readOpsets(Calls &calls, const OrtGraph *graph);
  void readNode(Calls &calls, const OrtNode *from, Node &node);
  void readAttributes(Calls &calls, const OrtNode *from, Node &node);
  void readAttribute(Calls &calls, const OrtOpAttr *from, Attribute &to);
  std::string readBytes(Calls &calls, const OrtOpAttr *from, int type);
};

/// The values that a node takes or makes.
using CountOf = OrtStatus *(*)(const OrtNode *, size_t *);
using ValuesOf = OrtStatus *(*)(const OrtNode *, const OrtValueInfo **, size_t);
std::vector<const OrtValueInfo *> valuesOf(Calls &calls, const OrtNode *node,
                                           CountOf count, ValuesOf values);

/// Their names, "" for those left out.
std::vector<std::string>
namesOf(const Api &api, Calls &calls,
        const std::vector<const OrtValueInfo *> &values);

} // namespace tenon::ort

#endif // TENON_TOOLS_ONNXRUNTIME_GRAPH_H
