//===- FootprintTest.cpp - what a tile needs of each stage ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file tests the boxes of stages: their numbers for a few programs, and
// for random ones that they begin and end where a walk through all points finds
// the first and the last element that a tile depends on.
//===----------------------------------------------------------------------===//
// LINK: TenonKernel TenonGraph MLIR LLVM
#include "dialects/Kernel/Footprint.h"
#include "dialects/Graph/Graph.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "test/unit/StatedAccesses.h"
#include <gtest/gtest.h>

#include <random>

using namespace mlir;
using namespace tenon;
using kernel::BoxDim;
using kernel::BoxMap;
using kernel::StageFootprint;

namespace {
/// Writes a group whose stages hold one operation each.
class GroupText {
public:
  /// An operand of the group.
  std::string operand(const std::string &type) {
    std::string number = std::to_string(operands++);
    std::string comma = arguments.empty() ? "" : ", ";
    arguments += comma + "%g" + number + ": " + type;
    parameters += comma + "%x" + number + ": " + type;
    names += comma + "%x" + number;
    types += comma + type;
    return "%g" + number;
  }

  /// `operation` on %a and %b, or on %a alone.
  std::string stage(const std::string &operation,
                    std::vector<std::pair<std::string, std::string>> inputs,
                    const std::string &result) {
    std::string name = "%s" + std::to_string(stages++), values, kinds, block;
    const char *local[] = {"%a", "%b"};
    for (auto [i, input] : llvm::enumerate(inputs)) {
      std::string comma = i ? ", " : "";
      values += comma + input.first;
      kinds += comma + input.second;
      block += comma + local[i] + ": " + input.second;
    }
    body += name + " = kernel.stage(" + values + ") : (" + kinds + ") -> " +
            result + " {\n^bb0(" + block + "):\n%r = graph." + operation +
            " : (" + kinds + ") -> " + result +
            "\nkernel.yield %r : " + result + "\n}\n";
    last = name;
    type = result;
    return name;
  }

  /// Lets the last stage's result leave the group, whatever comes after it.
  void keep() {
    kept += last + ", ";
    keptTypes += type + ", ";
  }

  std::string text(const std::string &dims, const std::string &sizes) const {
    std::string all = keptTypes + type;
    return "func.func @f(" + parameters +
           ") {\n%y:" + std::to_string(llvm::StringRef(kept).count(',') + 1) +
           " = kernel.group(" + names + ") {tile = #kernel.tile<dims = [" +
           dims + "], sizes = [" + sizes + "]>} : (" + types + ") -> (" + all +
           ") {\n^bb0(" + arguments + "):\n" + body + "kernel.yield " + kept +
           last + " : " + all + "\n}\nreturn\n}";
  }

private:
  unsigned operands = 0, stages = 0;
  std::string arguments, parameters, names, types, body, last, type;
  std::string kept, keptTypes;
};

class FootprintTest : public ::testing::Test {
protected:
  FootprintTest() {
    context.loadDialect<graph::GraphDialect, kernel::KernelDialect,
                        func::FuncDialect>();
  }

  kernel::GroupOp parse(const std::string &text) {
    module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module) << text;
    if (!module)
      return {};
    auto function = *module->getOps<func::FuncOp>().begin();
    return *function.getOps<kernel::GroupOp>().begin();
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};
} // namespace

static std::string map(int64_t height, int64_t width, int64_t channels) {
  return "tensor<1x" + std::to_string(height) + "x" + std::to_string(width) +
         "x" + std::to_string(channels) + "xf32>";
}

static std::string filters(int64_t count, int64_t channels, int64_t window) {
  std::string k = std::to_string(window);
  return "tensor<" + std::to_string(count) + "x" + std::to_string(channels) +
         "x" + k + "x" + k + "xf32>";
}

static std::string conv(int64_t stride, int64_t pad, int64_t group) {
  std::string s = std::to_string(stride), p = std::to_string(pad);
  return "conv %a, %b {strides = array<i64: " + s + ", " + s +
         ">, pads = array<i64: " + p + ", " + p + ", " + p + ", " + p +
         ">, dilations = array<i64: 1, 1>, group = " + std::to_string(group) +
         " : i64, layout = #graph<layout nhwc>}";
}

