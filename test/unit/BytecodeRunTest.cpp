//===- BytecodeRunTest.cpp - running bytecode -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file runs functions made by hand: loops, calls, branches, programs.
//===----------------------------------------------------------------------===//
// LINK: TenonArtifact tenon_runtime NO_PCH
#include "test/unit/ArtifactTestBytecode.h"
#include <filesystem>
#include <fstream>
#include <thread>

using namespace tenon::artifact;
using namespace tenon::test;

namespace {

const ValueType index0 = tensorType(dtype::i64, 0);
const ValueType flag = tensorType(dtype::i1, 0);
const ValueType rows = tensorType(dtype::f32, 1);

/// main(n, x) = a sequence of n times x, and its stack.
ArtifactDesc makeLoop() {
  FunctionBuilder main("main", {index0, rows},
                       {sequenceType(dtype::f32), tensorType(dtype::f32, 2)});
  uint32_t list = main.add(sequenceType(dtype::f32)), number = main.add(index0);
  uint32_t goesOn = main.add(flag), none = main.add(optionalType(dtype::i1));
  uint32_t stacked = main.add(tensorType(dtype::f32, 2));
  uint32_t zero = main.add(tensorType(dtype::i1, 1));
  main.primitive(TENON_PRIMITIVE_sequence_construct, {list}, {}, {2, 32});
  main.primitive(TENON_PRIMITIVE_sequence_length, {number}, {list});
  main.primitive(TENON_PRIMITIVE_optional, {none}, {});
  main.primitive(TENON_PRIMITIVE_kill, {}, {zero});
  uint32_t head =
      main.primitive(TENON_PRIMITIVE_loop_test, {goesOn}, {number, 0, none});
  main.branch(goesOn, head + 2, head + 5);
  main.primitive(TENON_PRIMITIVE_sequence_insert, {list}, {list, 1});
  main.primitive(TENON_PRIMITIVE_increment, {number}, {number});
  main.jump(head);
  main.primitive(TENON_PRIMITIVE_stack, {stacked}, {list}, {2, 32, -1});
  main.ret({list, stacked});
  return makeBytecode({main.function});
}

} // namespace

TEST(BytecodeRun, ALoopCounts) {
  Runner runner(makeLoop());
  for (int64_t n : {0, 1, 3, 100}) {
    ASSERT_OK(runner.run({integer(n), floats({1, 2}, {2})}));
    EXPECT_EQ(runner.outputs[0].info().kind, TENON_VALUE_SEQUENCE);
    EXPECT_EQ(runner.outputs[0].info().count, size_t(n));
    EXPECT_EQ(runner.outputs[1].shape(), Shape({n, n ? 2 : 0}));
    std::vector<float> stacked = runner.outputs[1].data<float>();
    for (size_t i = 0; i < stacked.size(); ++i)
      EXPECT_EQ(stacked[i], 1 + i % 2);
  }
}

TEST(BytecodeRun, ASteadyStateAllocatesNothing) {
  Runner runner(makeLoop());
  ASSERT_OK(runner.run({integer(50), floats({1, 2}, {2})}));
  runner.outputs.clear();
  ASSERT_OK(runner.run({integer(50), floats({1, 2}, {2})}));
  runner.outputs.clear();
  int before = runner.memory.count;
  ASSERT_OK(runner.run({integer(50), floats({1, 2}, {2})}));
  // Outputs leave the context: a sequence and a tensor.
  EXPECT_EQ(runner.memory.count, before + 2);
}

TEST(BytecodeRun, MemoryThatEndsIsAnError) {
  for (int limit = 0; limit < 40; ++limit) {
    Runner runner(makeLoop());
    runner.memory.limit = limit;
    tenon_status *status = runner.run({integer(50), floats({1, 2}, {2})});
    if (!status)
      return;
    EXPECT_EQ(tenon_status_code_of(status), TENON_OUT_OF_MEMORY);
    tenon_status_destroy(status);
  }
  ADD_FAILURE() << "40 allocations were not enough";
}

