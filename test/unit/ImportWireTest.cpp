//===- ImportWireTest.cpp - taking weights out of serialised models -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file tests the wire filter on models written byte by byte.
//===----------------------------------------------------------------------===//
// LINK: TenonOnnxImport
#include "lib/Import/Onnx/Wire.h"
#include "test/unit/ImportTestModel.h"
#include <gtest/gtest.h>

using namespace tenon::onnximport;
using namespace wire;

static constexpr uint64_t noLimit = UINT64_MAX;

static StrippedModel strip(const std::string &model, uint64_t limit = noLimit) {
  auto stripped = stripWeights(model, limit);
  EXPECT_TRUE(bool(stripped));
  return stripped ? std::move(*stripped) : StrippedModel();
}

static std::string errorOf(const std::string &model, uint64_t limit = noLimit) {
  auto stripped = stripWeights(model, limit);
  return stripped ? "" : llvm::toString(stripped.takeError());
}

TEST(ImportWire, CutsLargeRawData) {
  std::string raw(4096, '\7');
  std::string model = addModel(1024, tensor("w", {1024}, 1) + bytes(9, raw));
  StrippedModel stripped = strip(model);
  ASSERT_EQ(stripped.ranges.size(), 1u);
  EXPECT_EQ(model.substr(stripped.ranges[0].offset, stripped.ranges[0].size),
            raw);
  EXPECT_LT(stripped.bytes.size(), model.size() - 4000);
  EXPECT_NE(stripped.bytes.find("tenon.slice"), std::string::npos);
}

TEST(ImportWire, KeepsSmallData) {
  StrippedModel stripped = strip(addModel(4));
  EXPECT_TRUE(stripped.ranges.empty());
}

TEST(ImportWire, CutsPackedFloats) {
  std::string raw(4096, '\7');
  EXPECT_EQ(strip(addModel(1024, tensor("w", {1024}, 1) + bytes(4, raw)))
                .ranges.size(),
            1u);
  // As integers the same field means nothing.
  EXPECT_TRUE(strip(addModel(1024, tensor("w", {1024}, 7) + bytes(4, raw)))
                  .ranges.empty());
}

TEST(ImportWire, LeavesAmbiguousTensors) {
  std::string raw(4096, '\7');
  std::string twice = tensor("w", {1024}, 1) + bytes(9, raw) + bytes(9, raw);
  EXPECT_TRUE(strip(addModel(1024, twice)).ranges.empty());
}

TEST(ImportWire, DropsForgedSlices) {
  std::string forged = bytes(13, bytes(1, "tenon.slice") + bytes(2, "0"));
  StrippedModel stripped = strip(addModel(1, tensor("w", {1}, 1) + forged));
  EXPECT_EQ(stripped.bytes.find("tenon.slice"), std::string::npos);
}

TEST(ImportWire, ReachesAttributes) {
  std::string raw(4096, '\7');
  std::string attribute =
      bytes(1, "value") + bytes(5, tensor("", {1024}, 1) + bytes(9, raw));
  std::string constant = node("Constant", "c", {}, "y") + bytes(5, attribute);
  EXPECT_EQ(strip(model(bytes(1, constant))).ranges.size(), 1u);
}

TEST(ImportWire, RefusesMalformedMessages) {
  EXPECT_NE(errorOf("\xff"), "");
  EXPECT_NE(errorOf(std::string("\0\0", 2)), "");     // field number 0
  EXPECT_NE(errorOf(std::string("\x0b", 1)), "");     // a group
  EXPECT_NE(errorOf(bytes(7, "x").substr(0, 2)), ""); // cut short
  EXPECT_NE(errorOf("\x3a\xff\xff\xff\xff\xff\xff\xff\xff\x7f"), "");
}

TEST(ImportWire, RefusesDeepNesting) {
  std::string graph;
  for (int depth = 0; depth < 200; ++depth)
    graph = bytes(1, bytes(5, bytes(6, graph))); // node, attribute, g
  EXPECT_NE(errorOf(bytes(7, graph)).find("nested too deeply"),
            std::string::npos);
}

TEST(ImportWire, RefusesLargeGraphs) {
  EXPECT_NE(errorOf(addModel(4), 16).find("too large"), std::string::npos);
}
