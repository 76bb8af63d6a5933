//===- ArtifactRunTest.cpp - running artifacts ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file runs a hand-made model in all ways that the run time offers.
//===----------------------------------------------------------------------===//
// LINK: TenonArtifact tenon_runtime NO_PCH
#include "test/unit/ArtifactTestModel.h"
#include "llvm/Support/MemoryBuffer.h"
#include <atomic>
#include <pthread.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace tenon::test;

namespace {

/// A loaded model with its tensors.
class ArtifactRun : public testing::Test {
protected:
  void SetUp() override {
#if !defined(__x86_64__)
    GTEST_SKIP() << "the test's kernel is x86-64 code";
#endif
    ASSERT_OK(tenon::artifact::writeArtifact(makeDesc(), file.path));
    ASSERT_OK(tenon_model_load_file(file.path.c_str(), nullptr, &model));
    input = TENON_INIT(tenon_tensor_info);
    output = TENON_INIT(tenon_tensor_info);
    ASSERT_OK(tenon_model_input(model, 0, &input));
    ASSERT_OK(tenon_model_output(model, 0, &output));
    for (int64_t i = 0; i < elements; ++i)
      x[i] = i;
  }

  void TearDown() override { tenon_model_destroy(model); }

  /// Runs once and checks the result.
  void runAndCheck(tenon_context *context) {
    std::vector<float> y(elements, -1);
    tenon_tensor in = tenon_tensor_over(&input, x.data());
    tenon_tensor out = tenon_tensor_over(&output, y.data());
    ASSERT_OK(tenon_run(context, &in, 1, &out, 1));
    for (int64_t i = 0; i < elements; ++i)
      ASSERT_EQ(y[i], x[i] + weightAt(i) + x[i]);
  }

  TemporaryFile file;
  tenon_model *model = nullptr;
  tenon_tensor_info input, output;
  std::vector<float> x = std::vector<float>(elements);
};

} // namespace

TEST_F(ArtifactRun, TellsItsSignature) {
  EXPECT_EQ(tenon_model_input_count(model), 1u);
  EXPECT_EQ(tenon_model_output_count(model), 1u);
  EXPECT_STREQ(input.name, "x");
  EXPECT_STREQ(output.name, "y");
  EXPECT_EQ(input.rank, 2);
  EXPECT_EQ(input.shape[1], 100);
  EXPECT_EQ(input.dtype.code, TENON_FLOAT);
  EXPECT_EQ(input.byte_size, bytes);
  tenon_model_info info = TENON_INIT(tenon_model_info);
  ASSERT_OK(tenon_model_query(model, &info));
  EXPECT_STREQ(info.name, "test");
  EXPECT_STREQ(info.target_cpu, "x86-64");
  EXPECT_EQ(info.arena_bytes, bytes);
  EXPECT_EQ(info.arena_alignment, 64u);
  EXPECT_EQ(info.weights_bytes, bytes);
  EXPECT_EQ(info.launch_count, 2u);
  EXPECT_EQ(info.vector_bits, 128);
}

TEST_F(ArtifactRun, WritesNoMoreThanTheCallersStruct) {
  struct {
    tenon_tensor_info info;
  } old = {TENON_INIT(tenon_tensor_info)};
  old.info.struct_size = offsetof(tenon_tensor_info, rank);
  old.info.rank = 77;
  ASSERT_OK(tenon_model_input(model, 0, &old.info));
  EXPECT_EQ(old.info.rank, 77);
  EXPECT_STREQ(old.info.name, "x");
  old.info.struct_size = 0;
  EXPECT_FAILS("struct_size is not set (use TENON_INIT)",
               tenon_model_input(model, 0, &old.info));
  EXPECT_FAILS("a null pointer to fill", tenon_model_input(model, 0, nullptr));
}

TEST_F(ArtifactRun, GivesTheSameWithAnyThreads) {
  for (int threads : {0, 1, 2, 3, 8}) {
    tenon_context_options options = TENON_INIT(tenon_context_options);
    options.threads = threads;
    tenon_context *context = nullptr;
    ASSERT_OK(tenon_context_create(model, &options, &context));
    if (threads)
      EXPECT_EQ(tenon_context_threads(context), threads);
    for (int run = 0; run < 200; ++run)
      runAndCheck(context);
    tenon_context_destroy(context);
  }
}

