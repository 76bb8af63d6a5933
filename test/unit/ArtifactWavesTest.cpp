//===- ArtifactWavesTest.cpp - launches that run at once ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file runs waves with kernels that take their time, in any number of
// threads, and compares with launches one after the other.
//===----------------------------------------------------------------------===//
// LINK: TenonArtifact tenon_runtime NO_PCH
#include "test/unit/ArtifactTestSymbols.h"
#include "test/unit/ArtifactTestWaves.h"
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <thread>

using namespace tenon::artifact;
using namespace tenon::test;

namespace {

std::atomic<int64_t> overwritten, calls;

/// Some tiles take long, and scratch stays who has it.
void dawdle(const tenon_call *call) {
  const int64_t number = calls++;
  auto *scratch = static_cast<int64_t *>(call->scratch);
  if (scratch)
    *scratch = number;
  if (call->begin % 7 == 0)
    std::this_thread::sleep_for(std::chrono::microseconds(number % 40));
  else
    std::this_thread::yield();
  if (scratch)
    overwritten += *scratch != number;
}

float *bufferOf(const tenon_call *call, int index) {
  return static_cast<float *>(call->buffers[index]);
}

void add(const tenon_call *call) {
  dawdle(call);
  for (int64_t i = call->begin; i < call->end; ++i)
    bufferOf(call, 2)[i] = bufferOf(call, 0)[i] * 3 + bufferOf(call, 1)[i];
}

template <int64_t first, int64_t last> void copy(const tenon_call *call) {
  dawdle(call);
  for (int64_t row = call->begin; row < call->end; ++row)
    for (int64_t i = first; i < last; ++i)
      bufferOf(call, 1)[row * columns + i] =
          bufferOf(call, 0)[row * columns + i];
}

/// y, then z.
using Results = std::vector<float>;

/// The description, linked to those kernels or others.
class ArtifactWaves : public testing::Test {
protected:
  void SetUp() override { load(makeWavesDesc()); }

  void TearDown() override {
    unsetenv("TENON_SCHEDULE");
    tenon_model_destroy(model);
  }

  void load(const ArtifactDesc &desc) {
    tenon_model_destroy(std::exchange(model, nullptr));
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
              3};
    ASSERT_OK(tenon_model_load_static(&source, &model));
  }

  /// Runs some times; all must give the same.
  Results run(const tenon_context_options &options, int rounds = 10) {
    tenon_context *context = nullptr;
    EXPECT_OK(tenon_context_create(model, &options, &context));
    Results first;
    for (int round = 0; round < rounds; ++round) {
      std::vector<float> x(elements), both(2 * elements, -1);
      for (int64_t i = 0; i < elements; ++i)
        x[i] = 0.1f * float(i);
      EXPECT_OK(runOnce(context, x, both));
      if (!round)
        first = both;
      EXPECT_EQ(memcmp(both.data(), first.data(), 2 * bytes), 0);
    }
    check(context, rounds);
    tenon_context_destroy(context);
    return first;
  }

  tenon_status *runOnce(tenon_context *context, std::vector<float> &x,
                        std::vector<float> &both) {
    tenon_tensor_info info = TENON_INIT(tenon_tensor_info);
    tenon_tensor in, out[2];
    EXPECT_OK(tenon_model_input(model, 0, &info));
    in = tenon_tensor_over(&info, x.data());
    EXPECT_OK(tenon_model_output(model, 0, &info));
    out[0] = tenon_tensor_over(&info, both.data());
    EXPECT_OK(tenon_model_output(model, 1, &info));
    out[1] = tenon_tensor_over(&info, both.data() + elements);
    return tenon_run(context, &in, 1, out, 2);
  }

  virtual void check(tenon_context *, int) {}

  static tenon_context_options onThreads(int threads) {
    tenon_context_options options = TENON_INIT(tenon_context_options);
    options.threads = threads;
    return options;
  }

  tenon_kernel_fn kernels[3] = {add, copy<0, leftColumns>,
                                copy<leftColumns, columns>};
  std::string weights, meta;
  tenon_static_model source;
  tenon_model *model = nullptr;
};

using ParallelFor = decltype(tenon_executor::parallel_for);

void runBackwards(void *, int64_t count, void (*body)(void *, int64_t),
                  void *argument) {
  while (count--)
    body(argument, count);
}

void runInTurn(void *, int64_t count, void (*body)(void *, int64_t),
               void *argument) {
  for (int64_t i = 0; i < count; ++i)
    body(argument, i);
}

void runAtOnce(void *, int64_t count, void (*body)(void *, int64_t),
               void *argument) {
  std::vector<std::thread> threads;
  for (int64_t i = 0; i < count; ++i)
    threads.emplace_back(body, argument, i);
  for (std::thread &thread : threads)
    thread.join();
}

ArtifactDesc withScratch() {
  ArtifactDesc desc = makeWavesDesc();
  for (size_t i : {1, 3})
    desc.variants[0].launches[i].scratchBytes = 100;
  return desc;
}

} // namespace

