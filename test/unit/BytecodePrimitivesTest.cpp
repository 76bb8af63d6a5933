//===- BytecodePrimitivesTest.cpp - what primitives compute ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file calls primitives of numbers, sequences and optionals on small data.
//===----------------------------------------------------------------------===//
// LINK: TenonArtifact tenon_runtime NO_PCH
#include "test/unit/ArtifactTestBytecode.h"
#include <cmath>

using namespace tenon::artifact;
using namespace tenon::test;

using Ints = std::vector<int64_t>;
using Floats = std::vector<float>;

static const ValueType i64Any = tensorType(dtype::i64);
static const ValueType f32Any = tensorType(dtype::f32);
static const ValueType i1Any = tensorType(dtype::i1);

//===----------------------------------------------------------------------===//
// Control
//===----------------------------------------------------------------------===//

TEST(BytecodePrimitives, Constant) {
  ArtifactDesc desc = makeCall(TENON_PRIMITIVE_constant, {},
                               {tensorType(dtype::i64, 2)}, {8, 0, 64, 1, 2});
  static const int64_t numbers[] = {7, 8, 9};
  WeightDesc weight;
  weight.size = sizeof numbers;
  weight.data = {reinterpret_cast<const uint8_t *>(numbers), sizeof numbers};
  desc.weights = {weight};
  layoutWeights(desc.weights);
  std::vector<Value> results = callOnce(desc, {});
  EXPECT_EQ(results[0].shape(), Shape({1, 2}));
  EXPECT_EQ(results[0].data<int64_t>(), Ints({8, 9}));
}

TEST(BytecodePrimitives, CopyKeepsTheValue) {
  std::vector<Value> results = callOnce(
      makeCall(TENON_PRIMITIVE_copy, {f32Any}, {f32Any}), {floats({3}, {1})});
  EXPECT_EQ(results[0].data<float>(), Floats({3}));
}

TEST(BytecodePrimitives, LoopTest) {
  Runner runner(makeCall(
      TENON_PRIMITIVE_loop_test,
      {i64Any, optionalType(dtype::i64), optionalType(dtype::i1)}, {i1Any}));
  auto holds = [&](Value iteration, Value trip, Value condition) {
    EXPECT_OK(runner.run({iteration, trip, condition}));
    return runner.outputs[0].data<uint8_t>()[0] != 0;
  };
  Value yes = booleans({1}, {}), no = booleans({0}, {1});
  EXPECT_TRUE(holds(integer(1), integer(2), none()));
  EXPECT_FALSE(holds(integer(2), integer(2), yes));
  EXPECT_FALSE(holds(integer(1), integer(2), no));
  EXPECT_TRUE(holds(integer(1), none(), none()));
  EXPECT_FALSE(holds(integer(1), none(), no));
  EXPECT_FAILS("node 'node': the trip count has 2 elements instead of one",
               runner.run({integer(1), integers({1, 2}, {2}), none()}));
}

TEST(BytecodePrimitives, Increment) {
  std::vector<Value> results =
      callOnce(makeCall(TENON_PRIMITIVE_increment, {i64Any}, {i64Any}),
               {integers({41}, {1})});
  EXPECT_EQ(results[0].shape(), Shape({1}));
  EXPECT_EQ(results[0].data<int64_t>(), Ints({42}));
}

TEST(BytecodePrimitives, Stack) {
  Runner runner(makeCall(TENON_PRIMITIVE_stack, {sequenceType(dtype::f32)},
                         {f32Any}, {2, 32, 3, -1}));
  ASSERT_OK(runner.run({sequence(dtype::f32, {})}));
  EXPECT_EQ(runner.outputs[0].shape(), Shape({0, 3, 0}));
  Value a = floats({1, 2}, {2, 1}), b = floats({3, 4}, {2, 1});
  ASSERT_OK(runner.run({sequence(dtype::f32, {a, b, a})}));
  EXPECT_EQ(runner.outputs[0].shape(), Shape({3, 2, 1}));
  EXPECT_EQ(runner.outputs[0].data<float>(), Floats({1, 2, 3, 4, 1, 2}));
  EXPECT_FAILS("node 'node': tensors 0 and 1 to be stacked have different "
               "shapes",
               runner.run({sequence(dtype::f32, {a, floats({1}, {1, 1})})}));
  EXPECT_FAILS("node 'node': tensors of 32 dimensions cannot be stacked",
               runner.run({sequence(dtype::f32, {floats({1}, Shape(32, 1))})}));
}