/// A 1x1 convolution, one of 3x3 with `stride`, the sum with the input.
static std::string chain(int64_t size, int64_t stride) {
  int64_t small = (size - 1) / stride + 1;
  std::string wide = map(size, size, 2), out = map(small, small, 2);
  GroupText group;
  std::string x = group.operand(wide), p = group.operand(filters(2, 2, 1));
  std::string w = group.operand(filters(2, 1, 3));
  std::string t =
      group.stage(conv(1, 0, 1), {{x, wide}, {p, filters(2, 2, 1)}}, wide);
  std::string u =
      group.stage(conv(stride, 1, 2), {{t, wide}, {w, filters(2, 1, 3)}}, out);
  if (stride == 1)
    group.stage("add %a, %b", {{u, out}, {x, wide}}, out);
  return group.text("1", "4");
}

static BoxDim all(int64_t extent) { return {-1, 0, 0, extent}; }
static BoxDim part(int64_t offset, int64_t span) {
  return {-1, 0, offset, span};
}

//===-- Numbers -----------------------------------------------------------===//

TEST_F(FootprintTest, WindowOverProduct) {
  auto stages = kernel::footprintsOf(parse(chain(10, 1)));
  ASSERT_TRUE(succeeded(stages));
  ASSERT_EQ(stages->size(), 3u);
  BoxMap rows = {all(1), {0, 1, 0, 1}, all(10), all(2)};
  BoxMap window = {all(1), {0, 1, -1, 3}, part(-1, 12), all(2)};
  EXPECT_EQ((*stages)[2].result, rows);
  EXPECT_EQ((*stages)[2].operands[0], rows);
  EXPECT_EQ((*stages)[2].operands[1], rows);
  EXPECT_EQ((*stages)[1].operands[0], window);
  EXPECT_EQ((*stages)[1].operands[1], (BoxMap{all(2), all(1), all(3), all(3)}));
  EXPECT_EQ((*stages)[0].needed, window);
  BoxMap inside = {all(1), {0, 1, -1, 3}, all(10), all(2)};
  EXPECT_EQ((*stages)[0].result, inside);
  EXPECT_EQ((*stages)[0].operands[0], inside);
}

TEST_F(FootprintTest, Stride) {
  auto stages = kernel::footprintsOf(parse(chain(10, 2)));
  ASSERT_TRUE(succeeded(stages));
  BoxMap window = {all(1), {0, 2, -1, 3}, part(-1, 11), all(2)};
  EXPECT_EQ((*stages)[1].operands[0], window);
  EXPECT_EQ((*stages)[0].operands[0],
            (BoxMap{all(1), {0, 2, -1, 3}, all(10), all(2)}));
}

TEST_F(FootprintTest, IsCutAtBorders) {
  kernel::GroupOp group = parse(chain(10, 1));
  for (auto [origin, extent, first, rows] :
       {std::array<int64_t, 4>{0, 4, 0, 5}, {4, 4, 3, 6}, {8, 2, 7, 3}}) {
    auto stages = kernel::footprintsOf(group, {origin}, {extent});
    ASSERT_TRUE(succeeded(stages));
    EXPECT_EQ((*stages)[0].needed, (BoxMap{all(1), part(origin - 1, extent + 2),
                                           part(-1, 12), all(2)}));
    BoxMap cut = {all(1), part(first, rows), all(10), all(2)};
    EXPECT_EQ((*stages)[0].result, cut);
    EXPECT_EQ((*stages)[0].operands[0], cut);
    EXPECT_EQ((*stages)[2].operands[1],
              (BoxMap{all(1), part(origin, extent), all(10), all(2)}));
  }
}

/// A stage whose result leaves the group, and windows over it.
static std::string keptMap(int64_t rows, int64_t out, int64_t stride) {
  GroupText group;
  std::string wide = map(rows, 10, 2),
              small = map(out, (10 + stride - 1) / stride, 2);
  std::string x = group.operand(wide), w = group.operand(filters(2, 1, 3));
  std::string t = group.stage("relu %a", {{x, wide}}, wide);
  group.keep();
  group.stage(conv(stride, 1, 2), {{t, wide}, {w, filters(2, 1, 3)}}, small);
  return group.text("1", "4");
}

