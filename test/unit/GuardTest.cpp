//===- GuardTest.cpp - runs that catch stray accesses ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file runs the hand-made model with guards: as it is, with launches that
// go too far, and beside signals that are none of its business.
//===----------------------------------------------------------------------===//
// LINK: TenonArtifact tenon_runtime NO_PCH
#include "test/unit/ArtifactTestModel.h"
#include <csignal>
#include <sys/mman.h>
#include <thread>

using namespace tenon::test;
using tenon::artifact::ArtifactDesc;
using tenon::artifact::Guard;

namespace {

/// A loaded description, a context and tensors for it.
class Runner {
public:
  explicit Runner(const ArtifactDesc &desc, int threads = 1,
                  tenon_executor executor = {}) {
    EXPECT_OK(tenon::artifact::writeArtifact(desc, file.path));
    EXPECT_OK(tenon_model_load_file(file.path.c_str(), nullptr, &model));
    llvm::sys::fs::remove(file.path); // it stays mapped; a run may be killed
    tenon_context_options options = TENON_INIT(tenon_context_options);
    options.threads = threads;
    options.executor = executor;
    EXPECT_OK(tenon_context_create(model, &options, &context));
    for (int64_t i = 0; i < elements; ++i)
      x[i] = i;
  }

  ~Runner() {
    tenon_context_destroy(context);
    tenon_model_destroy(model);
  }

  tenon_status *run() {
    tenon_tensor_info in = TENON_INIT(tenon_tensor_info), out = in;
    EXPECT_OK(tenon_model_input(model, 0, &in));
    EXPECT_OK(tenon_model_output(model, 0, &out));
    tenon_tensor input = tenon_tensor_over(&in, x.data());
    tenon_tensor output = tenon_tensor_over(&out, y.data());
    return tenon_run(context, &input, 1, &output, 1);
  }

  void runAndCheck() {
    y.assign(elements, -1);
    ASSERT_OK(run());
    for (int64_t i = 0; i < elements; ++i)
      ASSERT_EQ(y[i], x[i] + weightAt(i) + x[i]);
  }

  TemporaryFile file;
  tenon_model *model = nullptr;
  tenon_context *context = nullptr;
  std::vector<float> x = std::vector<float>(elements);
  std::vector<float> y = std::vector<float>(elements, -1);
};

class GuardRun : public testing::Test {
protected:
  void SetUp() override {
#if !defined(__x86_64__)
    GTEST_SKIP() << "the test's kernel is x86-64 code";
#endif
  }
};

/// The first launch does `extra` elements too many.
ArtifactDesc tooFar(int64_t extra, Guard side = Guard::Above) {
  ArtifactDesc desc = makeGuardedDesc(side);
  desc.variants[0].launches[0].tiles += extra;
  return desc;
}

} // namespace

TEST_F(GuardRun, HonestKernelsComputeTheSame) {
  for (Guard side : {Guard::Above, Guard::Below})
    for (int threads : {1, 2, 5}) {
      Runner runner(makeGuardedDesc(side), threads);
      for (int run = 0; run < 20; ++run)
        runner.runAndCheck();
    }
}

TEST_F(GuardRun, TellsThatItGuards) {
  tenon_model_info info = TENON_INIT(tenon_model_info);
  ASSERT_OK(tenon_model_query(Runner(makeGuardedDesc()).model, &info));
  EXPECT_TRUE(info.is_guarded);
  EXPECT_EQ(info.arena_bytes, 3 * tenon::artifact::guardBytes);
  ASSERT_OK(tenon_model_query(Runner(makeDesc()).model, &info));
  EXPECT_FALSE(info.is_guarded);
}

TEST_F(GuardRun, NamesAReadInAnyThread) {
  for (int threads : {1, 2, 5}) {
    Runner runner(tooFar(1), threads);
    for (int run = 0; run < 20; ++run) {
      tenon_status *status = runner.run();
      EXPECT_EQ(tenon_status_code_of(status), TENON_MEMORY_FAULT);
      EXPECT_STREQ(tenon_status_node(status), "first");
      EXPECT_EQ(messageOf(status),
                "kernel 'add' of launch 0 (nodes 'first') read 1 byte above "
                "the end of input 'x' (4000 bytes)");
      EXPECT_EQ(runner.y, std::vector<float>(elements, -1));
    }
  }
}