TEST(BytecodePrimitives, Extents) {
  Runner runner(
      makeCall(TENON_PRIMITIVE_extents, {i64Any}, {tensorType(dtype::i8)}));
  ASSERT_OK(runner.run({integers({3, 5}, {2})}));
  EXPECT_EQ(runner.outputs[0].shape(), Shape({3, 5, 0}));
  ASSERT_OK(runner.run({integers({}, {0})}));
  EXPECT_EQ(runner.outputs[0].shape(), Shape({0}));
  EXPECT_FAILS("node 'node': a size would be -2",
               runner.run({integers({3, -2}, {2})}));
  EXPECT_FAILS("node 'node': a tensor [9223372036854775807x2] has more "
               "bytes than can be counted",
               runner.run({integers({INT64_MAX, 2}, {2})}));
  EXPECT_FAILS("node 'node': 32 numbers are more than a tensor has dimensions",
               runner.run({integers(Ints(32, 1), {32})}));
  Runner checked(makeCall(TENON_PRIMITIVE_extents, {i64Any},
                          {tensorType(dtype::i8)}, {2}));
  ASSERT_OK(checked.run({integers({3, 5, 0}, {3})}));
  EXPECT_FAILS("node 'node': sizes [3, 5] are beyond a limit by 4",
               checked.run({integers({3, 5, -4}, {3})}));
  EXPECT_FAILS("node 'node': a size would be -5",
               checked.run({integers({3, -5, -4}, {3})}));
}

//===----------------------------------------------------------------------===//
// Sizes that depend on data
//===----------------------------------------------------------------------===//

TEST(BytecodePrimitives, NonZero) {
  Runner runner(makeCall(TENON_PRIMITIVE_nonzero, {f32Any}, {i64Any}));
  ASSERT_OK(runner.run({floats({0, 1, -0.0f, NAN, 2, 0}, {2, 3})}));
  EXPECT_EQ(runner.outputs[0].shape(), Shape({2, 3}));
  EXPECT_EQ(runner.outputs[0].data<int64_t>(), Ints({0, 1, 1, 1, 0, 1}));
  ASSERT_OK(runner.run({floats({5}, {})}));
  EXPECT_EQ(runner.outputs[0].shape(), Shape({0, 1}));
  ASSERT_OK(runner.run({floats({}, {4, 0})}));
  EXPECT_EQ(runner.outputs[0].shape(), Shape({2, 0}));
}

TEST(BytecodePrimitives, NonZeroKnowsAllTypes) {
  // For each type whether bytes of 0, and with only the sign bit, are zero.
  struct Case {
    DType type;
    bool zeroIsZero, signIsZero;
  };
  for (Case c : {Case{dtype::i8, true, false}, Case{dtype::ui64, true, false},
                 Case{dtype::f16, true, true}, Case{dtype::bf16, true, true},
                 Case{dtype::f64, true, true}, Case{{5, 128}, true, true},
                 Case{{5, 64}, true, true}, Case{dtype::f8E4M3FN, true, true},
                 Case{dtype::f8E4M3FNUZ, true, false},
                 Case{dtype::f8E8M0FNU, false, false},
                 Case{dtype::f4E2M1FN, true, true}}) {
    int64_t bytes = (c.type.bits + 7) / 8;
    std::vector<uint8_t> data(2 * bytes);
    data[2 * bytes - 1] = c.type.bits < 8 ? 8 : 0x80;
    std::vector<Value> results = callOnce(
        makeCall(TENON_PRIMITIVE_nonzero, {tensorType(c.type)}, {i64Any}),
        {makeTensor(c.type, {2}, data.data())});
    Ints expected;
    if (!c.zeroIsZero)
      expected.push_back(0);
    if (!c.signIsZero)
      expected.push_back(1);
    EXPECT_EQ(results[0].data<int64_t>(), expected)
        << int(c.type.code) << " of " << int(c.type.bits);
  }
}

