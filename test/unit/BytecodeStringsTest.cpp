//===- BytecodeStringsTest.cpp - primitives of strings --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file calls primitives on strings, and carries strings in and out.
//===----------------------------------------------------------------------===//
// LINK: TenonArtifact tenon_runtime NO_PCH
#include "test/unit/ArtifactTestBytecode.h"

using namespace tenon::artifact;
using namespace tenon::test;

using Texts = std::vector<std::string>;

static const ValueType text = tensorType(dtype::string);
static const ValueType i64Any = tensorType(dtype::i64);

TEST(BytecodeStrings, GoInAndOut) {
  Runner runner(makeCall(TENON_PRIMITIVE_copy, {text}, {text}));
  const char *bytes[] = {"a\0b", "", "x"};
  size_t sizes[] = {3, 0, 1};
  int64_t shape[] = {3};
  tenon_value *value = nullptr;
  ASSERT_OK(tenon_value_strings(bytes, sizes, 1, shape, &value));
  ASSERT_OK(runner.run({Value(value)}));
  EXPECT_EQ(runner.outputs[0].strings(),
            Texts({std::string("a\0b", 3), "", "x"}));
  EXPECT_EQ(runner.outputs[0].info().data, nullptr);
  EXPECT_EQ(tenon_value_string(runner.outputs[0].get(), 3, nullptr), nullptr);
}

TEST(BytecodeStrings, LieInWeights) {
  ArtifactDesc desc =
      makeCall(TENON_PRIMITIVE_constant, {}, {text}, {0, 200, 64, 2});
  std::string data(16, '\0');
  data[0] = 2, data[8] = 5;
  data += "abcde";
  WeightDesc weight;
  weight.size = data.size();
  weight.data = {reinterpret_cast<const uint8_t *>(data.data()), data.size()};
  desc.weights = {weight};
  layoutWeights(desc.weights);
  Runner runner(desc);
  ASSERT_OK(runner.run({}));
  EXPECT_EQ(runner.outputs[0].strings(), Texts({"ab", "cde"}));
  for (char end : {char(1), char(6)}) {
    data[8] = end;
    Runner damaged(desc);
    EXPECT_FAILS("a string lies outside of the weights", damaged.run({}));
  }
}

TEST(BytecodeStrings, AreErrorsOfRuns) {
  // Whatever the register is for, nothing gets there.
  Runner runner(makeCall(TENON_PRIMITIVE_fail, {text}, {i64Any}));
  EXPECT_FAILS("node 'node': does not fit",
               runner.run({strings({"does not fit"}, {})}));
  EXPECT_FAILS("node 'node': ", runner.run({strings({}, {0})}));
  EXPECT_TRUE(runner.outputs.empty());
}

TEST(BytecodeStrings, Normalize) {
  Value days = strings({"Monday", "tuesday", "wednesday", "Straße Ärger"}, {4});
  auto normalize = [&](Value x, Value stops, std::vector<int64_t> integers) {
    Runner runner(makeCall(TENON_PRIMITIVE_string_normalizer, {text, text},
                           {text}, integers));
    EXPECT_OK(runner.run({x, stops}));
    EXPECT_EQ(runner.outputs[0].shape().size(), x.shape().size());
    return runner.outputs[0].strings();
  };
  Value monday = strings({"monday"}, {1});
  EXPECT_EQ(normalize(days, monday, {0, 1}),
            Texts({"Monday", "tuesday", "wednesday", "Straße Ärger"}));
  EXPECT_EQ(normalize(days, monday, {2, 0}),
            Texts({"TUESDAY", "WEDNESDAY", "STRAßE ÄRGER"}));
  EXPECT_EQ(normalize(days, strings({}, {0}), {1, 1}),
            Texts({"monday", "tuesday", "wednesday", "straße ärger"}));
  EXPECT_EQ(normalize(strings({"monday"}, {1, 1}), monday, {0, 1}),
            Texts({""}));
  // What is no UTF-8 stays.
  EXPECT_EQ(normalize(strings({"ЖУК ΑΩ Ÿ\xff\xc3"}, {1}), monday, {1, 1}),
            Texts({"жук αω ÿ\xff\xc3"}));
  EXPECT_EQ(normalize(strings({"жук αω ÿ\xe0\x80"}, {1}), monday, {2, 1}),
            Texts({"ЖУК ΑΩ Ÿ\xe0\x80"}));
  Runner runner(makeCall(TENON_PRIMITIVE_string_normalizer, {text, text},
                         {text}, {0, 1}));
  EXPECT_FAILS("node 'node': the strings are neither a vector nor one row",
               runner.run({strings({"a", "b"}, {2, 1}), monday}));
}

TEST(BytecodeStrings, Concat) {
  Runner runner(makeCall(TENON_PRIMITIVE_string_concat, {text, text}, {text}));
  ASSERT_OK(
      runner.run({strings({"a", "b"}, {2, 1}), strings({"x", "", "z"}, {3})}));
  EXPECT_EQ(runner.outputs[0].shape(), Shape({2, 3}));
  EXPECT_EQ(runner.outputs[0].strings(),
            Texts({"ax", "a", "az", "bx", "b", "bz"}));
  EXPECT_FAILS(
      "node 'node': extents 2 and 3 do not broadcast",
      runner.run({strings({"a", "b"}, {2}), strings({"x", "", "z"}, {3})}));
}

TEST(BytecodeStrings, Equal) {
  std::vector<Value> results =
      callOnce(makeCall(TENON_PRIMITIVE_string_equal, {text, text},
                        {tensorType(dtype::i1)}),
               {strings({"a", "ab", ""}, {3}), strings({"ab"}, {})});
  EXPECT_EQ(results[0].data<uint8_t>(), std::vector<uint8_t>({0, 1, 0}));
}