TEST_F(ArtifactRun, WakesParkedThreads) {
  tenon_context_options options = TENON_INIT(tenon_context_options);
  options.threads = 3;
  tenon_context *context = nullptr;
  ASSERT_OK(tenon_context_create(model, &options, &context));
  for (int run = 0; run < 20; ++run) {
    std::this_thread::sleep_for(std::chrono::microseconds(run * 40));
    runAndCheck(context);
  }
  tenon_context_destroy(context);
}

TEST_F(ArtifactRun, ContextsRunConcurrently) {
  std::vector<std::thread> threads;
  for (int number = 0; number < 2; ++number)
    threads.emplace_back([&, number] {
      tenon_context_options options = TENON_INIT(tenon_context_options);
      options.threads = number + 1;
      tenon_context *context = nullptr;
      ASSERT_OK(tenon_context_create(model, &options, &context));
      for (int run = 0; run < 300; ++run)
        runAndCheck(context);
      tenon_context_destroy(context);
    });
  for (std::thread &thread : threads)
    thread.join();
}

TEST_F(ArtifactRun, OneContextServesOneThread) {
  // The executor runs a second run on the same context, which must be refused.
  struct State {
    tenon_context *context;
    tenon_tensor in, out;
    std::string message;
  } state = {};
  std::vector<float> y(elements);
  state.in = tenon_tensor_over(&input, x.data());
  state.out = tenon_tensor_over(&output, y.data());
  tenon_context_options options = TENON_INIT(tenon_context_options);
  options.executor.user = &state;
  options.executor.concurrency = 2;
  options.executor.parallel_for = [](void *user, int64_t count,
                                     void (*body)(void *, int64_t),
                                     void *argument) {
    auto *state = static_cast<State *>(user);
    state->message =
        messageOf(tenon_run(state->context, &state->in, 1, &state->out, 1));
    for (int64_t i = 0; i < count; ++i)
      body(argument, i);
  };
  ASSERT_OK(tenon_context_create(model, &options, &state.context));
  ASSERT_OK(tenon_run(state.context, &state.in, 1, &state.out, 1));
  EXPECT_EQ(y[10], 25);
  EXPECT_PRED_FORMAT2(testing::IsSubstring,
                      "the context is running in another thread; use one "
                      "context per thread, and tenon_wait after "
                      "tenon_run_async",
                      state.message);
  tenon_context_destroy(state.context);
}

TEST_F(ArtifactRun, AThreadThatDoesNotStartIsAnError) {
  // Stacks larger than the address space make pthread_create fail.
  pthread_attr_t before, huge;
  ASSERT_EQ(pthread_getattr_default_np(&before), 0);
  pthread_attr_init(&huge);
  ASSERT_EQ(pthread_attr_setstacksize(&huge, size_t(1) << 48), 0);
  ASSERT_EQ(pthread_setattr_default_np(&huge), 0);
  tenon_context_options options = TENON_INIT(tenon_context_options);
  options.threads = 3;
  tenon_context *context = nullptr;
  EXPECT_FAILS("cannot start thread 1",
               tenon_context_create(model, &options, &context));
  EXPECT_EQ(context, nullptr);
  pthread_setattr_default_np(&before);
  pthread_attr_destroy(&huge);
}

TEST_F(ArtifactRun, UsesTheCallersExecutor) {
  std::atomic<int64_t> calls = 0;
  tenon_context_options options = TENON_INIT(tenon_context_options);
  options.executor.user = &calls;
  options.executor.concurrency = 2;
  options.executor.parallel_for = [](void *user, int64_t count,
                                     void (*body)(void *, int64_t),
                                     void *argument) {
    *static_cast<std::atomic<int64_t> *>(user) += count;
    std::thread other([=] {
      for (int64_t i = 1; i < count; i += 2)
        body(argument, i);
    });
    for (int64_t i = 0; i < count; i += 2)
      body(argument, i);
    other.join();
  };
  tenon_context *context = nullptr;
  ASSERT_OK(tenon_context_create(model, &options, &context));
  EXPECT_EQ(tenon_context_threads(context), 2);
  runAndCheck(context);
  EXPECT_EQ(calls, 16);
  tenon_context_destroy(context);
}

namespace {
/// Counts what is taken and given back; refuses after `budget` calls.
struct CountingAllocator {
  int live = 0, calls = 0, budget = 1000;

