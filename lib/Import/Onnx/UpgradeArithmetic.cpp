//===- UpgradeArithmetic.cpp - broadcasting and attributes of old ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file has the steps of operators that compute element by element or with
// matrices, and of Cast and Softmax.
//===----------------------------------------------------------------------===//
#include "lib/Import/Onnx/Upgrade.h"
#include "llvm/ADT/StringExtras.h"

using namespace tenon::onnximport;
namespace proto = ::onnx;
using proto::AttributeProto;

/// Inserts dimensions of 1 behind those of operand 1.
static void unsqueezeSecond(Upgrade &node, int64_t rank, int64_t count) {
  std::vector<int64_t> axes;
  for (int64_t i = 0; i < count; ++i)
    axes.push_back(rank + i);
  if (!axes.empty())
    node.setInput(1, node.make("Unsqueeze", {node.input(1), node.ints(axes)}));
}

/// Where the second operand began in the first was an attribute.
static void broadcast7(Upgrade &node) {
  auto axis = node.take("axis"), broadcast = node.take("broadcast");
  if (!axis || !broadcast || broadcast->i() == 0)
    return;
  int64_t rank = node.rank(0), second = node.rank(1);
  if (rank < 0 || second < 0)
    return node.fail("the ranks of its inputs are not known");
  int64_t begin = axis->i() < 0 ? axis->i() + rank : axis->i();
  if (begin < 0 || begin > rank - second)
    return node.fail("its attribute 'axis' does not fit its inputs");
  unsqueezeSecond(node, second, rank - second - begin);
}

/// The slopes stood for channels.
static void prelu7(Upgrade &node) {
  int64_t rank = node.rank(0), slopes = node.rank(1);
  if (rank < 0 || slopes < 0)
    return node.fail("the ranks of its inputs are not known");
  if (slopes == 1 && rank > 2)
    unsqueezeSecond(node, 1, rank - 2);
}

static void gemm7(Upgrade &node) { node.take("broadcast"); }

static void cast6(Upgrade &node) {
  auto to = node.take("to");
  std::string name = to ? llvm::StringRef(to->s()).upper() : "";
  proto::TensorProto::DataType type;
  if (!proto::TensorProto::DataType_Parse(name, &type))
    return node.fail("its attribute 'to' is not the name of a type");
  node.set("to", int64_t(type));
}

static void clip11(Upgrade &node) {
  auto low = node.take("min"), high = node.take("max");
  if (low)
    node.setInput(1, node.scalar(low->f(), node.elementType(0)));
  if (high)
    node.setInput(2, node.scalar(high->f(), node.elementType(0)));
}

/// The defaults had fewer digits.
static void selu6(Upgrade &node) {
  if (!node.attribute("alpha"))
    node.set("alpha", 1.6732f);
  if (!node.attribute("gamma"))
    node.set("gamma", 1.0507f);
}

/// The input was seen as a matrix: what was in front of the axis, and the rest.
static void softmax13(Upgrade &node) {
  auto given = node.take("axis");
  int64_t axis = given ? given->i() : 1, rank = node.rank(0);
  if (rank < 0)
    return node.fail("the rank of its input is not known");
  axis = axis < 0 ? axis + rank : axis;
  if (axis < 0 || axis > rank)
    return node.fail("its axis is not one of its input");
  node.set("axis", int64_t(-1));
  if (axis == rank - 1)
    return;
  std::string input = node.input(0);
  std::string shape = node.make("Shape", {input});
  node.setInput(0, node.make("Flatten", {input}));
  AttributeProto &where = *node.before.back().add_attribute();
  where.set_name("axis");
  where.set_type(AttributeProto::INT);
  where.set_i(axis);
  std::string output = node.node.output(0);
  node.append("Reshape", {node.renameOutput(0), shape}, output);
}

static void sequence7(Upgrade &node) { node.take("output_sequence"); }

/// The schema of opset 1 misspells its default.
static void gru3(Upgrade &node) {
  const AttributeProto *direction = node.attribute("direction");
  if (direction && direction->s() == "foward")
    node.set("direction", "forward");
}

void tenon::onnximport::populateArithmeticSteps(
    std::vector<UpgradeStep> &steps) {
  for (const char *op : {"Add", "Sub", "Mul", "Div", "Pow", "And", "Or", "Xor",
                         "Equal", "Greater", "Less"})
    steps.push_back({op, 7, broadcast7});
  for (const char *op : {"Softmax", "LogSoftmax", "Hardmax"})
    steps.push_back({op, 13, softmax13});
  for (const char *op : {"LSTM", "GRU", "RNN"})
    steps.push_back({op, 7, sequence7});
  steps.insert(steps.end(), {{"PRelu", 7, prelu7},
                             {"Gemm", 7, gemm7},
                             {"Cast", 6, cast6},
                             {"Clip", 11, clip11},
                             {"Selu", 6, selu6},
                             {"GRU", 3, gru3}});
}