TEST_F(GuardRun, NamesWeightsAndOutputs) {
  ArtifactDesc desc = makeGuardedDesc();
  desc.variants[0].launches[0].refs[1].size = 2000;
  EXPECT_FAILS("launch 0 (nodes 'first') read 1 byte above the end of the "
               "weights at 0 (2000 bytes)",
               Runner(desc).run());
  desc = makeGuardedDesc(Guard::Below);
  desc.variants[0].launches[1].tiles += 1;
  std::string late = messageOf(Runner(desc).run());
  EXPECT_FAILS("'add' of launch 1 (nodes 'second', 'third') wrote ", late);
  EXPECT_FAILS(" above the end of output 'y' (4000 bytes) (seen after the "
               "launch)",
               late);
}

TEST_F(GuardRun, ShortensListsOfNodes) {
  ArtifactDesc desc = tooFar(1);
  desc.variants[0].launches[0].nodes = {"a", "b", "c", "d", "e", "f"};
  EXPECT_FAILS("(nodes 'a', 'b', 'c', 'd' and 2 more) read",
               Runner(desc).run());
}

TEST_F(GuardRun, KnowsWhenBuffersLive) {
  ArtifactDesc desc = makeGuardedDesc();
  desc.variants[0].plan.buffers[0].last = 0;
  EXPECT_FAILS("launch 1 (nodes 'second', 'third') read byte 0 of buffer 0 "
               "(4000 bytes), which is dead since kernel 'add' of launch 0 "
               "(nodes 'first')",
               Runner(desc).run());
  desc = makeGuardedDesc();
  desc.variants[0].plan.buffers[0].first = 1;
  EXPECT_FAILS("wrote byte 0 of buffer 0 (4000 bytes), which is not alive "
               "before kernel 'add' of launch 1",
               Runner(desc).run());
  desc = makeGuardedDesc();
  desc.variants[0].launches.resize(1);
  desc.variants[0].launches[0].refs[0] = {tenon::artifact::Space::Output, 0, 0,
                                          bytes};
  EXPECT_FAILS("read byte 0 of output 'y' (4000 bytes), which nothing writes",
               Runner(desc).run());
}

TEST_F(GuardRun, WritesOnlyWhatTheLaunchWrites) {
  ArtifactDesc desc = makeGuardedDesc();
  desc.variants[0].launches[1].readCount = 3;
  desc.variants[0].launches[0].refs[2] = {tenon::artifact::Space::Output, 0, 0,
                                          bytes};
  desc.variants[0].launches[1].refs[0] = {tenon::artifact::Space::Output, 0, 0,
                                          bytes};
  EXPECT_FAILS("wrote byte 0 of output 'y' (4000 bytes), which the launch only "
               "reads",
               Runner(desc).run());
}

TEST_F(GuardRun, PartsOfWeightsAreOnePiece) {
  ArtifactDesc desc = makeGuardedDesc();
  desc.variants[0].launches[0].tiles = desc.variants[0].launches[1].tiles =
      elements / 2;
  desc.variants[0].launches[1].refs[1] = {tenon::artifact::Space::Weights, 0,
                                          2000, 2000};
  Runner runner(desc);
  ASSERT_OK(runner.run());
  for (int64_t i = 0; i < elements / 2; ++i)
    ASSERT_EQ(runner.y[i],
              runner.x[i] + weightAt(i) + weightAt(elements / 2 + i));
}

TEST_F(GuardRun, TakesNoArenaOfTheCaller) {
  Runner runner(makeGuardedDesc());
  tenon_context_options options = TENON_INIT(tenon_context_options);
  options.arena = runner.x.data();
  options.arena_size = bytes;
  tenon_context *context = nullptr;
  EXPECT_FAILS("a guarded model maps its own arena",
               tenon_context_create(runner.model, &options, &context));
}

TEST_F(GuardRun, RefusesAnArenaBeyondAllAddresses) {
  ArtifactDesc desc = makeGuardedDesc();
  desc.variants[0].plan.arenaBytes = uint64_t(1) << 62;
  TemporaryFile file;
  tenon_model *model = nullptr;
  tenon_context *context = nullptr;
  ASSERT_OK(tenon::artifact::writeArtifact(desc, file.path));
  ASSERT_OK(tenon_model_load_file(file.path.c_str(), nullptr, &model));
  EXPECT_FAILS("no memory for", tenon_context_create(model, nullptr, &context));
  tenon_model_destroy(model);
}

