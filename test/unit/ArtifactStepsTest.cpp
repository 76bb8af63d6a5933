//===- ArtifactStepsTest.cpp - launches in steps --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file runs a launch each of whose steps needs all of the one before.
//===----------------------------------------------------------------------===//
// LINK: TenonArtifact tenon_runtime NO_PCH
#include "test/unit/ArtifactTestModel.h"
extern "C" {
#include "runtime/src/base/Pool.h"
}
#include <set>
#include <thread>

using namespace tenon::artifact;
using namespace tenon::test;

namespace {

constexpr int64_t width = 100, steps = elements / width - 1;

/// The first row of y is x + w; each further one adds w to the one before.
ArtifactDesc makeSteps() {
  ArtifactDesc desc = makeDesc();
  constexpr int64_t row = width * sizeof(float);
  BufferRef x{Space::Input, 0, 0, row}, w{Space::Weights, 0, 0, bytes};
  BufferRef first{Space::Output, 0, 0, row};
  BufferRef before{Space::Output, 0, 0, bytes - row};
  BufferRef after{Space::Output, 0, row, bytes - row};
  desc.variants[0].plan = {};
  desc.variants[0].launches[0].tiles = desc.variants[0].launches[1].tiles =
      width;
  desc.variants[0].launches[0].refs = {x, w, first};
  desc.variants[0].launches[1].refs = {before, w, after};
  desc.variants[0].launches[1].steps = steps;
  return desc;
}

/// Runs with some number of threads, or on an executor's.
class ArtifactSteps : public testing::Test {
protected:
  void SetUp() override {
#if !defined(__x86_64__)
    GTEST_SKIP() << "the test's kernel is x86-64 code";
#endif
    ASSERT_OK(writeArtifact(makeSteps(), file.path));
    ASSERT_OK(tenon_model_load_file(file.path.c_str(), nullptr, &model));
    ASSERT_OK(tenon_model_input(model, 0, &input));
    ASSERT_OK(tenon_model_output(model, 0, &output));
  }

  void TearDown() override { tenon_model_destroy(model); }

  void runAndCheck(const tenon_context_options &options, int64_t tiles = 0) {
    tenon_context *context = nullptr;
    ASSERT_OK(tenon_context_create(model, &options, &context));
    for (int run = 0; run < 50; ++run) {
      std::vector<float> x(elements, float(run)), y(elements, -1);
      tenon_tensor in = tenon_tensor_over(&input, x.data());
      tenon_tensor out = tenon_tensor_over(&output, y.data());
      ASSERT_OK(tenon_run(context, &in, 1, &out, 1));
      for (int64_t i = 0; i < width; ++i)
        ASSERT_EQ(y[i], x[i] + weightAt(i));
      for (int64_t i = width; i < elements; ++i)
        ASSERT_EQ(y[i], y[i - width] + weightAt(i - width));
    }
    if (tiles) {
      tenon_profile_entry entry = TENON_INIT(tenon_profile_entry);
      ASSERT_OK(tenon_profile_get(context, 1, &entry));
      EXPECT_EQ(entry.tiles, tiles);
      EXPECT_EQ(entry.calls, 50);
    }
    tenon_context_destroy(context);
  }

  TemporaryFile file;
  tenon_model *model = nullptr;
  tenon_tensor_info input = TENON_INIT(tenon_tensor_info);
  tenon_tensor_info output = TENON_INIT(tenon_tensor_info);
};

} // namespace

TEST_F(ArtifactSteps, WaitForEachOther) {
  for (int threads : {1, 2, 3, 8}) {
    tenon_context_options options = TENON_INIT(tenon_context_options);
    options.threads = threads;
    runAndCheck(options);
  }
}

TEST_F(ArtifactSteps, RunOnTheCallersExecutor) {
  tenon_context_options options = TENON_INIT(tenon_context_options);
  options.executor.concurrency = 2;
  options.executor.parallel_for =
      [](void *, int64_t count, void (*body)(void *, int64_t), void *argument) {
        std::thread other([=] {
          for (int64_t i = 1; i < count; i += 2)
            body(argument, i);
        });
        for (int64_t i = 0; i < count; i += 2)
          body(argument, i);
        other.join();
      };
  runAndCheck(options);
}

/// As many to any neighbouring chunks as can be.
TEST(Chunks, AreEvenForEveryThread) {
  for (int64_t tiles : {1, 7, 10, 27, 1000})
    for (int64_t chunks : {1, 2, 3, 8, 32}) {
      int64_t before = 0, begin = 0, end = 0;
      for (int64_t i = 0; i < chunks; ++i, before = end) {
        tenonChunk(tiles, chunks, i, &begin, &end);
        ASSERT_EQ(begin, before);
        ASSERT_EQ(end, tiles * (i + 1) / chunks);
      }
      ASSERT_EQ(end, tiles);
    }
  int64_t begin = 0, end = 0;
  tenonChunk(INT64_MAX, 32, 31, &begin, &end);
  EXPECT_EQ(end, INT64_MAX);
}

/// The numbers of chunks that an executor of four threads is asked for.
static std::set<int64_t> chunksOf(tenon_model *model) {
  static std::set<int64_t> counts;
  counts.clear();
  tenon_context_options options = TENON_INIT(tenon_context_options);
  options.executor.concurrency = 4;
  options.executor.parallel_for =
      [](void *, int64_t count, void (*body)(void *, int64_t), void *argument) {
        counts.insert(count);
        for (int64_t i = 0; i < count; ++i)
          body(argument, i);
      };
  tenon_context *context = nullptr;
  EXPECT_OK(tenon_context_create(model, &options, &context));
  std::vector<float> x(elements), y(elements);
  tenon_tensor_info input = TENON_INIT(tenon_tensor_info), output = input;
  EXPECT_OK(tenon_model_input(model, 0, &input));
  EXPECT_OK(tenon_model_output(model, 0, &output));
  tenon_tensor in = tenon_tensor_over(&input, x.data());
  tenon_tensor out = tenon_tensor_over(&output, y.data());
  EXPECT_OK(tenon_run(context, &in, 1, &out, 1));
  tenon_context_destroy(context);
  return counts;
}

TEST_F(ArtifactSteps, ComeInOneCallOfEachThreadIfTheKernelWantsThat) {
  EXPECT_EQ(chunksOf(model), std::set<int64_t>{16});
  ArtifactDesc desc = makeSteps();
  desc.variants[0].kernels[0].oneCall = true;
  TemporaryFile other;
  ASSERT_OK(writeArtifact(desc, other.path));
  tenon_model *wholes = nullptr;
  ASSERT_OK(tenon_model_load_file(other.path.c_str(), nullptr, &wholes));
  EXPECT_EQ(chunksOf(wholes), std::set<int64_t>{4});
  tenon_model_destroy(wholes);
}

TEST_F(ArtifactSteps, AreOneLaunchOfAProfile) {
  tenon_context_options options = TENON_INIT(tenon_context_options);
  options.profile = true;
  runAndCheck(options, width * steps);
}
