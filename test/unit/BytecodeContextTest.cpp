//===- BytecodeContextTest.cpp - contexts of entries with bytecode --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file makes contexts in other ways than by default: with the caller's
// arena and threads, of linked models, of one of several entries.
//===----------------------------------------------------------------------===//
// LINK: TenonArtifact tenon_runtime NO_PCH
#include "test/unit/ArtifactTestBytecode.h"
#include "llvm/Support/raw_ostream.h"

using namespace tenon::artifact;
using namespace tenon::test;

namespace {

const ValueType index0 = tensorType(dtype::i64, 0);
const ValueType matrix = tensorType(dtype::f32, 2);

class BytecodeContext : public testing::Test {
protected:
  void SetUp() override {
#if !defined(__x86_64__)
    GTEST_SKIP() << "the test's kernels are x86-64 code";
#endif
  }

  std::vector<Value> inputs(int64_t batch) {
    std::vector<float> ones(batch * 100, 1);
    return {floats(ones, {batch, 100}), floats(ones, {batch, 100})};
  }

  void expectSum(const std::vector<Value> &outputs, int64_t batch) {
    // ((1 + 1) + 1 + 1) + ((1 + 1) + 1)
    EXPECT_EQ(outputs[0].data<float>(), std::vector<float>(batch * 100, 7));
  }
};

} // namespace

TEST_F(BytecodeContext, ProgramsUseTheArenaOfTheCaller) {
  Runner runner(makeProgram());
  alignas(64) static uint8_t arena[4 * 400];
  runner.options.arena = arena;
  runner.options.arena_size = sizeof arena;
  ASSERT_OK(runner.run(inputs(4)));
  expectSum(runner.outputs, 4);
  EXPECT_NE(std::count(arena, arena + sizeof arena, 0), int(sizeof arena));
  EXPECT_FAILS("node 'called': the arena has 1600 bytes; inputs of these "
               "shapes need 2048",
               runner.run(inputs(5)));
}

TEST_F(BytecodeContext, ProgramsUseTheThreadsOfTheCaller) {
  Runner runner(makeProgram());
  int calls = 0;
  runner.options.executor.user = &calls;
  runner.options.executor.concurrency = 2;
  runner.options.executor.parallel_for = [](void *user, int64_t count,
                                            void (*body)(void *, int64_t),
                                            void *argument) {
    ++*static_cast<int *>(user);
    for (int64_t i = 0; i < count; ++i)
      body(argument, i);
  };
  ASSERT_OK(runner.run(inputs(4)));
  expectSum(runner.outputs, 4);
  EXPECT_GT(calls, 1);
}

TEST(BytecodeContexts, OutputsAreKnownWhereTheyCanBe) {
  FunctionBuilder main("main", {matrix}, {matrix, matrix});
  main.ret({0, 0});
  ArtifactDesc desc = makeBytecode({main.function});
  // Registers: the extents of the input, then the bytes.
  desc.entries[0].outputs[0].shape = {registerValue(0), registerValue(1)};
  desc.entries[0].outputs[0].byteSize = desc.entries[0].inputs[0].byteSize;
  Runner runner(desc);
  ASSERT_OK(
      tenon_context_create(runner.model, &runner.options, &runner.context));
  int64_t shape[] = {3, 5};
  tenon_tensor input = {
      nullptr, {TENON_DEVICE_CPU, 0}, 2, {TENON_FLOAT, 32, 1}, shape, nullptr,
      0};
  tenon_tensor_info info = TENON_INIT(tenon_tensor_info);
  ASSERT_OK(tenon_context_output(runner.context, &input, 1, 0, &info));
  EXPECT_EQ(info.shape[1], 5);
  EXPECT_EQ(info.byte_size, 60u);
  tenon_status *status =
      tenon_context_output(runner.context, &input, 1, 1, &info);
  EXPECT_EQ(tenon_status_code_of(status), TENON_DATA_DEPENDENT);
  tenon_status_destroy(status);
}

