//===- ArtifactSymbolsTest.cpp - running programs with symbols ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file runs a hand-made model on inputs of many shapes, and counts what
// the run time takes for them.
//===----------------------------------------------------------------------===//
// LINK: TenonArtifact tenon_runtime NO_PCH
#include "test/unit/ArtifactTestSymbols.h"
#include <thread>

using namespace tenon::test;

namespace {

constexpr int64_t width = 100;

/// Counts what is taken, and has nothing larger than its limit.
struct CountingAllocator {
  tenon_allocator get() {
    tenon_allocator result = {};
    result.user = this;
    result.allocate = [](void *user, size_t size, size_t alignment) -> void * {
      auto *self = static_cast<CountingAllocator *>(user);
      if (size > self->limit)
        return nullptr;
      ++self->count;
      ++self->live;
      return aligned_alloc(alignment,
                           (size + alignment - 1) / alignment * alignment);
    };
    result.release = [](void *user, void *pointer) {
      static_cast<CountingAllocator *>(user)->live -= pointer != nullptr;
      free(pointer);
    };
    return result;
  }
  int count = 0, live = 0;
  size_t limit = SIZE_MAX;
};

/// The tensors of one run.
struct Tensors {
  explicit Tensors(int64_t batch, int64_t other)
      : batch(batch), xShape{batch, width}, zShape{other, width},
        x(batch * width), z(other * width), y(batch * width, -1) {
    for (size_t i = 0; i < x.size(); ++i)
      x[i] = i;
    for (size_t i = 0; i < z.size(); ++i)
      z[i] = 0.5f * i;
    tenon_dtype f32 = {TENON_FLOAT, 32, 1}, i64 = {TENON_INT, 64, 1};
    tenon_device cpu = {TENON_DEVICE_CPU, 0};
    inputs[0] = {x.data(), cpu, 2, f32, xShape, nullptr, 0};
    inputs[1] = {z.data(), cpu, 2, f32, zShape, nullptr, 0};
    outputs[0] = {y.data(), cpu, 2, f32, xShape, nullptr, 0};
    outputs[1] = {n, cpu, 1, i64, &nShape, nullptr, 0};
  }
  explicit Tensors(int64_t batch) : Tensors(batch, batch) {}

  tenon_status *run(tenon_context *context) {
    return tenon_run(context, inputs, 2, outputs, 2);
  }

  void check() const {
    for (size_t i = 0; i < y.size(); ++i)
      ASSERT_EQ(y[i], x[i] + z[i] + x[i]);
    ASSERT_EQ(n[0], batch);
    ASSERT_EQ(n[1], batch * width);
  }

  int64_t batch, xShape[2], zShape[2], nShape = 2, n[2] = {-1, -1};
  std::vector<float> x, z, y;
  tenon_tensor inputs[2], outputs[2];
};

class ArtifactSymbols : public testing::Test {
protected:
  void SetUp() override {
#if !defined(__x86_64__)
    GTEST_SKIP() << "the test's kernels are x86-64 code";
#endif
    load(makeSymbolic());
    options = TENON_INIT(tenon_context_options);
    options.threads = 1;
    options.allocator = allocator.get();
  }

  void TearDown() override {
    tenon_context_destroy(context);
    tenon_model_destroy(model);
    EXPECT_EQ(allocator.live, 0);
  }

  void load(const tenon::artifact::ArtifactDesc &desc) {
    tenon_model_destroy(model);
    model = nullptr;
    ASSERT_OK(tenon::artifact::writeArtifact(desc, file.path));
    ASSERT_OK(tenon_model_load_file(file.path.c_str(), nullptr, &model));
  }

  void create() { ASSERT_OK(tenon_context_create(model, &options, &context)); }

  void runAndCheck(int64_t batch) {
    Tensors tensors(batch);
    ASSERT_OK(tensors.run(context));
    tensors.check();
  }

  TemporaryFile file;
  CountingAllocator allocator;
  tenon_context_options options;
  tenon_model *model = nullptr;
  tenon_context *context = nullptr;
};

} // namespace

TEST_F(ArtifactSymbols, AreTold) {
  tenon_tensor_info info = TENON_INIT(tenon_tensor_info);
  ASSERT_OK(tenon_model_input(model, 1, &info));
  EXPECT_EQ(info.shape[0], -1);
  EXPECT_EQ(info.shape[1], width);
  EXPECT_EQ(info.byte_size, 0u);
  ASSERT_OK(tenon_model_output(model, 1, &info));
  EXPECT_EQ(info.shape[0], 2);
  EXPECT_EQ(info.byte_size, 16u);
  EXPECT_STREQ(tenon_model_dim_name(model, 0, 0, 0), "batch");
  EXPECT_STREQ(tenon_model_dim_name(model, 0, 2, 0), "batch");
  EXPECT_STREQ(tenon_model_dim_name(model, 0, 2, 1), "");
  EXPECT_STREQ(tenon_model_dim_name(model, 0, 3, 1), "");
  EXPECT_STREQ(tenon_model_dim_name(model, 0, 4, 0), "");
  EXPECT_STREQ(tenon_model_dim_name(model, 1, 0, 0), "");
  EXPECT_EQ(tenon_model_arena_bytes(model, 1), 0u);
  tenon_model_info facts = TENON_INIT(tenon_model_info);
  ASSERT_OK(tenon_model_query(model, &facts));
  EXPECT_EQ(facts.arena_bytes, 0u);
}

