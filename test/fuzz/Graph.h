//===- Graph.h - a graph that grows -----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares what operators add themselves to: the model, and the
// values that there are with what is known of them.
//===----------------------------------------------------------------------===//
#ifndef TENON_TEST_FUZZ_GRAPH_H
#define TENON_TEST_FUZZ_GRAPH_H

#include "onnx/onnx_pb.h"
#include "test/fuzz/Extent.h"
#include "test/fuzz/Random.h"

#include <functional>

namespace tenon::fuzz {

struct Value {
  std::string name;
  int32_t kind = F32;
  Shape shape;
  /// No element is larger, so that sums stay numbers and floats keep digits.
  double bound = 1;

  int64_t rank() const { return int64_t(shape.size()); }
};

using Ints = std::vector<int64_t>;
using Names = std::vector<std::string>;
using Attributes = std::vector<onnx::AttributeProto>;

onnx::AttributeProto attribute(const char *name, int64_t value);
onnx::AttributeProto attribute(const char *name, float value);
onnx::AttributeProto attribute(const char *name, const char *value);
onnx::AttributeProto attribute(const char *name, const Ints &values);
onnx::AttributeProto attribute(const char *name, const onnx::GraphProto &graph);

/// Elements that a value, and products that an operator may have.
inline constexpr int64_t mostElements = 4096, mostProducts = 100000;

class Graph {
public:
  explicit Graph(uint64_t seed);

  Random random;
  int64_t opset() const { return model.opset_import(0).version(); }

  //===-- Values ----------------------------------------------------------===//

  /// A new input. Floats lie in [-bound, bound], integers in [0, bound].
  Value input(int32_t kind, Shape shape, double bound = 1);
  /// Integers in [0, limit) or, with `negative`, in [-limit, limit), where the
  /// limit depends on the run.
  Value indices(int32_t kind, Shape shape, const Extent &limit, bool negative);

  /// Initialisers.
  Value integers(const Ints &values, int32_t kind = I64);
  Value integer(int64_t value, int32_t kind = I64);
  Value number(double value, int32_t kind = F32);
  /// Weights for sums of so many terms.
  Value weights(const Ints &shape, int64_t terms = 1, int32_t kind = F32);

  using Fits = std::function<bool(const Value &)>;
  /// One of the values that there are, the latest more often.
  std::optional<Value> find(const Fits &fits);
  /// The same, now and then a new input, also where there is none.
  Value any(int32_t kind, int64_t lowRank, int64_t highRank);
  Value anyFloat(int64_t lowRank = 0, int64_t highRank = 4) {
    return any(F32, lowRank, highRank);
  }
  /// One that can be broadcast with `value`, of its kind.
  Value partner(const Value &value);

  Shape drawShape(int64_t rank);
  Extent drawExtent();
  /// One of the shape's dimensions.
  int64_t drawAxis(const Value &value) { return random.below(value.rank()); }
  /// The axis, counted from either end.
  int64_t signedAxis(const Value &value, int64_t axis) {
    return random.chance(30) ? axis - value.rank() : axis;
  }
  Extent dataExtent() { return Extent::ofData("?" + std::to_string(serial++)); }

  //===-- Nodes -----------------------------------------------------------===//

  /// A node with one result, which becomes a value.
  Value add(const char *op, const Names &operands, int32_t kind, Shape shape,
            double bound, const Attributes &attributes = {});
  /// One with several; those without a name in `results` are left out.
  std::vector<Value> addAll(const char *op, const Names &operands,
                            std::vector<Value> results,
                            const Attributes &attributes = {});
  /// A node whose result is a means, and no value for others.
  std::string helper(const char *op, const Names &operands,
                     const Attributes &attributes = {});
  /// The same with several results.
  Names helpers(const char *op, const Names &operands, size_t count,
                const Attributes &attributes = {});
  /// Says what the last helper made, so that others may read it.
  Value publish(const std::string &name, int32_t kind, Shape shape,
                double bound);

  std::string fresh() { return "v" + std::to_string(serial++); }

  //===-- Bodies ----------------------------------------------------------===//

  /// Makes nodes in a graph of their own until the matching `leave`. Values of
  /// the body are gone then.
  void enter(onnx::GraphProto &body);
  void leave();
  /// How deep bodies lie in bodies here.
  unsigned depth() const { return unsigned(outer.size()); }
  /// A value that the body gets.
  Value formal(onnx::GraphProto &body, int32_t kind, Shape shape, double bound);
  void yield(onnx::GraphProto &body, const std::string &name, int32_t kind,
             int64_t rank);

  /// Makes what nothing reads an output, and what there is a case. No case
  /// where there is nothing to compute.
  std::optional<Case> finish();

  /// What is known of values, for shrinking.
  const std::map<std::string, Value> &known() const { return allValues; }

private:
  struct Outer {
    onnx::GraphProto *graph;
    size_t values;
  };

  Value addConstant(onnx::TensorProto tensor, Shape shape, double bound);
  void addInput(const Value &value, CaseInput made);
  CaseInput shaped(const Value &value) const;
  void drawSymbols();
  onnx::NodeProto &node(const char *op, const Names &operands,
                        const Attributes &attributes);

  uint64_t seed;
  onnx::ModelProto model;
  onnx::GraphProto *graph;
  std::vector<Outer> outer;
  std::vector<Value> values;
  std::map<std::string, Value> allValues;
  std::vector<Extent> symbols;
  Case made;
  int64_t serial = 0;
};

/// Whether two shapes have a broadcast one in all runs, and which it is.
std::optional<Shape> broadcast(const Shape &a, const Shape &b);

/// Names of what no node of `graph` reads.
std::vector<std::string> unread(const onnx::GraphProto &graph);

/// The type of a value in a graph's signature; an extent that is neither a
/// number nor a symbol is left open.
void describe(const Value &value, onnx::ValueInfoProto &info);

/// Makes `model` that of a case, without the inputs and symbols that nothing
/// reads.
void pack(onnx::ModelProto model, Case &made);

} // namespace tenon::fuzz

#endif // TENON_TEST_FUZZ_GRAPH_H