TEST(BytecodePrimitives, Compress) {
  Value matrix = floats({1, 2, 3, 4, 5, 6}, {3, 2});
  auto compress = [&](Ints axis, Value condition) {
    return callOnce(
        makeCall(TENON_PRIMITIVE_compress, {f32Any, i1Any}, {f32Any}, axis),
        {matrix, condition})[0];
  };
  Value rows = compress({1, 0}, booleans({0, 1, 1}, {3}));
  EXPECT_EQ(rows.shape(), Shape({2, 2}));
  EXPECT_EQ(rows.data<float>(), Floats({3, 4, 5, 6}));
  Value columns = compress({1, -1}, booleans({0, 1}, {2}));
  EXPECT_EQ(columns.shape(), Shape({3, 1}));
  EXPECT_EQ(columns.data<float>(), Floats({2, 4, 6}));
  Value flat = compress({0, 0}, booleans({0, 1, 0, 0, 1}, {5}));
  EXPECT_EQ(flat.shape(), Shape({2}));
  EXPECT_EQ(flat.data<float>(), Floats({2, 5}));
  Runner runner(
      makeCall(TENON_PRIMITIVE_compress, {f32Any, i1Any}, {f32Any}, {1, 2}));
  EXPECT_FAILS("node 'node': axis 2 of a tensor of 2 dimensions",
               runner.run({matrix, booleans({1}, {1})}));
  Runner columnsOnly(
      makeCall(TENON_PRIMITIVE_compress, {f32Any, i1Any}, {f32Any}, {1, 1}));
  EXPECT_FAILS("node 'node': element 2 of 2 is selected",
               columnsOnly.run({matrix, booleans({0, 0, 1}, {3})}));
}

static std::vector<Value> unique(Value tensor, Ints integers) {
  DType type = {tensor.info().dtype.code, tensor.info().dtype.bits};
  return callOnce(makeCall(TENON_PRIMITIVE_unique, {tensorType(type)},
                           {tensorType(type), i64Any, i64Any, i64Any},
                           integers),
                  {tensor});
}

TEST(BytecodePrimitives, UniqueElements) {
  // ONNX's examples.
  Value x = floats({2, 1, 1, 3, 4, 3}, {6});
  std::vector<Value> sorted = unique(x, {0, 0, 1});
  EXPECT_EQ(sorted[0].data<float>(), Floats({1, 2, 3, 4}));
  EXPECT_EQ(sorted[1].data<int64_t>(), Ints({1, 0, 3, 4}));
  EXPECT_EQ(sorted[2].data<int64_t>(), Ints({1, 0, 0, 2, 3, 2}));
  EXPECT_EQ(sorted[3].data<int64_t>(), Ints({2, 1, 2, 1}));
  std::vector<Value> first = unique(x, {0, 0, 0});
  EXPECT_EQ(first[0].data<float>(), Floats({2, 1, 3, 4}));
  EXPECT_EQ(first[1].data<int64_t>(), Ints({0, 1, 3, 4}));
  EXPECT_EQ(first[2].data<int64_t>(), Ints({0, 1, 1, 2, 3, 2}));
  EXPECT_EQ(first[3].data<int64_t>(), Ints({1, 2, 2, 1}));
}

TEST(BytecodePrimitives, UniqueSlices) {
  std::vector<Value> rows =
      unique(floats({1, 0, 0, 1, 0, 0, 2, 3, 4}, {3, 3}), {1, 0, 1});
  EXPECT_EQ(rows[0].shape(), Shape({2, 3}));
  EXPECT_EQ(rows[0].data<float>(), Floats({1, 0, 0, 2, 3, 4}));
  EXPECT_EQ(rows[1].data<int64_t>(), Ints({0, 2}));
  EXPECT_EQ(rows[2].data<int64_t>(), Ints({0, 0, 1}));
  EXPECT_EQ(rows[3].data<int64_t>(), Ints({2, 1}));
  std::vector<Value> columns = unique(
      floats({1, 1, 0, 1, 2, 1, 0, 1, 1, 1, 0, 1, 2, 1, 0, 1}, {2, 4, 2}),
      {1, 1, 1});
  EXPECT_EQ(columns[0].shape(), Shape({2, 3, 2}));
  EXPECT_EQ(columns[0].data<float>(),
            Floats({0, 1, 1, 1, 2, 1, 0, 1, 1, 1, 2, 1}));
  EXPECT_EQ(columns[1].data<int64_t>(), Ints({1, 0, 2}));
  EXPECT_EQ(columns[2].data<int64_t>(), Ints({1, 0, 2, 0}));
  EXPECT_EQ(columns[3].data<int64_t>(), Ints({2, 1, 1}));
}

