//===- ArtifactScratchTest.cpp - scratch of the thread that runs ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file runs kernels that fill their scratch, let other threads run, and
// look whether it is still theirs.
//===----------------------------------------------------------------------===//
// LINK: TenonArtifact tenon_runtime NO_PCH
#include "test/unit/ArtifactTestModel.h"
#include <atomic>
#include <chrono>
#include <sched.h>
#include <set>
#include <thread>

using namespace tenon::artifact;
using namespace tenon::test;

namespace {

constexpr int64_t scratchBytes = 1000;

std::atomic<int64_t> overwritten;
/// What the calls of a run had: each notes it under the number of its tile.
void *scratchOf[elements];

void check(const tenon_call *call) {
  auto *scratch = static_cast<uint8_t *>(call->scratch);
  memset(scratch, int(call->begin), scratchBytes);
  sched_yield();
  for (int64_t i = 0; i < scratchBytes; ++i)
    overwritten += scratch[i] != uint8_t(call->begin);
}

/// y = x + w
void add(const tenon_call *call) {
  auto *const *b = reinterpret_cast<float *const *>(call->buffers);
  for (int64_t i = call->begin; i < call->end; ++i) {
    scratchOf[i] = call->scratch;
    b[2][i] = b[0][i] + b[1][i];
  }
}

void addWithScratch(const tenon_call *call) {
  if (call->scratch)
    check(call);
  add(call);
}

/// The hand-made model linked to that kernel.
class ArtifactScratch : public testing::Test {
protected:
  void SetUp() override { load(makeScratchDesc()); }
  void TearDown() override { tenon_model_destroy(model); }

  static ArtifactDesc makeScratchDesc() {
    ArtifactDesc desc = makeDesc();
    desc.variants[0].launches[1].scratchBytes = scratchBytes;
    desc.variants[0].launches.erase(desc.variants[0].launches.begin());
    desc.variants[0].launches[0].refs = {{Space::Input, 0, 0, bytes},
                                         {Space::Weights, 0, 0, bytes},
                                         {Space::Output, 0, 0, bytes}};
    return desc;
  }

  void load(const ArtifactDesc &desc) {
    weights.clear();
    llvm::raw_string_ostream os(weights);
    auto made = writeStaticParts(desc, "net", os);
    ASSERT_TRUE(bool(made));
    meta = std::move(made->meta);
    source = {sizeof(tenon_static_model),
              meta.data(),
              meta.size(),
              weights.data(),
              weights.size(),
              kernels,
              1};
    ASSERT_OK(tenon_model_load_static(&source, &model));
  }

  tenon_status *run(const tenon_context_options &options) {
    tenon_context *context = nullptr;
    if (tenon_status *status = tenon_context_create(model, &options, &context))
      return status;
    std::vector<float> x(elements, 1), y(elements, -1);
    tenon_tensor_info info = TENON_INIT(tenon_tensor_info);
    EXPECT_OK(tenon_model_input(model, 0, &info));
    tenon_tensor in = tenon_tensor_over(&info, x.data());
    EXPECT_OK(tenon_model_output(model, 0, &info));
    tenon_tensor out = tenon_tensor_over(&info, y.data());
    tenon_status *status = nullptr;
    for (int round = 0; round < 20 && !status; ++round)
      status = tenon_run(context, &in, 1, &out, 1);
    for (int64_t i = 0; i < elements && !status; ++i)
      EXPECT_EQ(y[i], 1 + weightAt(i));
    tenon_context_destroy(context);
    return status;
  }

  tenon_kernel_fn kernels[1] = {addWithScratch};
  std::string weights, meta;
  tenon_static_model source;
  tenon_model *model = nullptr;
};

/// Runs all calls at once, each in a thread of its own.
void runAllAtOnce(void *, int64_t count, void (*body)(void *, int64_t),
                  void *argument) {
  std::vector<std::thread> threads;
  for (int64_t i = 0; i < count; ++i)
    threads.emplace_back(body, argument, i);
  for (std::thread &thread : threads)
    thread.join();
}

} // namespace

TEST_F(ArtifactScratch, BelongsToOneThreadAtATime) {
  for (int threads : {1, 2, 16}) {
    tenon_context_options options = TENON_INIT(tenon_context_options);
    options.threads = threads;
    overwritten = 0;
    ASSERT_OK(run(options));
    EXPECT_EQ(overwritten, 0) << threads << " threads";
    std::set<void *> places(std::begin(scratchOf), std::end(scratchOf));
    EXPECT_LE(places.size(), size_t(threads));
    for (void *place : places)
      EXPECT_EQ(uintptr_t(place) % 64, 0u);
  }
}

namespace {

std::atomic<int64_t> begun, missed;

/// Waits until as many calls have begun as there are tiles, ten seconds at
/// most.
void meet(const tenon_call *call) {
  add(call);
  begun += call->end - call->begin;
  auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (begun < 16 && std::chrono::steady_clock::now() < deadline)
    sched_yield();
  missed += begun < 16;
}

} // namespace