TEST_F(FootprintTest, TilesStoreWhatIsAtTheirPlace) {
  kernel::GroupOp group = parse(keptMap(10, 10, 1));
  auto any = kernel::footprintsOf(group);
  ASSERT_TRUE(succeeded(any));
  EXPECT_EQ((*any)[0].needed,
            (BoxMap{all(1), {0, 1, -1, 3}, part(-1, 12), all(2)}));
  EXPECT_EQ((*any)[0].owned, (BoxMap{all(1), {0, 1, 0, 1}, all(10), all(2)}));
  EXPECT_TRUE((*any)[1].owned.empty());
  auto last = kernel::footprintsOf(group, {8}, {2});
  ASSERT_TRUE(succeeded(last));
  EXPECT_EQ((*last)[0].result, (BoxMap{all(1), part(7, 3), all(10), all(2)}));
  EXPECT_EQ((*last)[0].owned, (BoxMap{all(1), part(8, 2), all(10), all(2)}));
}

// Windows two rows apart read one row more than two for each of a tile; of
// eleven rows the last tile, of two, stores three.
TEST_F(FootprintTest, TilesStoreWhatStridesLeave) {
  kernel::GroupOp group = parse(keptMap(11, 6, 2));
  auto any = kernel::footprintsOf(group);
  ASSERT_TRUE(succeeded(any));
  EXPECT_EQ((*any)[0].owned, (BoxMap{all(1), {0, 2, 0, 2}, all(10), all(2)}));
  auto first = kernel::footprintsOf(group, {0}, {4});
  ASSERT_TRUE(succeeded(first));
  EXPECT_EQ((*first)[0].owned, (BoxMap{all(1), part(0, 8), all(10), all(2)}));
  auto last = kernel::footprintsOf(group, {4}, {2});
  ASSERT_TRUE(succeeded(last));
  EXPECT_EQ((*last)[0].owned, (BoxMap{all(1), part(8, 3), all(10), all(2)}));
}

TEST_F(FootprintTest, OneTileIsAll) {
  GroupText text;
  std::string rows = "tensor<12x8xf32>";
  std::string x = text.operand(rows);
  std::string t = text.stage("relu %a", {{x, rows}}, rows);
  text.keep();
  text.stage("exp %a", {{t, rows}}, rows);
  auto stages = kernel::footprintsOf(parse(text.text("", "")));
  ASSERT_TRUE(succeeded(stages));
  for (const StageFootprint &stage : *stages)
    EXPECT_EQ(stage.result, (BoxMap{all(12), all(8)}));
  EXPECT_EQ((*stages)[0].owned, (BoxMap{all(12), all(8)}));
}

TEST_F(FootprintTest, RowsOfProducts) {
  GroupText text;
  std::string rows = "tensor<12x8xf32>", square = "tensor<8x8xf32>";
  std::string x = text.operand(rows), w = text.operand(square);
  std::string v = text.operand(square);
  std::string t = text.stage("matmul %a, %b", {{x, rows}, {w, square}}, rows);
  text.stage("matmul %a, %b {transpose_rhs}", {{t, rows}, {v, square}}, rows);
  auto stages = kernel::footprintsOf(parse(text.text("0, 1", "5, 3")));
  ASSERT_TRUE(succeeded(stages));
  BoxDim row = {0, 1, 0, 1}, column = {1, 1, 0, 1};
  EXPECT_EQ((*stages)[1].operands[0], (BoxMap{row, all(8)}));
  EXPECT_EQ((*stages)[1].operands[1], (BoxMap{column, all(8)}));
  EXPECT_EQ((*stages)[0].operands[0], (BoxMap{row, all(8)}));
  EXPECT_EQ((*stages)[0].operands[1], (BoxMap{all(8), all(8)}));
}

TEST_F(FootprintTest, SaysWhyNot) {
  GroupText text;
  std::string square = "tensor<8x8xf32>", x = text.operand(square);
  std::string t =
      text.stage("softmax %a {axis = 1 : i64}", {{x, square}}, square);
  std::string why;
  EXPECT_TRUE(failed(kernel::footprintsOf(parse(text.text("0", "4")), why)));
  EXPECT_EQ(why, "'graph.softmax' cannot be computed in parts");
  GroupText good;
  x = good.operand(square);
  good.stage("relu %a", {{x, square}}, square);
  EXPECT_TRUE(succeeded(kernel::footprintsOf(parse(good.text("0", "4")), why)));
}