TEST(BytecodePrimitives, UniqueOrdersAllNumbers) {
  std::vector<Value> odd =
      unique(floats({NAN, 1, -0.0f, 0, -INFINITY, -1, -NAN, INFINITY}, {8}),
             {0, 0, 1});
  EXPECT_EQ(odd[1].data<int64_t>(), Ints({4, 5, 2, 1, 7, 0}));
  EXPECT_EQ(odd[3].data<int64_t>(), Ints({1, 1, 2, 1, 1, 2}));
  std::vector<Value> negative =
      unique(integers({3, -1, INT64_MIN, 3}, {4}), {0, 0, 1});
  EXPECT_EQ(negative[0].data<int64_t>(), Ints({INT64_MIN, -1, 3}));
  uint8_t nibbles[] = {0xf7, 0x07, 0x08, 0x0f}; // 7 7 -8 -1
  std::vector<Value> narrow =
      unique(makeTensor(dtype::i4, {4}, nibbles), {0, 0, 1});
  EXPECT_EQ(narrow[1].data<int64_t>(), Ints({2, 3, 0}));
  std::vector<Value> nothing = unique(floats({}, {0}), {0, 0, 1});
  EXPECT_EQ(nothing[0].shape(), Shape({0}));
  EXPECT_EQ(nothing[3].shape(), Shape({0}));
}

TEST(BytecodePrimitives, NonMaxSuppression) {
  // ONNX's example: three pairs of boxes at 0, 10 and 100.
  Value boxes = floats({0, 0,  1, 1,  0, 0.1f,  1, 1.1f,  0, -0.1f, 1, 0.9f,
                        0, 10, 1, 11, 0, 10.1f, 1, 11.1f, 0, 100,   1, 101},
                       {1, 6, 4});
  Value scores = floats({0.9f, 0.75f, 0.6f, 0.95f, 0.5f, 0.3f}, {1, 1, 6});
  Runner runner(makeCall(TENON_PRIMITIVE_non_max_suppression,
                         {f32Any, f32Any, optionalType(dtype::i64),
                          optionalType(dtype::f32), optionalType(dtype::f32)},
                         {i64Any}, {0}));
  auto select = [&](Value most, Value overlap, Value score) {
    EXPECT_OK(runner.run({boxes, scores, most, overlap, score}));
    return runner.outputs[0].data<int64_t>();
  };
  Value half = floats({0.5f}, {1});
  EXPECT_EQ(select(integers({3}, {1}), half, floats({0}, {1})),
            Ints({0, 0, 3, 0, 0, 0, 0, 0, 5}));
  EXPECT_EQ(select(integer(2), half, none()), Ints({0, 0, 3, 0, 0, 0}));
  EXPECT_EQ(select(integer(9), half, floats({0.4f}, {})),
            Ints({0, 0, 3, 0, 0, 0}));
  EXPECT_EQ(select(none(), half, none()), Ints());
  EXPECT_FAILS("node 'node': boxes and scores do not fit together",
               runner.run({scores, scores, none(), none(), none()}));
  EXPECT_FAILS(
      "node 'node': iou_threshold has 2 elements instead of one",
      runner.run({boxes, scores, none(), floats({1, 2}, {2}), none()}));
}

//===----------------------------------------------------------------------===//
// Sequences
//===----------------------------------------------------------------------===//

static const ValueType list = sequenceType(dtype::f32);

static Floats firsts(const Value &sequence) {
  Floats result;
  for (size_t i = 0; i < sequence.info().count; ++i)
    result.push_back(sequence.element(i).data<float>().at(0));
  return result;
}