TEST_F(ArtifactScratch, AllOf16ThreadsHaveTiles) {
  TearDown();
  kernels[0] = meet;
  ArtifactDesc desc = makeScratchDesc();
  desc.variants[0].launches[0].tiles = 16;
  load(desc);
  tenon_context_options options = TENON_INIT(tenon_context_options);
  options.threads = 16;
  tenon_context *context = nullptr;
  ASSERT_OK(tenon_context_create(model, &options, &context));
  std::vector<float> x(elements, 1), y(elements);
  tenon_tensor_info info = TENON_INIT(tenon_tensor_info);
  ASSERT_OK(tenon_model_input(model, 0, &info));
  tenon_tensor in = tenon_tensor_over(&info, x.data());
  ASSERT_OK(tenon_model_output(model, 0, &info));
  tenon_tensor out = tenon_tensor_over(&info, y.data());
  for (int round = 0; round < 5; ++round) {
    begun = missed = 0;
    ASSERT_OK(tenon_run(context, &in, 1, &out, 1));
    EXPECT_EQ(missed, 0);
    std::set<void *> places(scratchOf, scratchOf + 16);
    EXPECT_EQ(places.size(), 16u);
  }
  tenon_context_destroy(context);
}

TEST_F(ArtifactScratch, BelongsToACallOfAnExecutor) {
  tenon_context_options options = TENON_INIT(tenon_context_options);
  options.executor = {runAllAtOnce, nullptr, 7};
  overwritten = 0;
  ASSERT_OK(run(options));
  EXPECT_EQ(overwritten, 0);
  std::set<void *> places(std::begin(scratchOf), std::end(scratchOf));
  EXPECT_EQ(places.size(), 7u);
  options.executor.concurrency = 100000;
  EXPECT_FAILS("100000 threads; from 0 to 1024 are possible", run(options));
}

TEST_F(ArtifactScratch, LiesInTheCallersArena) {
  tenon_model_info info = TENON_INIT(tenon_model_info);
  ASSERT_OK(tenon_model_query(model, &info));
  EXPECT_EQ(info.scratch_bytes, size_t(scratchBytes));
  EXPECT_EQ(info.arena_bytes, bytes);
  EXPECT_EQ(tenon_model_arena_bytes(model, 0), bytes);
  size_t size = tenon_model_arena_bytes(model, 3);
  EXPECT_GE(size, bytes + 3 * scratchBytes);
  std::vector<uint8_t> memory(size + 256, 0x77);
  auto *arena = memory.data() + 64 - uintptr_t(memory.data()) % 64;
  tenon_context_options options = TENON_INIT(tenon_context_options);
  options.threads = 3;
  options.arena = arena;
  options.arena_size = size;
  overwritten = 0;
  ASSERT_OK(run(options));
  EXPECT_EQ(overwritten, 0);
  for (void *place : scratchOf) {
    auto *begin = static_cast<uint8_t *>(place);
    ASSERT_GE(begin, arena + bytes);
    ASSERT_LE(begin + scratchBytes, arena + size);
  }
  options.arena_size = size - 1;
  EXPECT_FAILS("bytes; the model needs", run(options));
  EXPECT_FAILS("for 3 threads", run(options));
}

TEST_F(ArtifactScratch, IsNullWhereNoneIsWanted) {
  TearDown();
  ArtifactDesc desc = makeScratchDesc();
  desc.variants[0].launches[0].scratchBytes = 0;
  load(desc);
  EXPECT_EQ(tenon_model_arena_bytes(model, 16), bytes);
  tenon_context_options options = TENON_INIT(tenon_context_options);
  options.threads = 2;
  ASSERT_OK(run(options));
  EXPECT_EQ(scratchOf[0], nullptr);
}

TEST_F(ArtifactScratch, TooMuchIsRefused) {
  ArtifactDesc desc = makeScratchDesc();
  desc.variants[0].launches[0].scratchBytes = uint64_t(1) << 60;
  std::string text;
  llvm::raw_string_ostream os(text);
  EXPECT_FAILS("wants too much scratch", writeStaticParts(desc, "net", os));
}

//===----------------------------------------------------------------------===//
// Guards
//===----------------------------------------------------------------------===//

namespace {

/// Writes a byte of the scratch, or beside it.
template <int64_t offset> void writeAt(const tenon_call *call) {
  static_cast<volatile uint8_t *>(call->scratch)[offset] = 1;
  add(call);
}

} // namespace

TEST_F(ArtifactScratch, IsGuarded) {
  for (Guard side : {Guard::Above, Guard::Below}) {
    TearDown();
    ArtifactDesc desc = makeScratchDesc();
    desc.variants[0].plan = {3 * guardBytes, guardBytes, 0, {}, side};
    desc.variants[0].launches[0].scratchBytes = 960;
    load(desc);
    tenon_context_options options = TENON_INIT(tenon_context_options);
    options.threads = 1;
    for (tenon_kernel_fn kernel : {writeAt<0>, writeAt<959>}) {
      kernels[0] = kernel;
      EXPECT_OK(run(options));
    }
    kernels[0] = side == Guard::Above ? writeAt<960> : writeAt<-1>;
    EXPECT_FAILS(side == Guard::Above ? "1 byte above" : "1 byte below",
                 run(options));
    EXPECT_FAILS("of the scratch of thread 0 (960 bytes)", run(options));
  }
}
