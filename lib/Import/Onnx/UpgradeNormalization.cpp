//===- UpgradeNormalization.cpp - statistics, dropout, pools --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file has the steps of normalisations, and of what once trained.
//===----------------------------------------------------------------------===//
#include "lib/Import/Onnx/Upgrade.h"
#include <cmath>

using namespace tenon::onnximport;
namespace proto = ::onnx;
using proto::AttributeProto;

static void test7(Upgrade &node) {
  auto isTest = node.take("is_test");
  if (isTest && isTest->i() == 0)
    node.fail("it asks for training (is_test = 0)");
}

/// y = (x - mean) * (scale / sqrt(variance + epsilon)) + bias, where each
/// element of a sample has statistics of its own.
static void normalizeElements(Upgrade &node) {
  auto epsilon = node.take("epsilon");
  std::string x = node.input(0), scale = node.input(1), bias = node.input(2),
              mean = node.input(3), variance = node.input(4);
  double small = epsilon ? epsilon->f() : 1e-5f;
  std::string sum =
      node.make("Add", {variance, node.scalar(small, node.elementType(0))});
  std::string factor = node.make("Div", {scale, node.make("Sqrt", {sum})});
  std::string centred = node.make("Sub", {x, mean});
  std::string scaled = node.make("Mul", {centred, factor});
  proto::NodeProto result;
  result.set_name(node.node.name());
  result.set_op_type("Add");
  result.add_input(scaled);
  result.add_input(bias);
  result.add_output(node.node.output(0));
  node.node = std::move(result);
}

static void refuseStatistics(Upgrade &node) {
  for (int i = 1; i < node.node.output_size(); ++i)
    if (!node.node.output(i).empty())
      node.fail("it has results besides the first, which asks for training");
}

static void batchNormalization9(Upgrade &node) {
  auto spatial = node.take("spatial");
  if (!spatial || spatial->i() != 0)
    return;
  refuseStatistics(node);
  // Without dimensions behind the channels, both forms are the same.
  if (node.rank(0) != 2)
    normalizeElements(node);
}

static void batchNormalization14(Upgrade &node) {
  refuseStatistics(node);
  while (node.node.output_size() > 1)
    node.node.mutable_output()->RemoveLast();
}

/// Scales and biases were those of groups, and are those of channels.
static void groupNormalization21(Upgrade &node) {
  const AttributeProto *attribute = node.attribute("num_groups");
  int64_t groups = attribute ? attribute->i() : 0;
  int64_t channels = node.size(0, 1);
  if (channels < 0)
    return node.fail("the number of its channels is not known");
  if (groups <= 0 || channels % groups != 0)
    return node.fail("its groups do not divide its channels");
  std::string column = node.ints({groups, 1}), flat = node.ints({channels}),
              repeated = node.ints({groups, channels / groups});
  for (int index : {1, 2}) {
    std::string tall = node.make("Reshape", {node.input(index), column});
    std::string wide = node.make("Expand", {tall, repeated});
    node.setInput(index, node.make("Reshape", {wide, flat}));
  }
  node.set("stash_type", int64_t(node.elementType(0)));
}

/// Masks had the element type of the tensor.
static void dropout10(Upgrade &node) {
  if (node.node.output_size() < 2 || node.node.output(1).empty())
    return;
  if (node.elementType(0) == 0)
    return node.fail("the element type of its input is not known");
  std::string mask = node.node.output(1);
  proto::NodeProto &cast = node.append("Cast", {node.renameOutput(1)}, mask);
  AttributeProto &to = *cast.add_attribute();
  to.set_name("to");
  to.set_type(AttributeProto::INT);
  to.set_i(node.elementType(0));
}

/// Only training drops anything, so the ratio does not matter.
static void dropout12(Upgrade &node) { node.take("ratio"); }

/// The order of a norm was a float.
static void lpPool2(Upgrade &node) {
  auto p = node.take("p");
  if (!p)
    return;
  if (!(p->f() >= 1 && p->f() <= 1000) || p->f() != std::floor(p->f()))
    return node.fail("its attribute 'p' is not a small integer");
  node.set("p", int64_t(p->f()));
}

void tenon::onnximport::populateNormalizationSteps(
    std::vector<UpgradeStep> &steps) {
  steps.insert(steps.end(), {{"BatchNormalization", 7, test7},
                             {"BatchNormalization", 9, batchNormalization9},
                             {"BatchNormalization", 14, batchNormalization14},
                             {"GroupNormalization", 21, groupNormalization21},
                             {"Dropout", 7, test7},
                             {"Dropout", 10, dropout10},
                             {"Dropout", 12, dropout12},
                             {"LpPool", 2, lpPool2},
                             {"GlobalLpPool", 2, lpPool2}});
}