TEST_F(GuardRun, ContextsFailAndSucceedConcurrently) {
  Runner good(makeGuardedDesc(), 2), bad(tooFar(1), 2);
  std::thread other([&] {
    for (int run = 0; run < 100; ++run)
      EXPECT_FAILS("read 1 byte above the end of input 'x'", bad.run());
  });
  for (int run = 0; run < 100; ++run)
    good.runAndCheck();
  other.join();
}

//===----------------------------------------------------------------------===//
// Signals
//===----------------------------------------------------------------------===//

namespace {

volatile sig_atomic_t signalsSeen;
void *closedPage;

/// A program's own handler: opens the page and lets the access happen again.
void openPage(int, siginfo_t *info, void *) {
  signalsSeen = signalsSeen + 1;
  if (info->si_addr == closedPage)
    mprotect(closedPage, 4096, PROT_READ | PROT_WRITE);
}

void countSignal(int) { signalsSeen = signalsSeen + 1; }

void *mapClosedPage() {
  return mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

/// An executor that faults by itself, outside of kernels.
void faultBetween(void *, int64_t count, void (*body)(void *, int64_t),
                  void *argument) {
  *static_cast<volatile char *>(closedPage) = 1;
  for (int64_t i = 0; i < count; ++i)
    body(argument, i);
}

/// One that is sent signals.
void raiseBetween(void *, int64_t count, void (*body)(void *, int64_t),
                  void *argument) {
  raise(SIGSEGV);
  for (int64_t i = 0; i < count; ++i)
    body(argument, i);
}

struct sigaction handlerNow() {
  struct sigaction now;
  sigaction(SIGSEGV, nullptr, &now);
  return now;
}

void install(struct sigaction action) {
  sigemptyset(&action.sa_mask);
  sigaction(SIGSEGV, &action, nullptr);
}

/// Puts the handlers of before back at the end of the scope.
struct KeepHandlers {
  KeepHandlers() { signalsSeen = 0; }
  ~KeepHandlers() { sigaction(SIGSEGV, &before, nullptr); }
  struct sigaction before = handlerNow();
};

} // namespace

TEST_F(GuardRun, LeavesHandlersAsTheyWere) {
  KeepHandlers keep;
  struct sigaction own = {};
  own.sa_sigaction = openPage;
  own.sa_flags = SA_SIGINFO;
  install(own);
  Runner(makeGuardedDesc()).runAndCheck();
  messageOf(Runner(tooFar(1)).run());
  EXPECT_EQ(handlerNow().sa_sigaction, openPage);
  EXPECT_EQ(signalsSeen, 0);
}

TEST_F(GuardRun, PassesOnFaultsOutsideOfKernels) {
  KeepHandlers keep;
  struct sigaction own = {};
  own.sa_sigaction = openPage;
  own.sa_flags = SA_SIGINFO;
  install(own);
  closedPage = mapClosedPage();
  Runner(makeGuardedDesc(), 1, {faultBetween, nullptr, 1}).runAndCheck();
  EXPECT_EQ(signalsSeen, 1);
  munmap(closedPage, 4096);
}

TEST_F(GuardRun, PassesOnSignalsThatWereSent) {
  KeepHandlers keep;
  struct sigaction own = {};
  own.sa_handler = countSignal;
  install(own);
  Runner runner(makeGuardedDesc(), 1, {raiseBetween, nullptr, 1});
  runner.runAndCheck();
  EXPECT_EQ(signalsSeen, 2);
  own.sa_handler = SIG_IGN;
  install(own);
  runner.runAndCheck();
  EXPECT_EQ(handlerNow().sa_handler, SIG_IGN);
}

TEST_F(GuardRun, DiesOfFaultsThatNobodyHandles) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  auto run = [](auto executor, auto handler) {
    struct sigaction own = {};
    own.sa_handler = handler;
    install(own);
    closedPage = mapClosedPage();
    messageOf(Runner(makeGuardedDesc(), 1, {executor, nullptr, 1}).run());
  };
  auto killed = testing::KilledBySignal(SIGSEGV);
  EXPECT_EXIT(run(faultBetween, SIG_DFL), killed, "");
  EXPECT_EXIT(run(faultBetween, SIG_IGN), killed, "");
  EXPECT_EXIT(run(raiseBetween, SIG_DFL), killed, "");
}
