//===- UpgradeResize.cpp - operators that sample images -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file has the steps of Upsample, Resize, RoiAlign and GridSample.
//===----------------------------------------------------------------------===//
#include "lib/Import/Onnx/Upgrade.h"

using namespace tenon::onnximport;
namespace proto = ::onnx;
using proto::AttributeProto;

static void setScales(Upgrade &node, const std::vector<float> &scales) {
  AttributeProto &list = *node.node.add_attribute();
  list.set_name("scales");
  list.set_type(AttributeProto::FLOATS);
  list.mutable_floats()->Add(scales.begin(), scales.end());
}

static void upsample7(Upgrade &node) {
  auto width = node.take("width_scale"), height = node.take("height_scale");
  if (!width || !height)
    return node.fail("it needs the attributes 'width_scale' and "
                     "'height_scale'");
  setScales(node, {1.0f, 1.0f, height->f(), width->f()});
  const AttributeProto *mode = node.attribute("mode");
  if (mode && mode->s() == "bilinear")
    node.set("mode", "linear");
}

static void upsample9(Upgrade &node) {
  auto scales = node.take("scales");
  if (!scales)
    return node.fail("it needs the attribute 'scales'");
  node.setInput(
      1, node.floats({scales->floats().begin(), scales->floats().end()}));
}

/// There was one way to map coordinates, and no region of interest.
static void resize11(Upgrade &node) {
  node.setInput(2, node.input(1));
  node.setInput(1, "");
  node.set("coordinate_transformation_mode", "asymmetric");
  node.set("nearest_mode", "floor");
}

static void upsample10(Upgrade &node) {
  node.node.set_op_type("Resize");
  resize11(node);
}

static void roiAlign16(Upgrade &node) {
  node.set("coordinate_transformation_mode", "output_half_pixel");
}

static void gridSample20(Upgrade &node) {
  const AttributeProto *mode = node.attribute("mode");
  if (mode && mode->s() == "bilinear")
    node.set("mode", "linear");
  else if (mode && mode->s() == "bicubic")
    node.set("mode", "cubic");
}

void tenon::onnximport::populateResizeSteps(std::vector<UpgradeStep> &steps) {
  steps.insert(steps.end(), {{"Upsample", 7, upsample7},
                             {"Upsample", 9, upsample9},
                             {"Upsample", 10, upsample10},
                             {"Resize", 11, resize11},
                             {"RoiAlign", 16, roiAlign16},
                             {"GridSample", 20, gridSample20}});
}