  tenon_allocator get() {
    tenon_allocator allocator;
    allocator.user = this;
    allocator.allocate = [](void *user, size_t size, size_t alignment) {
      auto *self = static_cast<CountingAllocator *>(user);
      if (self->calls++ >= self->budget)
        return static_cast<void *>(nullptr);
      ++self->live;
      return std::aligned_alloc(alignment,
                                (size + alignment - 1) / alignment * alignment);
    };
    allocator.release = [](void *user, void *pointer) {
      --static_cast<CountingAllocator *>(user)->live;
      std::free(pointer);
    };
    return allocator;
  }
};
} // namespace

TEST_F(ArtifactRun, TakesAllMemoryFromTheCallersAllocator) {
  CountingAllocator counting;
  tenon_context_options options = TENON_INIT(tenon_context_options);
  options.threads = 2;
  options.profile = true;
  options.allocator = counting.get();
  tenon_context *context = nullptr;
  ASSERT_OK(tenon_context_create(model, &options, &context));
  int taken = counting.calls;
  EXPECT_GE(taken, 6);
  for (int run = 0; run < 3; ++run)
    runAndCheck(context);
  EXPECT_EQ(counting.calls, taken) << "a run allocates";
  tenon_context_destroy(context);
  EXPECT_EQ(counting.live, 0);

  for (int budget = 0; budget < taken; ++budget) {
    CountingAllocator poor;
    poor.budget = budget;
    options.allocator = poor.get();
    context = nullptr;
    EXPECT_FAILS("no memory for",
                 tenon_context_create(model, &options, &context));
    EXPECT_EQ(context, nullptr);
    EXPECT_EQ(poor.live, 0);
  }
  options.allocator.release = nullptr;
  EXPECT_FAILS("an allocator needs both of its functions",
               tenon_context_create(model, &options, &context));
}

TEST_F(ArtifactRun, UsesTheCallersArena) {
  std::vector<uint8_t> memory(bytes + 128);
  auto address = reinterpret_cast<uintptr_t>(memory.data());
  auto *arena = memory.data() + (64 - address % 64) % 64;
  tenon_context_options options = TENON_INIT(tenon_context_options);
  options.arena = arena;
  options.arena_size = bytes;
  tenon_context *context = nullptr;
  ASSERT_OK(tenon_context_create(model, &options, &context));
  runAndCheck(context);
  float first;
  memcpy(&first, arena + 4, sizeof first);
  EXPECT_EQ(first, 1.5f);
  tenon_context_destroy(context);
  options.arena_size = bytes - 1;
  EXPECT_FAILS("the arena has 3999 bytes; the model needs 4000",
               tenon_context_create(model, &options, &context));
  options.arena_size = bytes;
  options.arena = arena + 1;
  EXPECT_FAILS("the arena is not aligned to 64 bytes",
               tenon_context_create(model, &options, &context));
}

TEST_F(ArtifactRun, CountsLaunches) {
  tenon_context_options options = TENON_INIT(tenon_context_options);
  options.profile = true;
  tenon_context *context = nullptr;
  ASSERT_OK(tenon_context_create(model, &options, &context));
  runAndCheck(context);
  runAndCheck(context);
  ASSERT_EQ(tenon_profile_count(context), 2u);
  tenon_profile_entry entry = TENON_INIT(tenon_profile_entry);
  ASSERT_OK(tenon_profile_get(context, 1, &entry));
  EXPECT_STREQ(entry.kernel, "add");
  ASSERT_EQ(entry.node_count, 2u);
  EXPECT_STREQ(entry.nodes[1], "third");
  EXPECT_EQ(entry.calls, 2);
  EXPECT_GT(entry.nanoseconds, 0);
  EXPECT_EQ(entry.tiles, elements);
  EXPECT_GT(entry.last_nanoseconds, 0);
  EXPECT_LT(entry.last_nanoseconds, entry.nanoseconds);
  tenon_profile_entry first = TENON_INIT(tenon_profile_entry);
  ASSERT_OK(tenon_profile_get(context, 0, &first));
  EXPECT_GT(first.last_begin, 0);
  EXPECT_GE(entry.last_begin, first.last_begin + first.last_nanoseconds);
  entry.struct_size = offsetof(tenon_profile_entry, last_begin);
  entry.last_begin = -1;
  ASSERT_OK(tenon_profile_get(context, 1, &entry));
  EXPECT_EQ(entry.last_begin, -1) << "beyond the caller's struct";
  EXPECT_FAILS("there is no profile of launch 2",
               tenon_profile_get(context, 2, &entry));
  tenon_profile_reset(context);
  ASSERT_OK(tenon_profile_get(context, 0, &entry));
  EXPECT_EQ(entry.calls, 0);
  tenon_context_destroy(context);
}