TEST(BytecodeContexts, OutputsFillBuffers) {
  Runner runner(makeCall(TENON_PRIMITIVE_nonzero, {tensorType(dtype::f32, 1)},
                         {tensorType(dtype::i64, 2)}));
  ASSERT_OK(
      tenon_context_create(runner.model, &runner.options, &runner.context));
  float data[] = {0, 1, 2};
  int64_t three = 3, found[2] = {-1, -1}, shape[2] = {};
  tenon_tensor input = {
      data, {TENON_DEVICE_CPU, 0}, 1, {TENON_FLOAT, 32, 1}, &three, nullptr, 0};
  tenon_output_buffer output = {found, 8, shape, 0};
  tenon_status *status = tenon_run_into(runner.context, &input, 1, &output, 1);
  EXPECT_EQ(tenon_status_code_of(status), TENON_CAPACITY_EXCEEDED);
  EXPECT_FAILS("'out0' takes 16 bytes; its buffer has 8", status);
  EXPECT_EQ(output.byte_size, 16u);
  EXPECT_EQ(found[0], -1);
  output.capacity = 16;
  ASSERT_OK(tenon_run_into(runner.context, &input, 1, &output, 1));
  EXPECT_EQ(shape[1], 2);
  EXPECT_EQ(found[1], 2);
  output.data = nullptr;
  EXPECT_FAILS("'out0' has no data",
               tenon_run_into(runner.context, &input, 1, &output, 1));
}

TEST(BytecodeContexts, OfLinkedModels) {
  ArtifactDesc desc = makeCall(TENON_PRIMITIVE_increment, {index0}, {index0});
  std::string weights;
  llvm::raw_string_ostream os(weights);
  llvm::Expected<StaticParts> parts = writeStaticParts(desc, "linked", os);
  ASSERT_TRUE(bool(parts));
  EXPECT_NE(parts->header.find("input:  int64 [] in0"), std::string::npos);
  tenon_static_model linked = {sizeof linked,
                               parts->meta.data(),
                               parts->meta.size(),
                               nullptr,
                               0,
                               nullptr,
                               0};
  tenon_model *model = nullptr;
  ASSERT_OK(tenon_model_load_static(&linked, &model));
  tenon_context *context = nullptr;
  ASSERT_OK(tenon_context_create(model, nullptr, &context));
  int64_t number = 41, sum = 0;
  tenon_tensor in = {
      &number, {TENON_DEVICE_CPU, 0}, 0, {TENON_INT, 64, 1}, nullptr, nullptr,
      0};
  tenon_tensor out = in;
  out.data = &sum;
  ASSERT_OK(tenon_run(context, &in, 1, &out, 1));
  EXPECT_EQ(sum, 42);
  tenon_context_destroy(context);
  tenon_model_destroy(model);
}

TEST(BytecodeContexts, HeadersNameAllKinds) {
  FunctionBuilder main("main",
                       {sequenceType(dtype::f32),
                        optionalType(dtype::i64),
                        {dtype::string, {}, ValueKind::OptionalSequence},
                        tensorType(dtype::string, 1)},
                       {});
  main.ret({});
  std::string weights;
  llvm::raw_string_ostream os(weights);
  llvm::Expected<StaticParts> parts =
      writeStaticParts(makeBytecode({main.function}), "linked", os);
  ASSERT_TRUE(bool(parts));
  for (const char *line : {" * input:  sequence of float32 in0\n",
                           " * input:  optional int64 in1\n",
                           " * input:  optional sequence of string in2\n",
                           " * input:  string [?] in3\n"})
    EXPECT_NE(parts->header.find(line), std::string::npos) << line;
}

TEST(BytecodeContexts, OfOneOfSeveralEntries) {
  FunctionBuilder one("one", {index0}, {index0}), two = one;
  one.primitive(TENON_PRIMITIVE_increment, {0}, {0});
  one.ret({0});
  two.call(CalleeKind::Function, 0, {0}, {0});
  two.call(CalleeKind::Function, 0, {0}, {0});
  two.ret({0});
  ArtifactDesc desc = makeBytecode({one.function, two.function});
  desc.entries.push_back(desc.entries[0]);
  desc.entries[1].name = "twice";
  desc.entries[1].function = 1;
  desc.sizePrograms.resize(2);
  Runner runner(desc);
  runner.options.entry = "twice";
  ASSERT_OK(runner.run({integer(1)}));
  EXPECT_EQ(runner.outputs[0].data<int64_t>(), std::vector<int64_t>{3});
}

TEST(BytecodeContexts, OfSequencesAtEntries) {
  const ValueType maybe = {dtype::f32, {}, ValueKind::OptionalSequence};
  Runner runner(makeCall(TENON_PRIMITIVE_optional_has, {maybe},
                         {tensorType(dtype::i1, 0)}));
  ASSERT_OK(runner.run({sequence(dtype::f32, {})}));
  EXPECT_EQ(runner.outputs[0].data<uint8_t>()[0], 1);
  ASSERT_OK(runner.run({none()}));
  EXPECT_EQ(runner.outputs[0].data<uint8_t>()[0], 0);
  EXPECT_FAILS("'in0' is a tensor; the model takes an optional sequence",
               runner.run({floats({1}, {1})}));
  EXPECT_FAILS("'in0' is i64; the model takes f32",
               runner.run({sequence(dtype::i64, {})}));
}