TEST(BytecodeRun, FunctionsCallFunctions) {
  // outer(n) = inner(inner(n)), inner(n) = n + 1; both results of two operands.
  FunctionBuilder main("main", {index0}, {index0, index0});
  FunctionBuilder outer("outer", {index0}, {index0, index0});
  FunctionBuilder inner("inner", {index0}, {index0});
  uint32_t a = main.add(index0), b = main.add(index0);
  main.call(CalleeKind::Function, 1, {a, b}, {0});
  main.ret({b, a});
  uint32_t once = outer.add(index0), twice = outer.add(index0);
  outer.call(CalleeKind::Function, 2, {once}, {0});
  outer.call(CalleeKind::Function, 2, {twice}, {once});
  outer.ret({once, twice});
  uint32_t sum = inner.add(index0);
  inner.primitive(TENON_PRIMITIVE_increment, {sum}, {0});
  inner.ret({sum});
  Runner runner(makeBytecode({main.function, outer.function, inner.function}));
  ASSERT_OK(runner.run({integer(5)}));
  EXPECT_EQ(runner.outputs[0].data<int64_t>(), std::vector<int64_t>{7});
  EXPECT_EQ(runner.outputs[1].data<int64_t>(), std::vector<int64_t>{6});
}

TEST(BytecodeRun, BranchesGoBothWays) {
  FunctionBuilder main("main", {tensorType(dtype::i1), rows, rows}, {rows});
  main.branch(0, 1, 2);
  main.ret({1});
  main.ret({2});
  Runner runner(makeBytecode({main.function}));
  Value yes = floats({1}, {1}), no = floats({2, 3}, {2});
  ASSERT_OK(runner.run({booleans({1}, {}), yes, no}));
  EXPECT_EQ(runner.outputs[0].data<float>(), std::vector<float>{1});
  ASSERT_OK(runner.run({booleans({0}, {1, 1}), yes, no}));
  EXPECT_EQ(runner.outputs[0].data<float>(), (std::vector<float>{2, 3}));
  EXPECT_FAILS("node 'condition': the condition has 2 elements instead of one",
               runner.run({booleans({0, 1}, {2}), yes, no}));
}

static void checkProgram(const std::vector<Value> &outputs, int64_t batch) {
  EXPECT_EQ(outputs[0].shape(), Shape({batch, 100}));
  std::vector<float> y = outputs[0].data<float>();
  for (int64_t i = 0; i < batch * 100; ++i) {
    float x = i, z = 0.5f * i, once = x + z + x;
    ASSERT_EQ(y[i], once + z + once);
  }
  EXPECT_EQ(outputs[1].data<int64_t>(),
            (std::vector<int64_t>{batch, batch * 100}));
}

static std::vector<Value> programInputs(int64_t batch) {
  std::vector<float> x(batch * 100), z(batch * 100);
  for (int64_t i = 0; i < batch * 100; ++i)
    x[i] = i, z[i] = 0.5f * i;
  return {floats(x, {batch, 100}), floats(z, {batch, 100})};
}

class BytecodePrograms : public testing::Test {
protected:
  void SetUp() override {
#if !defined(__x86_64__)
    GTEST_SKIP() << "the test's kernels are x86-64 code";
#endif
  }
};

TEST_F(BytecodePrograms, AreCalled) {
  Runner runner(makeProgram());
  EXPECT_EQ(tenon_model_entry_count(runner.model), 1u);
  for (int64_t batch : {2, 0, 7, 2, 512}) {
    ASSERT_OK(runner.run(programInputs(batch)));
    checkProgram(runner.outputs, batch);
  }
}

TEST_F(BytecodePrograms, FailWithTheirNode) {
  Runner runner(makeProgram());
  EXPECT_FAILS("node 'called': 'x': dimension 0 (batch) is 513, but must be at "
               "most 512",
               runner.run(programInputs(513)));
  std::vector<float> data(300);
  EXPECT_FAILS(
      "node 'called': 'z' has shape [3x50]; the model takes "
      "[batch, 100]",
      runner.run({floats(data, {3, 100}),
                  floats({data.begin(), data.begin() + 150}, {3, 50})}));
  ASSERT_OK(runner.run(programInputs(3)));
  checkProgram(runner.outputs, 3);
}

TEST_F(BytecodePrograms, SharePoolAndArena) {
  Runner runner(makeProgram());
  runner.options.threads = 3;
  ASSERT_OK(runner.run(programInputs(64)));
  checkProgram(runner.outputs, 64);
  EXPECT_EQ(tenon_context_threads(runner.context), 3);
  EXPECT_EQ(tenon_context_arena_bytes(runner.context), 64 * 400u);
  int before = runner.memory.count;
  ASSERT_OK(runner.run(programInputs(64)));
  EXPECT_EQ(runner.memory.count, before + 2); // the outputs
}