TEST_F(ArtifactRun, LoadsFromMemoryOfAnyAlignment) {
  auto buffer = llvm::MemoryBuffer::getFile(file.path);
  ASSERT_TRUE(bool(buffer));
  for (size_t shift : {0, 1, 64}) {
    std::vector<char> copy(shift + (*buffer)->getBufferSize());
    memcpy(copy.data() + shift, (*buffer)->getBufferStart(),
           (*buffer)->getBufferSize());
    tenon_model *other = nullptr;
    ASSERT_OK(tenon_model_load_memory(copy.data() + shift, copy.size() - shift,
                                      nullptr, &other));
    tenon_context *context = nullptr;
    ASSERT_OK(tenon_context_create(other, nullptr, &context));
    runAndCheck(context);
    tenon_context_destroy(context);
    tenon_model_destroy(other);
  }
}

TEST_F(ArtifactRun, ASystemWithoutExecutableMemoryIsAnError) {
#ifndef PR_SET_MDWE
#define PR_SET_MDWE 65
#endif
  auto buffer = llvm::MemoryBuffer::getFile(file.path);
  ASSERT_TRUE(bool(buffer));
  // In a child, which cannot take the refusal back.
  auto loadUnderRefusal = [&] {
    if (prctl(PR_SET_MDWE, 1, 0, 0, 0) != 0)
      _exit(77);
    tenon_model *other = nullptr;
    std::string message = messageOf(
        tenon_model_load_memory((*buffer)->getBufferStart(),
                                (*buffer)->getBufferSize(), nullptr, &other));
    bool good = message.find("the system refuses executable memory") == 0;
    _exit(good && !other ? 0 : 1);
  };
  EXPECT_EXIT(
      loadUnderRefusal(),
      [](int status) {
        return WIFEXITED(status) &&
               (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 77);
      },
      "");
}

static void linkedAdd(const tenon_call *call) {
  auto *const *b = reinterpret_cast<float *const *>(call->buffers);
  for (int64_t i = call->begin; i < call->end; ++i)
    b[2][i] = b[0][i] + b[1][i];
}

TEST_F(ArtifactRun, RunsALinkedModel) {
  std::string weights;
  llvm::raw_string_ostream os(weights);
  auto parts = tenon::artifact::writeStaticParts(makeDesc(), "net", os);
  ASSERT_TRUE(bool(parts));
  tenon_kernel_fn kernels[] = {linkedAdd};
  tenon_static_model source = {sizeof(tenon_static_model),
                               parts->meta.data(),
                               parts->meta.size(),
                               weights.data(),
                               weights.size(),
                               kernels,
                               1};
  tenon_model *linked = nullptr;
  ASSERT_OK(tenon_model_load_static(&source, &linked));
  tenon_context *context = nullptr;
  ASSERT_OK(tenon_context_create(linked, nullptr, &context));
  runAndCheck(context);
  tenon_context_destroy(context);
  tenon_model_destroy(linked);

  source.kernel_count = 0;
  EXPECT_FAILS("the linked model has 0 kernels instead of 1",
               tenon_model_load_static(&source, &linked));
  source.kernel_count = 1;
  source.weights_size = 12;
  EXPECT_FAILS("the linked weights have 12 bytes instead of 4000",
               tenon_model_load_static(&source, &linked));
  source.weights_size = weights.size();
  source.weights = nullptr;
  EXPECT_FAILS("the linked weights are null",
               tenon_model_load_static(&source, &linked));
  source.weights = weights.data();
  weights[17] ^= 1;
  EXPECT_FAILS("the weights section is damaged",
               tenon_model_load_static(&source, &linked));
  source.struct_size = 8;
  EXPECT_FAILS("the linked model was made by another version",
               tenon_model_load_static(&source, &linked));
  EXPECT_FAILS("this is the metadata of a linked model, not an artifact",
               tenon_model_load_memory(parts->meta.data(), parts->meta.size(),
                                       nullptr, &linked));
}

TEST_F(ArtifactRun, LinkedMetadataMustBeOfALinkedModel) {
  auto buffer = llvm::MemoryBuffer::getFile(file.path);
  ASSERT_TRUE(bool(buffer));
  tenon_static_model source = {sizeof(tenon_static_model),
                               (*buffer)->getBufferStart(),
                               (*buffer)->getBufferSize(),
                               nullptr,
                               0,
                               nullptr,
                               0};
  tenon_model *linked = nullptr;
  EXPECT_FAILS("the linked model's metadata is not that of a linked model",
               tenon_model_load_static(&source, &linked));
}