/// Rows that stand twice are whole ones, for a window of rows around them, too.
TEST_F(FootprintTest, RepeatedRows) {
  GroupText text;
  std::string small = map(5, 4, 2), wide = map(10, 4, 2);
  std::string w = filters(2, 1, 3), x = text.operand(small);
  std::string up = text.stage(
      "resize %a {scales = array<f32: 1.0, 2.0, 1.0, 1.0>, mode = "
      "#graph<resize_mode nearest>, coordinate_mode = #graph<coordinate_mode "
      "asymmetric>, nearest_mode = #graph<nearest_mode floor>}",
      {{x, small}}, wide);
  text.stage(conv(1, 1, 2), {{up, wide}, {text.operand(w), w}}, wide);
  kernel::GroupOp group = parse(text.text("1", "4"));
  auto any = kernel::footprintsOf(group);
  ASSERT_TRUE(succeeded(any));
  EXPECT_EQ((*any)[0].operands[0][1].shift(4), 2);
  auto stages = kernel::footprintsOf(group, {4}, {4});
  ASSERT_TRUE(succeeded(stages));
  EXPECT_EQ((*stages)[0].needed[1], part(2, 8));
  EXPECT_EQ((*stages)[0].operands[0][1], part(1, 4));
}

/// What a pool reads does not hang over its map.
TEST_F(FootprintTest, PoolsReadInside) {
  GroupText text;
  std::string type = map(9, 4, 2), x = text.operand(type);
  text.stage("max_pool %a {kernel = array<i64: 3, 3>, strides = array<i64: 1, "
             "1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, "
             "layout = #graph<layout nhwc>}",
             {{x, type}}, type);
  auto stages = kernel::footprintsOf(parse(text.text("1", "4")), {0}, {4});
  ASSERT_TRUE(succeeded(stages));
  EXPECT_EQ((*stages)[0].operands[0],
            (BoxMap{all(1), part(0, 5), all(4), all(2)}));
}

/// Rows of pixels are pixels of rows.
TEST_F(FootprintTest, ReshapesOfWholeRows) {
  GroupText text;
  std::string image = map(6, 5, 3), rows = "tensor<30x3xf32>";
  text.stage("reshape %a", {{text.operand(image), image}}, rows);
  auto stages = kernel::footprintsOf(parse(text.text("0", "10")), {20}, {10});
  ASSERT_TRUE(succeeded(stages));
  EXPECT_EQ((*stages)[0].operands[0],
            (BoxMap{all(1), part(4, 2), all(5), all(3)}));
}

//===-- Walks through all points ------------------------------------------===//

namespace {
struct Map {
  std::string name;
  int64_t height, width;
  std::string type() const { return map(height, width, 2); }
};

/// Chains of stages on small maps.
class RandomChain {
public:
  explicit RandomChain(unsigned seed) : random(seed) {
    maps.push_back({"", below(6) + 5, below(6) + 5});
    maps.back().name = group.operand(maps.back().type());
    for (int64_t stages = below(4) + 1; stages > 0; --stages)
      addStage();
  }

  int64_t below(int64_t bound) { return int64_t(random() % unsigned(bound)); }
  std::string text() { return group.text("1, 2", "1, 1"); }
  const Map &result() const { return maps.back(); }

private:
  void addStage() {
    Map from = maps.back(), to = from;
    int64_t kind = below(4);
    if (kind == 0) {
      std::swap(to.height, to.width);
      to.name = group.stage("transpose %a {permutation = array<i64: 0, 2, 1, "
                            "3>}",
                            {{from.name, from.type()}}, to.type());
    } else if (kind == 1) {
      const Map &other = maps[size_t(below(int64_t(maps.size())))];
      bool fits = other.type() == from.type();
      to.name = group.stage(
          "add %a, %b",
          {{from.name, from.type()}, {(fits ? other : from).name, from.type()}},
          to.type());
    } else {
      addWindow(from, to);
    }
    maps.push_back(to);
  }

  void addWindow(const Map &from, Map &to) {
    int64_t least = std::min<int64_t>({from.height, from.width, 3});
    int64_t window = below(least) + 1, stride = below(2) + 1;
    int64_t pad = below(window), groups = below(2) + 1;
    for (int64_t *extent : {&to.height, &to.width})
      *extent = (*extent + 2 * pad - window) / stride + 1;
    std::string type = filters(2, 2 / groups, window);
    to.name = group.stage(
        conv(stride, pad, groups),
        {{from.name, from.type()}, {group.operand(type), type}}, to.type());
  }