TEST_F(ArtifactWaves, AgreeBitForBitOnAnyNumberOfThreads) {
  for (const ArtifactDesc &desc : {makeWavesDesc(), withScratch()}) {
    load(desc);
    overwritten = 0;
    const Results expected = run(onThreads(1));
    for (int threads = 2; threads <= 16; ++threads)
      EXPECT_EQ(run(onThreads(threads)), expected) << threads << " threads";
    EXPECT_EQ(overwritten, 0);
  }
}

TEST_F(ArtifactWaves, RunOnAnyExecutor) {
  for (const ArtifactDesc &desc : {makeWavesDesc(), withScratch()}) {
    load(desc);
    const Results expected = run(onThreads(1));
    overwritten = 0;
    for (ParallelFor loop : {runBackwards, runInTurn, runAtOnce})
      for (int concurrency : {0, 1, 2, 7}) {
        tenon_context_options options = TENON_INIT(tenon_context_options);
        options.executor = {loop, nullptr, concurrency};
        EXPECT_EQ(run(options), expected);
      }
    EXPECT_EQ(overwritten, 0);
  }
}

namespace {

/// Runs with clocks, and looks at what they say.
class ArtifactWaveProfiles : public ArtifactWaves {
  void check(tenon_context *context, int rounds) override {
    int64_t end = 0;
    for (size_t i = 0; i < 5; ++i) {
      tenon_profile_entry entry = TENON_INIT(tenon_profile_entry);
      ASSERT_OK(tenon_profile_get(context, i, &entry));
      EXPECT_EQ(entry.wave, i < 2 ? 1u : 2u);
      EXPECT_EQ(entry.calls, rounds);
      EXPECT_GE(entry.nanoseconds, entry.last_nanoseconds);
      EXPECT_GE(entry.last_begin, end);
      end = entry.last_begin + entry.last_nanoseconds;
      checkParts(context, i, entry);
    }
    tenon_profile_reset(context);
    for (size_t i = 0; i < 5; ++i) {
      tenon_profile_part part = TENON_INIT(tenon_profile_part);
      ASSERT_OK(tenon_profile_get_part(context, i, 0, &part));
      EXPECT_EQ(part.nanoseconds, 0);
    }
  }

  void checkParts(tenon_context *context, size_t launch,
                  const tenon_profile_entry &entry) {
    int64_t tiles = 0;
    size_t count = 0;
    tenon_profile_part part = TENON_INIT(tenon_profile_part);
    tenon_status *status;
    while (!(status = tenon_profile_get_part(context, launch, count, &part))) {
      tiles += part.tiles;
      EXPECT_GT(part.nanoseconds, 0);
      EXPECT_LT(part.thread, tenon_context_threads(context));
      ++count;
    }
    EXPECT_EQ(tiles, entry.tiles);
    EXPECT_EQ(messageOf(status), "launch " + std::to_string(launch) +
                                     " has no part " + std::to_string(count));
  }
};

} // namespace

TEST_F(ArtifactWaveProfiles, HoldWhoRanWhat) {
  for (int threads : {2, 3, 16}) {
    tenon_context_options options = onThreads(threads);
    options.profile = true;
    run(options);
  }
  tenon_context_options options = TENON_INIT(tenon_context_options);
  options.profile = true;
  options.executor = {runAtOnce, nullptr, 3};
  run(options);
}

//===----------------------------------------------------------------------===//
// At once
//===----------------------------------------------------------------------===//

namespace {

std::atomic<int> begun, missed;

/// Waits for the other launch of the wave, ten seconds at most.
void meet(const tenon_call *) {
  ++begun;
  auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (begun < 2 && std::chrono::steady_clock::now() < deadline)
    std::this_thread::yield();
  missed += begun < 2;
}

/// Two launches of one tile each, and no others.
ArtifactDesc makePair() {
  ArtifactDesc desc = makeWavesDesc();
  std::vector<LaunchDesc> &launches = desc.variants[0].launches;
  launches.erase(launches.begin(), launches.begin() + 3);
  for (LaunchDesc &launch : launches)
    launch.tiles = 1;
  return desc;
}

std::atomic<int> running, most;

/// Notes how many calls of different launches run at once.
void notice(const tenon_call *) {
  int now = ++running;
  for (int before = most;
       now > before && !most.compare_exchange_weak(before, now);)
    ;
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  --running;
}

} // namespace

TEST_F(ArtifactWaves, AreMoreThanOneLaunchAtATime) {
  kernels[1] = kernels[2] = meet;
  load(makePair());
  for (int threads : {2, 5}) {
    begun = missed = 0;
    run(onThreads(threads), /*rounds=*/1);
    EXPECT_EQ(missed, 0) << threads << " threads";
  }
}