#if defined(__linux__)
/// A line of what Linux says of another thread of this process; there is one.
static std::string ofWorker(const std::string &key) {
  std::string own = std::to_string(getpid()), line;
  for (auto &task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream status(task.path() / "status");
    while (task.path().filename() != own && std::getline(status, line))
      if (line.starts_with(key))
        return line;
  }
  return "";
}

/// What it says when the worker sleeps and has nothing else to do.
static std::string sleepsOfParked() {
  while (ofWorker("State:").find("sleeping") == std::string::npos)
    std::this_thread::yield();
  return ofWorker("voluntary_ctxt_switches:");
}

TEST_F(BytecodePrograms, WakeNoThreadForLaunchesOfOneTile) {
  ArtifactDesc desc = makeProgram();
  for (LaunchDesc &launch : desc.variants[0].launches)
    launch.tiles = 1;
  Runner alone(desc);
  alone.options.threads = 2;
  ASSERT_OK(alone.run(programInputs(2)));
  std::string before = sleepsOfParked();
  for (int run = 0; run < 100; ++run)
    ASSERT_OK(alone.run(programInputs(2)));
  EXPECT_EQ(sleepsOfParked(), before);
}

TEST_F(BytecodePrograms, WakeThreadsForTheirTiles) {
  Runner shared(makeProgram());
  shared.options.threads = 2;
  ASSERT_OK(shared.run(programInputs(2)));
  std::string before = sleepsOfParked();
  ASSERT_OK(shared.run(programInputs(2)));
  EXPECT_NE(sleepsOfParked(), before);
}
#endif

TEST_F(BytecodePrograms, RunOnTensorsOfTheCaller) {
  Runner runner(makeProgram());
  ASSERT_OK(
      tenon_context_create(runner.model, &runner.options, &runner.context));
  std::vector<float> x(300), z(300), y(300);
  int64_t n[2], shape[] = {3, 100}, two = 2, wrong[] = {100, 3};
  for (int i = 0; i < 300; ++i)
    x[i] = i, z[i] = 0.5f * i;
  tenon_dtype f32 = {TENON_FLOAT, 32, 1}, i64 = {TENON_INT, 64, 1};
  tenon_device cpu = {TENON_DEVICE_CPU, 0};
  tenon_tensor inputs[] = {{x.data(), cpu, 2, f32, shape, nullptr, 0},
                           {z.data(), cpu, 2, f32, shape, nullptr, 0}};
  tenon_tensor outputs[] = {{y.data(), cpu, 2, f32, shape, nullptr, 0},
                            {n, cpu, 1, i64, &two, nullptr, 0}};
  for (int i = 0; i < 3; ++i)
    ASSERT_OK(tenon_run(runner.context, inputs, 2, outputs, 2));
  int before = runner.memory.count;
  ASSERT_OK(tenon_run(runner.context, inputs, 2, outputs, 2));
  EXPECT_EQ(runner.memory.count, before);
  EXPECT_EQ(y[299], 299 * 2.5f + 149.5f + 299 * 2.5f);
  EXPECT_EQ(n[1], 300);
  outputs[0].shape = wrong;
  EXPECT_FAILS("'out0' has shape [100x3]; the model takes [3x100]",
               tenon_run(runner.context, inputs, 2, outputs, 2));
  tenon_tensor_info info = TENON_INIT(tenon_tensor_info);
  tenon_status *status =
      tenon_context_output(runner.context, inputs, 2, 0, &info);
  EXPECT_EQ(tenon_status_code_of(status), TENON_DATA_DEPENDENT);
  EXPECT_FAILS("the shape of 'out0' depends on data", status);
}

TEST_F(BytecodePrograms, RunInManyContextsAtOnce) {
  Runner runner(makeProgram());
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      tenon_context_options options = TENON_INIT(tenon_context_options);
      options.threads = 1 + t % 2;
      tenon_context *context = nullptr;
      ASSERT_OK(tenon_context_create(runner.model, &options, &context));
      for (int i = 0; i < 50; ++i) {
        std::vector<Value> inputs = programInputs(1 + (i + t) % 5);
        tenon_value *given[] = {inputs[0].get(), inputs[1].get()}, *made[2];
        ASSERT_OK(tenon_run_values(context, given, 2, made, 2));
        checkProgram({Value(made[0]), Value(made[1])}, 1 + (i + t) % 5);
      }
      tenon_context_destroy(context);
    });
  for (std::thread &thread : threads)
    thread.join();
}

