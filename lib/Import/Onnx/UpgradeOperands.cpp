//===- UpgradeOperands.cpp - attributes that became operands --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file has the steps of operators that move, cut and reduce: their shapes
// and axes were attributes.
//===----------------------------------------------------------------------===//
#include "lib/Import/Onnx/Upgrade.h"

using namespace tenon::onnximport;
namespace proto = ::onnx;

/// Makes list `name` operand `index`, if it is there.
static void listToInput(Upgrade &node, llvm::StringRef name, int index) {
  if (auto list = node.takeInts(name))
    node.setInput(index, node.ints(*list));
}

static void axesToInput(Upgrade &node) { listToInput(node, "axes", 1); }

static void split2(Upgrade &node) {
  auto sizes = node.constantInts(1);
  if (!node.input(1).empty() && !sizes)
    return node.fail("its second input is not a constant");
  if (!sizes)
    return;
  node.node.mutable_input()->RemoveLast();
  node.take("split");
  proto::AttributeProto &list = *node.node.add_attribute();
  list.set_name("split");
  list.set_type(proto::AttributeProto::INTS);
  list.mutable_ints()->Add(sizes->begin(), sizes->end());
}

static void split13(Upgrade &node) { listToInput(node, "split", 1); }

static void split18(Upgrade &node) {
  if (node.input(1).empty())
    node.set("num_outputs", int64_t(node.node.output_size()));
}

static void concat4(Upgrade &node) {
  if (!node.attribute("axis"))
    node.set("axis", int64_t(1));
}

static void reshape5(Upgrade &node) {
  if (!node.attribute("shape"))
    return node.fail("it has no attribute 'shape'");
  listToInput(node, "shape", 1);
}

static void slice10(Upgrade &node) {
  listToInput(node, "starts", 1);
  listToInput(node, "ends", 2);
  listToInput(node, "axes", 3);
}

static void topk10(Upgrade &node) {
  if (auto k = node.take("k"))
    node.setInput(1, node.ints({k->i()}));
}

/// One dimension was repeated; all are said now.
static void tile6(Upgrade &node) {
  auto tiles = node.constantInts(1), axis = node.constantInts(2);
  int64_t rank = node.rank(0);
  if (!tiles || !axis || tiles->size() != 1 || axis->size() != 1 || rank < 0)
    return node.fail("its second and third input are not constant scalars, or "
                     "the rank of the first is not known");
  if (axis->front() < 0 || axis->front() >= rank)
    return node.fail("its axis is not one of its first input");
  std::vector<int64_t> repeats(rank, 1);
  repeats[axis->front()] = tiles->front();
  node.node.mutable_input()->RemoveLast();
  node.setInput(1, node.ints(repeats));
}

static void pad2(Upgrade &node) {
  for (proto::AttributeProto &attribute : *node.node.mutable_attribute())
    if (attribute.name() == "paddings")
      attribute.set_name("pads");
}

static void pad11(Upgrade &node) {
  listToInput(node, "pads", 1);
  const proto::AttributeProto *mode = node.attribute("mode");
  auto value = node.take("value");
  if (value && (!mode || mode->s() == "constant"))
    node.setInput(2, node.scalar(value->f(), node.elementType(0)));
}

static void scatter11(Upgrade &node) {
  node.node.set_op_type("ScatterElements");
}

static void dft20(Upgrade &node) {
  auto axis = node.take("axis");
  node.setInput(2, node.integer(axis ? axis->i() : 1));
}

/// A Scan whose body is `inner`, with a slice of each operand along its first
/// dimension; what `inner` makes is stacked.
static proto::NodeProto scanOf(Upgrade &node, proto::NodeProto inner) {
  proto::NodeProto outer;
  outer.set_name(inner.name());
  outer.set_op_type("Scan");
  *outer.mutable_input() = inner.input();
  *outer.mutable_output() = inner.output();
  proto::AttributeProto &body = *outer.add_attribute();
  body.set_name("body");
  body.set_type(proto::AttributeProto::GRAPH);
  body.mutable_g()->set_name("sequence");
  for (std::string &name : *inner.mutable_input()) {
    name = node.newName("sequence");
    body.mutable_g()->add_input()->set_name(name);
  }
  for (std::string &name : *inner.mutable_output()) {
    name = node.newName("made");
    body.mutable_g()->add_output()->set_name(name);
  }
  inner.set_name(inner.name().empty() ? "" : inner.name() + "/sequence");
  *body.mutable_g()->add_node() = std::move(inner);
  return outer;
}

/// It had a batch in front of what it walks along, and lengths of the sequences
/// in it: a Scan of the batch scans one sequence after the other.
static void scan9(Upgrade &node) {
  if (!node.input(0).empty())
    return node.fail("the lengths of a Scan's sequences are not supported");
  auto &inputs = *node.node.mutable_input();
  inputs.erase(inputs.begin());
  if (auto directions = node.take("directions")) {
    directions->set_name("scan_input_directions");
    *node.node.add_attribute() = *directions;
  }
  int64_t count = inputs.size();
  node.node = scanOf(node, node.node);
  node.set("num_scan_inputs", count);
}

void tenon::onnximport::populateOperandSteps(std::vector<UpgradeStep> &steps) {
  for (const char *op :
       {"ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceMax",
        "ReduceMean", "ReduceMin", "ReduceProd", "ReduceSumSquare"})
    steps.push_back({op, 18, axesToInput});
  for (const char *op : {"ReduceSum", "Squeeze", "Unsqueeze"})
    steps.push_back({op, 13, axesToInput});
  steps.insert(steps.end(), {{"Split", 2, split2},
                             {"Split", 13, split13},
                             {"Split", 18, split18},
                             {"Concat", 4, concat4},
                             {"Reshape", 5, reshape5},
                             {"Slice", 10, slice10},
                             {"TopK", 10, topk10},
                             {"Tile", 6, tile6},
                             {"Pad", 2, pad2},
                             {"Pad", 11, pad11},
                             {"Scatter", 11, scatter11},
                             {"Scan", 9, scan9},
                             {"DFT", 20, dft20}});
}