  std::mt19937 random;
  GroupText group;
  std::vector<Map> maps;
};

/// The elements of each value that a tile depends on.
class Walk {
public:
  using Elements = std::set<int64_t>;

  explicit Walk(kernel::GroupOp group) : group(group) {}

  /// From the elements of the group's result.
  void run(const Elements &tile) {
    Operation *yield = group.getBlock().getTerminator();
    outer[yield->getOperand(0)] = tile;
    for (Operation &op : llvm::reverse(group.getBlock().without_terminator()))
      visit(cast<kernel::StageOp>(op));
  }

  const Elements &of(Value value) { return outer[value]; }

private:
  void visit(kernel::StageOp stage) {
    Operation *op = &stage.getBlock().front();
    StatedAccesses accesses(cast<graph::TensorOpInterface>(op));
    EXPECT_EQ(accesses.problem(), "");
    for (int64_t element : outer[stage.getResult()])
      for (auto [operand, read] : accesses.mustRead().at({0, element})) {
        auto argument = cast<BlockArgument>(op->getOperand(operand));
        outer[stage.getInputs()[argument.getArgNumber()]].insert(read);
      }
  }

  kernel::GroupOp group;
  llvm::DenseMap<Value, Elements> outer;
};
} // namespace

/// The smallest box around elements, of the whole tensor's shape.
static BoxMap around(const std::set<int64_t> &elements, Value value) {
  auto shape = cast<RankedTensorType>(value.getType()).getShape();
  BoxMap box(shape.size(), BoxDim{-1, 0, INT64_MAX, 0});
  for (int64_t element : elements) {
    for (size_t dim = shape.size(); dim-- > 0; element /= shape[dim]) {
      int64_t index = element % shape[dim];
      int64_t end = std::max(
          box[dim].offset == INT64_MAX ? 0 : box[dim].offset + box[dim].span,
          index + 1);
      box[dim].offset = std::min(box[dim].offset, index);
      box[dim].span = end - box[dim].offset;
    }
  }
  return box;
}

static BoxMap inside(BoxMap box, Value value) {
  auto shape = cast<RankedTensorType>(value.getType()).getShape();
  for (auto [dim, extent] : llvm::zip_equal(box, shape)) {
    int64_t end = std::min(dim.offset + dim.span, extent);
    dim.offset = std::max<int64_t>(dim.offset, 0);
    dim.span = end - dim.offset;
  }
  return box;
}

/// The elements of a tile of rows and columns of the group's result.
static std::set<int64_t> elementsOf(const Map &map, ArrayRef<int64_t> origins,
                                    ArrayRef<int64_t> extents) {
  std::set<int64_t> elements;
  for (int64_t row = origins[0]; row < origins[0] + extents[0]; ++row)
    for (int64_t at = origins[1]; at < origins[1] + extents[1]; ++at)
      for (int64_t channel : {0, 1})
        elements.insert((row * map.width + at) * 2 + channel);
  return elements;
}

TEST_F(FootprintTest, BoxesHoldWhatTilesDependOn) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    RandomChain chain(seed);
    kernel::GroupOp group = parse(chain.text());
    ASSERT_TRUE(group);
    const Map &result = chain.result();
    SmallVector<int64_t> origins, extents;
    for (int64_t extent : {result.height, result.width}) {
      origins.push_back(chain.below(extent));
      extents.push_back(chain.below(extent - origins.back()) + 1);
    }
    auto stages = kernel::footprintsOf(group, origins, extents);
    ASSERT_TRUE(succeeded(stages)) << chain.text();
    Walk walk(group);
    walk.run(elementsOf(result, origins, extents));
    auto ops = group.getBlock().getOps<kernel::StageOp>();
    for (auto [stage, footprint] : llvm::zip(ops, *stages)) {
      Value value = stage.getResult();
      if (walk.of(value).empty())
        continue;
      EXPECT_EQ(footprint.result, around(walk.of(value), value))
          << chain.text();
      EXPECT_EQ(footprint.result, inside(footprint.needed, value));
    }
    kernel::StageOp first = *ops.begin();
    Value input = first.getInputs()[0];
    if (input.hasOneUse() && !walk.of(input).empty())
      EXPECT_EQ(inside(stages->front().operands[0], input),
                around(walk.of(input), input))
          << chain.text();
  }
}