TEST(BytecodeStrings, Split) {
  auto split = [](Value x, Value delimiter, int64_t most) {
    Runner runner(makeCall(TENON_PRIMITIVE_string_split,
                           {text, optionalType(dtype::string)}, {text, i64Any},
                           {most}));
    EXPECT_OK(runner.run({x, delimiter}));
    EXPECT_EQ(runner.outputs[1].shape(), x.shape());
    return std::pair(runner.outputs[0].strings(),
                     runner.outputs[1].data<int64_t>());
  };
  using Counts = std::vector<int64_t>;
  // ONNX's examples, and what Python does.
  EXPECT_EQ(split(strings({"abc.com", "def.net"}, {2}), strings({"."}, {}), -1),
            std::pair(Texts({"abc", "com", "def", "net"}), Counts({2, 2})));
  EXPECT_EQ(
      split(strings({"hello world", "hello  there wonderful"}, {2}), none(),
            -1),
      std::pair(Texts({"hello", "world", "", "hello", "there", "wonderful"}),
                Counts({2, 3})));
  EXPECT_EQ(
      split(strings({"o-n-n--x-", "o-n----nx"}, {2}), strings({"-"}, {}), 1),
      std::pair(Texts({"o", "n-n--x-", "o", "n----nx"}), Counts({2, 2})));
  EXPECT_EQ(
      split(strings({"a,,b,", ""}, {2}), strings({","}, {1}), -1),
      std::pair(Texts({"a", "", "b", "", "", "", "", ""}), Counts({4, 1})));
  EXPECT_EQ(split(strings({" a b  c ", "  "}, {2}), strings({""}, {}), 1),
            std::pair(Texts({"a", "b  c", "", ""}), Counts({2, 0})));
  EXPECT_EQ(split(strings({}, {0}), none(), -1), std::pair(Texts(), Counts()));
  Runner runner(makeCall(TENON_PRIMITIVE_string_split, {text, text},
                         {text, i64Any}, {-1}));
  EXPECT_FAILS("node 'node': the delimiter has 2 elements instead of one",
               runner.run({strings({"a"}, {1}), strings({"a", "b"}, {2})}));
}

TEST(BytecodeStrings, Reshape) {
  Runner runner(
      makeCall(TENON_PRIMITIVE_string_reshape, {text, i64Any}, {text}));
  Value four = strings({"a", "b", "c", "d"}, {4});
  ASSERT_OK(runner.run({four, integers({2, -1}, {2})}));
  EXPECT_EQ(runner.outputs[0].shape(), Shape({2, 2}));
  EXPECT_EQ(runner.outputs[0].strings(), Texts({"a", "b", "c", "d"}));
  for (std::vector<int64_t> shape :
       {std::vector<int64_t>{3, -1}, {5}, {-1, -1}, {0, -1}, {-2, -2}})
    EXPECT_FAILS("node 'node': 4 elements do not fit the shape",
                 runner.run({four, integers(shape, {int64_t(shape.size())})}));
}

TEST(BytecodeStrings, AreTakenApartByGeneralPrimitives) {
  Value x = strings({"b", "a", "b"}, {3});
  Runner unique(makeCall(TENON_PRIMITIVE_unique, {text},
                         {text, i64Any, i64Any, i64Any}, {0, 0, 1}));
  ASSERT_OK(unique.run({x}));
  EXPECT_EQ(unique.outputs[0].strings(), Texts({"a", "b"}));
  EXPECT_EQ(unique.outputs[2].data<int64_t>(), (std::vector<int64_t>{1, 0, 1}));
  Runner compress(makeCall(TENON_PRIMITIVE_compress,
                           {text, tensorType(dtype::i1)}, {text}, {0, 0}));
  ASSERT_OK(compress.run({x, booleans({0, 1}, {2})}));
  EXPECT_EQ(compress.outputs[0].strings(), Texts({"a"}));
  Runner split(makeCall(TENON_PRIMITIVE_split_to_sequence, {text},
                        {sequenceType(dtype::string)}, {0, 1}));
  ASSERT_OK(split.run({x}));
  EXPECT_EQ(split.outputs[0].element(2).strings(), Texts({"b"}));
}

TEST(BytecodeStrings, WrongValuesAreRefused) {
  tenon_value *value = nullptr;
  int64_t shape[] = {1}, negative[] = {-1};
  const char *null[] = {nullptr};
  EXPECT_FAILS("a null argument",
               tenon_value_strings(null, nullptr, 1, shape, &value));
  EXPECT_FAILS("a tensor has no shape, or a bad one",
               tenon_value_strings(null, nullptr, 1, negative, &value));
  tenon_tensor tensor = {nullptr, {1, 0},  1, {TENON_STRING, 64, 1},
                         shape,   nullptr, 0};
  EXPECT_FAILS("a value cannot have this element type",
               tenon_value_tensor(&tensor, &value));
  tensor.dtype = {TENON_FLOAT, 32, 1};
  EXPECT_FAILS("the tensor has no data, or they are not contiguous in "
               "row-major order",
               tenon_value_tensor(&tensor, &value));
  tensor.device.device_type = 2;
  EXPECT_FAILS("the tensor is not in CPU memory",
               tenon_value_tensor(&tensor, &value));
  Value x = floats({1}, {1});
  tenon_value *elements[] = {x.get()};
  EXPECT_FAILS("element 0 of the sequence is no tensor of its type",
               tenon_value_sequence({TENON_INT, 64, 1}, elements, 1, &value));
  EXPECT_FAILS("there is no element 0",
               tenon_value_element(x.get(), 0, &value));
  EXPECT_EQ(value, nullptr);
}