TEST(BytecodePrimitives, SequencesGrowAndShrink) {
  Value a = floats({1}, {1}), b = floats({2}, {1}), c = floats({3}, {1});
  Value ab = sequence(dtype::f32, {a, b});
  Runner insert(makeCall(TENON_PRIMITIVE_sequence_insert,
                         {list, f32Any, optionalType(dtype::i64)}, {list}));
  auto inserted = [&](Value position) {
    EXPECT_OK(insert.run({ab, c, position}));
    return firsts(insert.outputs[0]);
  };
  EXPECT_EQ(inserted(none()), Floats({1, 2, 3}));
  EXPECT_EQ(inserted(integer(0)), Floats({3, 1, 2}));
  EXPECT_EQ(inserted(integer(2)), Floats({1, 2, 3}));
  EXPECT_EQ(inserted(integer(-1)), Floats({1, 3, 2}));
  EXPECT_EQ(inserted(integer(-2)), Floats({3, 1, 2}));
  for (int64_t position : {3, -3}) {
    tenon_status *status = insert.run({ab, c, integer(position)});
    EXPECT_EQ(tenon_status_code_of(status), TENON_INDEX_OUT_OF_RANGE);
    EXPECT_FAILS("in a sequence of 2 tensors", status);
  }
  EXPECT_EQ(firsts(ab), Floats({1, 2}));
  Runner erase(makeCall(TENON_PRIMITIVE_sequence_erase,
                        {list, optionalType(dtype::i64)}, {list}));
  auto erased = [&](Value position) {
    EXPECT_OK(erase.run({ab, position}));
    return firsts(erase.outputs[0]);
  };
  EXPECT_EQ(erased(none()), Floats({1}));
  EXPECT_EQ(erased(integer(0)), Floats({2}));
  EXPECT_EQ(erased(integer(-2)), Floats({2}));
  EXPECT_FAILS("node 'node': position 2 in a sequence of 2 tensors",
               erase.run({ab, integer(2)}));
  EXPECT_FAILS("node 'node': position -1 in a sequence of 0 tensors",
               erase.run({sequence(dtype::f32, {}), none()}));
}

TEST(BytecodePrimitives, SequencesAreRead) {
  Value ab = sequence(dtype::f32, {floats({1}, {1}), floats({2}, {1})});
  Runner at(makeCall(TENON_PRIMITIVE_sequence_at,
                     {list, tensorType(dtype::i32)}, {f32Any}));
  for (int32_t position : {1, -1}) {
    ASSERT_OK(at.run({ab, makeTensor(dtype::i32, {}, &position)}));
    EXPECT_EQ(at.outputs[0].data<float>(), Floats({2}));
  }
  std::vector<Value> length = callOnce(
      makeCall(TENON_PRIMITIVE_sequence_length, {list}, {i64Any}), {ab});
  EXPECT_EQ(length[0].data<int64_t>(), Ints({2}));
  Runner construct(makeCall(TENON_PRIMITIVE_sequence_construct,
                            {f32Any, f32Any}, {list}, {2, 32}));
  ASSERT_OK(construct.run({floats({4}, {1}), floats({5}, {1})}));
  EXPECT_EQ(firsts(construct.outputs[0]), Floats({4, 5}));
}

TEST(BytecodePrimitives, SequencesAreConcatenated) {
  Value a = floats({1, 2}, {2, 1}), b = floats({3, 4, 5, 6}, {2, 2});
  auto concat = [&](Value list, Ints integers) {
    return callOnce(makeCall(TENON_PRIMITIVE_sequence_concat,
                             {sequenceType(dtype::f32)}, {f32Any}, integers),
                    {list})[0];
  };
  Value wide = concat(sequence(dtype::f32, {a, b}), {-1, 0});
  EXPECT_EQ(wide.shape(), Shape({2, 3}));
  EXPECT_EQ(wide.data<float>(), Floats({1, 3, 4, 2, 5, 6}));
  Value stacked = concat(sequence(dtype::f32, {a, a}), {-1, 1});
  EXPECT_EQ(stacked.shape(), Shape({2, 1, 2}));
  EXPECT_EQ(stacked.data<float>(), Floats({1, 1, 2, 2}));
  Runner runner(
      makeCall(TENON_PRIMITIVE_sequence_concat, {list}, {f32Any}, {0, 0}));
  EXPECT_FAILS("node 'node': an empty sequence has nothing to concatenate",
               runner.run({sequence(dtype::f32, {})}));
  EXPECT_FAILS("node 'node': tensors 0 and 1 do not fit together along axis 0",
               runner.run({sequence(dtype::f32, {a, b})}));
  Runner stack(
      makeCall(TENON_PRIMITIVE_sequence_concat, {list}, {f32Any}, {0, 1}));
  EXPECT_FAILS("node 'node': the result would have 33 dimensions",
               stack.run({sequence(dtype::f32, {floats({1}, Shape(32, 1))})}));
}