TEST_F(ArtifactWaves, RunInOrderWhenAsked) {
  kernels[1] = kernels[2] = notice;
  load(makePair());
  for (const char *schedule : {"", "order"}) {
    setenv("TENON_SCHEDULE", schedule, /*overwrite=*/1);
    most = 0;
    run(onThreads(2), /*rounds=*/1);
    EXPECT_EQ(most, *schedule ? 1 : 2) << schedule;
  }
  setenv("TENON_SCHEDULE", "tracks", /*overwrite=*/1);
  tenon_context_options options = onThreads(2);
  tenon_context *context = nullptr;
  EXPECT_FAILS("TENON_SCHEDULE is 'tracks'; it can be 'order'",
               tenon_context_create(model, &options, &context));
}

//===----------------------------------------------------------------------===//
// Indices, shapes
//===----------------------------------------------------------------------===//

namespace {

/// Finds a bad index; its fault word is its last operand.
void fail(const tenon_call *call) {
  if (call->begin == 0)
    *reinterpret_cast<int64_t *>(call->buffers[2]) = 6;
}

} // namespace

TEST_F(ArtifactWaves, FailAsTheFirstOfTheirLaunches) {
  ArtifactDesc desc = makeWavesDesc();
  VariantDesc &variant = desc.variants[0];
  variant.plan.arenaBytes += 128;
  for (int64_t i : {3, 4}) {
    variant.kernels[i - 2].checked = true;
    variant.launches[i].refs.push_back(
        {Space::Arena, 0, 8064 + 64 * (i - 3), 8});
  }
  kernels[1] = kernels[2] = fail;
  load(desc);
  std::vector<float> x(elements), both(2 * elements);
  for (int threads : {1, 2, 16}) {
    tenon_context_options options = onThreads(threads);
    tenon_context *context = nullptr;
    ASSERT_OK(tenon_context_create(model, &options, &context));
    for (int round = 0; round < 3; ++round)
      EXPECT_FAILS("node 'd': an index is out of range: it selects from 5 rows",
                   runOnce(context, x, both));
    tenon_context_destroy(context);
  }
  variant.launches[4].refs.back().offset = 8064;
  std::string text;
  llvm::raw_string_ostream os(text);
  EXPECT_FAILS("launches 3 and 4 of a wave share bytes that one of them writes",
               writeStaticParts(desc, "net", os));
}

namespace {

/// Runs the symbolic model, with launches from `first` to 2 in a wave.
std::string runSymbolic(size_t first, int64_t batch) {
  ArtifactDesc desc = makeSymbolic();
  for (size_t i = first; i < 3; ++i)
    desc.variants[0].launches[i].wave = 0;
  TemporaryFile file;
  EXPECT_OK(writeArtifact(desc, file.path));
  tenon_model *model = nullptr;
  EXPECT_OK(tenon_model_load_file(file.path.c_str(), nullptr, &model));
  tenon_context_options options = TENON_INIT(tenon_context_options);
  options.threads = 2;
  tenon_context *context = nullptr;
  EXPECT_OK(tenon_context_create(model, &options, &context));
  std::vector<float> x(100 * batch + 1, 2), y(100 * batch + 1);
  int64_t n[2] = {}, shape[2] = {batch, 100}, two = 2;
  tenon_dtype f32 = {TENON_FLOAT, 32, 1}, i64 = {TENON_INT, 64, 1};
  tenon_tensor in[2] = {
      {x.data(), {TENON_DEVICE_CPU, 0}, 2, f32, shape, nullptr, 0},
      {x.data(), {TENON_DEVICE_CPU, 0}, 2, f32, shape, nullptr, 0}};
  tenon_tensor out[2] = {
      {y.data(), {TENON_DEVICE_CPU, 0}, 2, f32, shape, nullptr, 0},
      {n, {TENON_DEVICE_CPU, 0}, 1, i64, &two, nullptr, 0}};
  std::string message = messageOf(tenon_run(context, in, 2, out, 2));
  if (message.empty()) {
    EXPECT_EQ(n[1], 100 * batch);
    for (int64_t i = 0; i < 100 * batch; ++i)
      EXPECT_EQ(y[i], 6);
  }
  tenon_context_destroy(context);
  tenon_model_destroy(model);
  return message;
}

} // namespace

TEST(ArtifactWavesOfAnySize, AreProvenForEachShape) {
#if !defined(__x86_64__)
  GTEST_SKIP() << "the test's kernel is x86-64 code";
#endif
  EXPECT_EQ(runSymbolic(/*first=*/1, /*batch=*/3), "");
  EXPECT_EQ(runSymbolic(/*first=*/1, /*batch=*/0), "");
  EXPECT_EQ(runSymbolic(/*first=*/0, /*batch=*/3),
            "launch 0 ('plus') and launch 1 ('again') may run at once, but "
            "one of them writes bytes that the other one uses");
  EXPECT_EQ(runSymbolic(/*first=*/0, /*batch=*/0), "");
}