TEST_F(BytecodePrograms, AreProfiled) {
  Runner runner(makeProgram());
  runner.options.profile = true;
  ASSERT_OK(runner.run(programInputs(2)));
  ASSERT_EQ(tenon_profile_count(runner.context), 3u);
  tenon_profile_entry entry = TENON_INIT(tenon_profile_entry);
  ASSERT_OK(tenon_profile_get(runner.context, 2, &entry));
  EXPECT_STREQ(entry.kernel, "sizes");
  EXPECT_EQ(entry.calls, 2);
  tenon_profile_reset(runner.context);
  ASSERT_OK(tenon_profile_get(runner.context, 2, &entry));
  EXPECT_EQ(entry.calls, 0);
  EXPECT_FAILS("there is no profile of launch 3",
               tenon_profile_get(runner.context, 3, &entry));
}

TEST_F(BytecodePrograms, StraightLinesRunOnValues) {
  Runner runner(makeSymbolic());
  std::vector<Value> inputs = programInputs(2);
  ASSERT_OK(runner.run(inputs));
  EXPECT_EQ(runner.outputs[0].shape(), Shape({2, 100}));
  EXPECT_EQ(runner.outputs[0].data<float>()[10], 25.f);
}

TEST(BytecodeRun, StepsHaveALimit) {
  FunctionBuilder main("main", {}, {});
  main.jump(0);
  main.ret({});
  Runner runner(makeBytecode({main.function}));
  runner.options.max_steps = 1000;
  tenon_status *status = runner.run({});
  EXPECT_EQ(tenon_status_code_of(status), TENON_STEP_LIMIT);
  EXPECT_FAILS("more than 1000 instructions of bytecode have run", status);
}

static std::string linesOf(const tenon_model *model) {
  std::string lines;
  EXPECT_OK(tenon_model_disassemble(
      model,
      [](void *user, const char *text) {
        *static_cast<std::string *>(user) += std::string(text) + "\n";
      },
      &lines));
  return lines;
}

TEST(BytecodeRun, IsDisassembled) {
  EXPECT_EQ(
      linesOf(Runner(makeLoop()).model),
      "function @main(r0: i64 of rank 0, r1: f32 of rank 1) -> (sequence of "
      "f32, f32 of rank 2)\n"
      "  0: r2 = call sequence_construct() [2, 32] \"node\"\n"
      "  1: r3 = call sequence_length(r2) \"node\"\n"
      "  2: r5 = call optional() \"node\"\n"
      "  3: call kill(r7) \"node\"\n"
      "  4: r4 = call loop_test(r3, r0, r5) \"node\"\n"
      "  5: if(r4) then 6 else 9 \"condition\"\n"
      "  6: r2 = call sequence_insert(r2, r1) \"node\"\n"
      "  7: r3 = call increment(r3) \"node\"\n"
      "  8: goto 4\n"
      "  9: r6 = call stack(r2) [2, 32, -1] \"node\"\n"
      "  10: return(r2, r6)\n");
}

TEST(BytecodeRun, IsTraced) {
  Runner runner(makeLoop());
  std::string lines;
  runner.options.trace = [](void *user, const char *text, int64_t time) {
    EXPECT_GE(time, 0);
    *static_cast<std::string *>(user) += std::string(text) + "\n";
  };
  runner.options.trace_user = &lines;
  ASSERT_OK(runner.run({integer(1), floats({1, 2}, {2})}));
  EXPECT_EQ(lines,
            "call sequence_construct() -> r2: f32 sequence of 0\n"
            "call sequence_length(r2: f32 sequence of 0) -> r3: i64 []\n"
            "call optional() -> r5: none\n"
            "call kill(r7: nothing)\n"
            "call loop_test(r3: i64 [], r0: i64 [], r5: none) -> r4: i1 []\n"
            "if(r4: i1 []) -> 6\n"
            "call sequence_insert(r2: f32 sequence of 0, r1: f32 [2]) -> r2: "
            "f32 sequence of 1\n"
            "call increment(r3: i64 []) -> r3: i64 []\n"
            "goto 4\n"
            "call loop_test(r3: i64 [], r0: i64 [], r5: none) -> r4: i1 []\n"
            "if(r4: i1 []) -> 9\n"
            "call stack(r2: f32 sequence of 1) -> r6: f32 [1x2]\n"
            "return(r2: f32 sequence of 1, r6: f32 [1x2])\n");
}