TEST(BytecodePrimitives, TensorsAreSplit) {
  Value x = floats({1, 2, 3, 4, 5, 6}, {2, 3});
  Runner runner(makeCall(TENON_PRIMITIVE_split_to_sequence,
                         {f32Any, optionalType(dtype::i64)}, {list}, {1, 0}));
  ASSERT_OK(runner.run({x, none()}));
  EXPECT_EQ(runner.outputs[0].info().count, 3u);
  EXPECT_EQ(runner.outputs[0].element(1).shape(), Shape({2}));
  EXPECT_EQ(runner.outputs[0].element(1).data<float>(), Floats({2, 5}));
  ASSERT_OK(runner.run({x, integer(2)}));
  EXPECT_EQ(runner.outputs[0].element(0).shape(), Shape({2, 2}));
  EXPECT_EQ(runner.outputs[0].element(1).data<float>(), Floats({3, 6}));
  ASSERT_OK(runner.run({x, integers({1, 0, 2}, {3})}));
  EXPECT_EQ(runner.outputs[0].element(1).shape(), Shape({2, 0}));
  EXPECT_EQ(runner.outputs[0].element(2).data<float>(), Floats({2, 3, 5, 6}));
  for (Ints sizes : {Ints({1, 3}), Ints({1}), Ints({-1, 4})})
    EXPECT_FAILS("node 'node': the pieces do not sum to the extent, 3",
                 runner.run({x, integers(sizes, {int64_t(sizes.size())})}));
  EXPECT_FAILS("node 'node': pieces would have the extent 0",
               runner.run({x, integer(0)}));
  Runner kept(
      makeCall(TENON_PRIMITIVE_split_to_sequence, {f32Any}, {list}, {0, 1}));
  ASSERT_OK(kept.run({x}));
  EXPECT_EQ(kept.outputs[0].element(1).shape(), Shape({1, 3}));
}

//===----------------------------------------------------------------------===//
// Optionals
//===----------------------------------------------------------------------===//

TEST(BytecodePrimitives, Optionals) {
  const ValueType maybe = optionalType(dtype::f32);
  Value x = floats({1}, {1});
  Runner has(makeCall(TENON_PRIMITIVE_optional_has, {maybe}, {i1Any}));
  ASSERT_OK(has.run({x}));
  EXPECT_EQ(has.outputs[0].data<uint8_t>()[0], 1);
  ASSERT_OK(has.run({none()}));
  EXPECT_EQ(has.outputs[0].data<uint8_t>()[0], 0);
  std::vector<Value> nothing =
      callOnce(makeCall(TENON_PRIMITIVE_optional_has, {}, {i1Any}), {});
  EXPECT_EQ(nothing[0].data<uint8_t>()[0], 0);
  Runner get(makeCall(TENON_PRIMITIVE_optional_get, {maybe}, {f32Any}));
  ASSERT_OK(get.run({x}));
  EXPECT_EQ(get.outputs[0].data<float>(), Floats({1}));
  EXPECT_FAILS("node 'node': the optional has no element", get.run({none()}));
  Runner make(makeCall(TENON_PRIMITIVE_optional, {f32Any}, {maybe}));
  ASSERT_OK(make.run({x}));
  EXPECT_EQ(make.outputs[0].info().kind, TENON_VALUE_TENSOR);
  Runner empty(makeCall(TENON_PRIMITIVE_optional, {}, {maybe}));
  ASSERT_OK(empty.run({}));
  EXPECT_EQ(empty.outputs[0].info().kind, TENON_VALUE_OPTIONAL);
}