TEST_F(ArtifactSymbols, RunOnAnyShape) {
  for (int threads : {1, 2, 3}) {
    options.threads = threads;
    create();
    for (int64_t batch : {3, 0, 1, 512, 7, 3, 512, 0, 1})
      runAndCheck(batch);
    tenon_context_destroy(std::exchange(context, nullptr));
  }
}

TEST_F(ArtifactSymbols, RunWithAnExecutor) {
  options.executor.concurrency = 2;
  options.executor.parallel_for =
      [](void *, int64_t count, void (*body)(void *, int64_t), void *argument) {
        for (int64_t i = 0; i < count; ++i)
          body(argument, i);
      };
  create();
  for (int64_t batch : {3, 0, 100})
    runAndCheck(batch);
}

TEST_F(ArtifactSymbols, TakeNothingForShapesThatWereSeen) {
  create();
  for (int64_t batch = 1; batch <= 32; ++batch)
    runAndCheck(batch);
  int before = allocator.count;
  for (int64_t step = 0; step < 200; ++step)
    runAndCheck(1 + step * 7 % 32);
  EXPECT_EQ(allocator.count, before);
}

TEST_F(ArtifactSymbols, ReplaceTheShapeNotUsedForLongest) {
  create();
  runAndCheck(512); // the largest arena
  for (int64_t batch = 1; batch <= 31; ++batch)
    runAndCheck(batch);
  int before = allocator.count;
  for (int64_t batch = 1; batch <= 90; ++batch)
    runAndCheck(batch);
  for (int64_t batch = 90; batch >= 0; --batch)
    runAndCheck(batch);
  EXPECT_EQ(allocator.count, before);
}

TEST_F(ArtifactSymbols, GrowTheArenaGeometrically) {
  create();
  EXPECT_EQ(tenon_context_arena_bytes(context), 0u);
  runAndCheck(1);
  EXPECT_EQ(tenon_context_arena_bytes(context), 448u);
  int moves = 0;
  for (int64_t batch = 2; batch <= 512; batch += 5) {
    size_t before = tenon_context_arena_bytes(context);
    runAndCheck(batch);
    runAndCheck(batch - 1); // in the arena that moved
    moves += tenon_context_arena_bytes(context) != before;
  }
  EXPECT_GE(tenon_context_arena_bytes(context), size_t(512 * width * 4));
  EXPECT_LE(tenon_context_arena_bytes(context),
            size_t(512 * width * 4 * 3 / 2));
  EXPECT_LE(moves, 17); // 1.5^16 > 512
}

TEST_F(ArtifactSymbols, SurviveAnArenaThatCannotGrow) {
  create();
  runAndCheck(4);
  runAndCheck(100);
  allocator.limit = 150000;
  Tensors large(500);
  EXPECT_FAILS("no memory for 200000 bytes", large.run(context));
  EXPECT_EQ(large.y[0], -1);
  runAndCheck(100);
  runAndCheck(4);
  allocator.limit = 1000;
  Tensors other(5);
  EXPECT_FAILS("no memory for", other.run(context));
  runAndCheck(4);
}

TEST_F(ArtifactSymbols, UseTheCallersArena) {
  alignas(64) static uint8_t arena[100 * width * 4];
  options.arena = arena;
  options.arena_size = sizeof arena;
  create();
  EXPECT_EQ(tenon_context_arena_bytes(context), sizeof arena);
  runAndCheck(100);
  Tensors large(200);
  EXPECT_FAILS("the arena has 40000 bytes; inputs of these shapes need 80000 "
               "for 1 thread",
               large.run(context));
  EXPECT_EQ(large.y[0], -1);
  runAndCheck(50);
}

TEST_F(ArtifactSymbols, GiveScratchToThreads) {
  tenon::artifact::ArtifactDesc desc = makeSymbolic();
  desc.variants[0].launches[0].scratchBytes = 1000;
  load(desc);
  options.threads = 2;
  create();
  for (int64_t batch : {3, 512, 3, 0})
    runAndCheck(batch);
  EXPECT_EQ(tenon_context_arena_bytes(context), 512u * width * 4 + 128 + 2048);
  tenon_context_destroy(std::exchange(context, nullptr));
  alignas(64) static uint8_t arena[1024];
  options.arena = arena;
  options.arena_size = sizeof arena;
  EXPECT_FAILS("the arena has 1024 bytes; inputs of these shapes need 2176 for "
               "2 threads",
               tenon_context_create(model, &options, &context));
}