TEST_F(ArtifactRun, RefusesWrongTensors) {
  tenon_context *context = nullptr;
  ASSERT_OK(tenon_context_create(model, nullptr, &context));
  std::vector<float> y(elements, -1);
  const tenon_tensor goodIn = tenon_tensor_over(&input, x.data());
  const tenon_tensor goodOut = tenon_tensor_over(&output, y.data());
  tenon_tensor in = goodIn, out = goodOut;
  auto run = [&] { return tenon_run(context, &in, 1, &out, 1); };

  EXPECT_FAILS("0 inputs were given; the model has 1",
               tenon_run(context, &in, 0, &out, 1));
  EXPECT_FAILS("2 outputs were given; the model has 1",
               tenon_run(context, &in, 1, &out, 2));
  EXPECT_FAILS("the inputs are null", tenon_run(context, nullptr, 1, &out, 1));
  in.dtype = {TENON_INT, 64, 1};
  EXPECT_FAILS("'x' has element type int64; the model takes float32", run());
  in = goodIn;
  int64_t shape[] = {100, 10}, strides[] = {1, 10};
  in.shape = shape;
  EXPECT_FAILS("'x' has shape [100x10]; the model takes [10x100]", run());
  in = goodIn;
  in.ndim = 1;
  tenon_status *status = run();
  EXPECT_EQ(tenon_status_code_of(status), TENON_TENSOR_MISMATCH);
  EXPECT_STREQ(tenon_status_node(status), "x");
  tenon_status_destroy(status);
  in = goodIn;
  in.shape = nullptr;
  EXPECT_FAILS("'x' has no shape", run());
  in = goodIn;
  in.strides = strides;
  EXPECT_FAILS("'x' is not contiguous in row-major order", run());
  in = goodIn;
  in.device.device_type = 2;
  EXPECT_FAILS("'x' is not in CPU memory", run());
  in = goodIn;
  out.data = nullptr;
  EXPECT_FAILS("'y' has no data", run());
  EXPECT_EQ(y, std::vector<float>(elements, -1));
  tenon_context_destroy(context);
}

TEST_F(ArtifactRun, TakesStridesAndByteOffsets) {
  tenon_context *context = nullptr;
  ASSERT_OK(tenon_context_create(model, nullptr, &context));
  std::vector<float> y(elements + 3, -1);
  tenon_tensor in = tenon_tensor_over(&input, x.data());
  tenon_tensor out = tenon_tensor_over(&output, y.data());
  int64_t strides[] = {100, 1};
  in.strides = strides;
  out.byte_offset = 3 * sizeof(float);
  ASSERT_OK(tenon_run(context, &in, 1, &out, 1));
  EXPECT_EQ(y[2], -1);
  EXPECT_EQ(y[3 + 10], 25);
  tenon_context_destroy(context);
}

TEST_F(ArtifactRun, RefusesWrongArguments) {
  tenon_context *context = nullptr;
  tenon_model *other = nullptr;
  EXPECT_FAILS("a null argument",
               tenon_context_create(nullptr, nullptr, &context));
  EXPECT_FAILS("a null argument",
               tenon_model_load_file(nullptr, nullptr, &other));
  EXPECT_FAILS("a null argument",
               tenon_model_load_memory(&other, 8, nullptr, nullptr));
  EXPECT_FAILS("a null argument", tenon_model_load_static(nullptr, &other));
  EXPECT_FAILS("a null model", tenon_model_query(nullptr, nullptr));
  EXPECT_FAILS("a null context", tenon_run(nullptr, nullptr, 0, nullptr, 0));
  EXPECT_FAILS("there is no input 1", tenon_model_input(model, 1, &input));
  EXPECT_FAILS("there is no output 7", tenon_model_output(model, 7, &output));
  tenon_context_options options = TENON_INIT(tenon_context_options);
  options.threads = -1;
  EXPECT_FAILS("-1 threads; from 0 to 1024 are possible",
               tenon_context_create(model, &options, &context));
  EXPECT_EQ(context, nullptr);
  tenon_context_destroy(nullptr);
  tenon_model_destroy(nullptr);
  tenon_status_destroy(nullptr);
}