TEST(BytecodeRun, RanksThatOnlyDataDecideAreChecked) {
  FunctionBuilder main("main", {sequenceType(dtype::f32), index0}, {rows});
  uint32_t element = main.add(rows);
  main.primitive(TENON_PRIMITIVE_sequence_at, {element}, {0, 1});
  main.ret({element});
  Runner runner(makeBytecode({main.function}));
  Value list = sequence(dtype::f32, {floats({1}, {1}), floats({1}, {1, 1})});
  ASSERT_OK(runner.run({list, integer(0)}));
  EXPECT_FAILS("node 'node': a tensor has 2 dimensions where 1 are expected",
               runner.run({list, integer(1)}));
}

TEST(BytecodeRun, RanksOfResultsAreChecked) {
  FunctionBuilder main("main", {tensorType(dtype::f32)}, {rows});
  main.ret({0});
  main.function.instructions[0].node = "end";
  Runner runner(makeBytecode({main.function}));
  ASSERT_OK(runner.run({floats({1}, {1})}));
  EXPECT_FAILS("node 'end': a tensor has 2 dimensions where 1 are expected",
               runner.run({floats({1}, {1, 1})}));
}

TEST(BytecodeRun, InputsAreChecked) {
  Runner runner(makeLoop());
  Value row = floats({1, 2}, {2});
  EXPECT_FAILS("'in0' is f32; the model takes i64", runner.run({row, row}));
  EXPECT_FAILS("'in0' is an empty optional; the model takes a tensor",
               runner.run({none(), row}));
  EXPECT_FAILS("1 inputs were given; the model has 2", runner.run({row}));
  EXPECT_FAILS("'in1' is null", runner.run({integer(1), Value()}));
  EXPECT_FAILS("'in0' has shape [2]; the model takes []",
               runner.run({integers({1, 2}, {2}), row}));
}

TEST(BytecodeRun, TensorsOfTheCallerAreNotSequences) {
  Runner runner(makeCall(TENON_PRIMITIVE_sequence_length,
                         {sequenceType(dtype::f32)}, {index0}));
  ASSERT_OK(
      tenon_context_create(runner.model, &runner.options, &runner.context));
  tenon_tensor tensor = {};
  EXPECT_FAILS("'in0' is a sequence: run the model with tenon_run_values",
               tenon_run(runner.context, &tensor, 1, &tensor, 1));
  tenon_tensor_info info = TENON_INIT(tenon_tensor_info);
  ASSERT_OK(tenon_model_input(runner.model, 0, &info));
  EXPECT_EQ(info.kind, TENON_VALUE_SEQUENCE);
  EXPECT_EQ(info.rank, -1);
  tenon_entry_info entry = TENON_INIT(tenon_entry_info);
  ASSERT_OK(tenon_model_entry(runner.model, 0, &entry));
  EXPECT_TRUE(entry.has_bytecode);
}

TEST(BytecodeRun, OutputsOutliveTheirContext) {
  Value list;
  {
    FunctionBuilder main("main", {rows}, {sequenceType(dtype::f32)});
    uint32_t made = main.add(sequenceType(dtype::f32));
    main.primitive(TENON_PRIMITIVE_sequence_construct, {made}, {0, 0}, {2, 32});
    main.ret({made});
    tenon_model *model = nullptr;
    TemporaryFile file;
    ASSERT_OK(writeArtifact(makeBytecode({main.function}), file.path));
    ASSERT_OK(tenon_model_load_file(file.path.c_str(), nullptr, &model));
    tenon_context *context = nullptr;
    ASSERT_OK(tenon_context_create(model, nullptr, &context));
    Value input = floats({1, 2, 3}, {3});
    tenon_value *given = input.get(), *made0 = nullptr;
    ASSERT_OK(tenon_run_values(context, &given, 1, &made0, 1));
    list = Value(made0);
    tenon_context_destroy(context);
    tenon_model_destroy(model);
  }
  EXPECT_EQ(list.element(1).data<float>(), (std::vector<float>{1, 2, 3}));
}