TEST_F(ArtifactSymbols, TellTheOutputsBefore) {
  create();
  Tensors tensors(5);
  tensors.inputs[0].data = tensors.inputs[1].data = nullptr;
  tenon_tensor_info info = TENON_INIT(tenon_tensor_info);
  ASSERT_OK(tenon_context_output(context, tensors.inputs, 2, 0, &info));
  EXPECT_STREQ(info.name, "y");
  EXPECT_EQ(info.rank, 2);
  EXPECT_EQ(info.shape[0], 5);
  EXPECT_EQ(info.shape[1], width);
  EXPECT_EQ(info.byte_size, 2000u);
  ASSERT_OK(tenon_context_output(context, tensors.inputs, 2, 1, &info));
  EXPECT_STREQ(info.name, "n");
  EXPECT_EQ(info.byte_size, 16u);
  EXPECT_EQ(tenon_context_arena_bytes(context), 0u); // not for a question
  EXPECT_FAILS("there is no output 2",
               tenon_context_output(context, tensors.inputs, 2, 2, &info));
  EXPECT_FAILS("1 inputs were given; the model has 2",
               tenon_context_output(context, tensors.inputs, 1, 0, &info));
  EXPECT_FAILS("a null context",
               tenon_context_output(nullptr, tensors.inputs, 2, 0, &info));
  EXPECT_FAILS("'x' has no data", tensors.run(context));
  Tensors wrong(5, 6);
  EXPECT_FAILS("must be equal to 5",
               tenon_context_output(context, wrong.inputs, 2, 0, &info));
  runAndCheck(5);
}

TEST_F(ArtifactSymbols, CheckInputsBeforeAnythingRuns) {
  create();
  Tensors other(5, 6);
  EXPECT_FAILS("'z': dimension 0 (batch) is 6, but must be equal to 5 "
               "(dimension 0 of 'x') (node 'plus')",
               other.run(context));
  Tensors large(513);
  tenon_status *status = large.run(context);
  EXPECT_EQ(tenon_status_code_of(status), TENON_TENSOR_MISMATCH);
  EXPECT_STREQ(tenon_status_node(status), "x");
  EXPECT_FAILS("'x': dimension 0 (batch) is 513, but must be at most 512",
               status);
  for (float value : large.y)
    ASSERT_EQ(value, -1);
  Tensors narrow(2);
  narrow.inputs[0].shape[1] = 99;
  EXPECT_FAILS("'x' has shape [2x99]; the model takes [batch, 100]",
               narrow.run(context));
  Tensors negative(2);
  negative.inputs[0].shape[0] = -2;
  EXPECT_FAILS("'x' has shape [-2x100]; the model takes [batch, 100]",
               negative.run(context));
  Tensors flat(2);
  flat.inputs[1].ndim = 1;
  EXPECT_FAILS("'z' has shape [2]; the model takes [batch, 100]",
               flat.run(context));
  Tensors output(2);
  int64_t shape[] = {3, width};
  output.outputs[0].shape = shape;
  EXPECT_FAILS("'y' has shape [3x100]; the model takes [2x100]",
               output.run(context));
  Tensors none(2);
  none.outputs[0].data = nullptr;
  EXPECT_FAILS("'y' has no data", none.run(context));
  runAndCheck(2);
}

TEST_F(ArtifactSymbols, RefuseAWrongShapeEachTime) {
  create();
  for (int64_t batch = 1; batch <= 32; ++batch) // it takes the place of one
    runAndCheck(batch);
  for (int time = 0; time < 2; ++time) {
    Tensors other(5, 6);
    EXPECT_FAILS("'z': dimension 0 (batch) is 6, but must be equal to 5 "
                 "(dimension 0 of 'x') (node 'plus')",
                 other.run(context));
  }
  runAndCheck(5);
}

TEST_F(ArtifactSymbols, ContextsRunConcurrently) {
  std::vector<std::thread> threads;
  for (int64_t number = 0; number < 3; ++number)
    threads.emplace_back([&, number] {
      tenon_context_options own = TENON_INIT(tenon_context_options);
      own.threads = 1 + number % 2;
      tenon_context *context = nullptr;
      ASSERT_OK(tenon_context_create(model, &own, &context));
      for (int64_t run = 0; run < 200; ++run) {
        Tensors tensors((run * (number + 3)) % 50);
        ASSERT_OK(tensors.run(context));
        tensors.check();
      }
      tenon_context_destroy(context);
    });
  for (std::thread &thread : threads)
    thread.join();
}

TEST_F(ArtifactSymbols, ProfilesTellTheTilesOfTheLatestShape) {
  options.profile = true;
  create();
  tenon_profile_entry entry = TENON_INIT(tenon_profile_entry);
  ASSERT_OK(tenon_profile_get(context, 0, &entry));
  EXPECT_EQ(entry.tiles, 0);
  runAndCheck(3);
  ASSERT_OK(tenon_profile_get(context, 0, &entry));
  EXPECT_EQ(entry.tiles, 300);
  runAndCheck(7);
  ASSERT_OK(tenon_profile_get(context, 1, &entry));
  EXPECT_EQ(entry.tiles, 700);
  EXPECT_EQ(entry.calls, 2);
}
