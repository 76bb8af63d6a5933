//===- Roof.cpp - how fast this machine can be ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file runs the loops of RoofLoops in all threads at once.
//===----------------------------------------------------------------------===//
#include "lib/Run/Roof.h"

#include "lib/Run/RoofLoops.h"
#include "lib/Run/Text.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <pthread.h>
#include <sys/mman.h>
#include <thread>

using namespace tenon::run;

static constexpr int64_t KiB = 1024, MiB = 1024 * KiB;

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

namespace {

/// Does one thread's share of a round; returns how much was done.
using Work = std::function<double(int thread)>;

/// Rounds of the same work in several threads.
class Crew {
public:
  Crew(const Work &work, int threads, int rounds)
      : work(work), rates(threads, std::vector<double>(rounds)) {
    pthread_barrier_init(&barrier, nullptr, unsigned(threads));
  }
  ~Crew() { pthread_barrier_destroy(&barrier); }

  /// The rate of the best round in 10^9 units per second; 0 when a thread
  /// cannot be started.
  double run();

private:
  enum Signal { Wait, Go, Leave };
  struct Member {
    Crew *crew;
    int thread;
    pthread_t handle;
  };
  static void *enter(void *member);
  void runRounds(int thread);
  double bestRound() const;

  const Work &work;
  /// By thread and round.
  std::vector<std::vector<double>> rates;
  std::atomic<Signal> signal = Wait;
  pthread_barrier_t barrier;
};

} // namespace

void Crew::runRounds(int thread) {
  for (double &rate : rates[thread]) {
    pthread_barrier_wait(&barrier);
    auto begin = std::chrono::steady_clock::now();
    double done = work(thread);
    std::chrono::duration<double, std::nano> time =
        std::chrono::steady_clock::now() - begin;
    rate = done / time.count();
  }
}

void *Crew::enter(void *argument) {
  auto *member = static_cast<Member *>(argument);
  member->crew->signal.wait(Wait);
  if (member->crew->signal == Go)
    member->crew->runRounds(member->thread);
  return nullptr;
}

double Crew::bestRound() const {
  double best = 0;
  for (size_t round = 0; round < rates[0].size(); ++round) {
    double sum = 0;
    for (const std::vector<double> &thread : rates)
      sum += thread[round];
    best = std::max(best, sum);
  }
  return best;
}

double Crew::run() {
  std::vector<Member> others(rates.size() - 1);
  size_t started = 0;
  for (; started < others.size(); ++started) {
    Member &member = others[started];
    member = {this, int(started) + 1, {}};
    if (pthread_create(&member.handle, nullptr, enter, &member))
      break;
  }
  bool complete = started == others.size();
  signal = complete ? Go : Leave;
  signal.notify_all();
  if (complete)
    runRounds(0);
  for (size_t i = 0; i < started; ++i)
    pthread_join(others[i].handle, nullptr);
  return complete ? bestRound() : 0;
}

//===----------------------------------------------------------------------===//
// What is measured
//===----------------------------------------------------------------------===//

static double measurePeak(const RoofLoops &loops, int threads) {
  constexpr int64_t steps = 1 << 18;
  return Crew([&](int) { return loops.multiplyAdd(steps); }, threads, 32).run();
}

static std::string readLine(const std::string &path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

/// The bytes of processor 0's unified cache of a level; 0 when the system does
/// not tell. (sysconf adds up the L3 caches of some machines.)
static int64_t cacheBytes(const char *level) {
  for (int index = 0; index < 8; ++index) {
    std::string folder =
        format("/sys/devices/system/cpu/cpu0/cache/index%d/", index);
    if (readLine(folder + "level") == level &&
        readLine(folder + "type") == "Unified")
      return strtoll(readLine(folder + "size").c_str(), nullptr, 10) * KiB;
  }
  return 0;
}

/// The places without their rates.
static std::vector<ReadRate> listPlaces() {
  std::vector<ReadRate> places;
  if (int64_t bytes = cacheBytes("2"))
    places.push_back({"L2", bytes, 0});
  if (int64_t bytes = cacheBytes("3"))
    places.push_back({"L3", bytes, 0});
  places.push_back({"memory", INT64_MAX, 0});
  return places;
}

/// What each thread reads to meet `place`, a whole number of blocks.
static int64_t sliceBytes(const ReadRate &place, int64_t poolBytes,
                          int threads) {
  int64_t bytes = place.place == "L2"   ? place.bytes / 2
                  : place.place == "L3" ? place.bytes / 2 / threads
                                        : poolBytes / threads;
  bytes = std::min(bytes, poolBytes / threads);
  return std::max(bytes / RoofLoops::blockBytes, int64_t(1)) *
         RoofLoops::blockBytes;
}

/// Reads `slice` bytes often enough for a round of about a millisecond.
static double readSlice(const RoofLoops &loops, const char *data,
                        int64_t slice) {
  int64_t passes = std::max<int64_t>(16 * MiB / slice, 1);
  for (int64_t pass = 0; pass < passes; ++pass)
    loops.read(data, slice);
  return double(passes * slice);
}

static double measureRead(const RoofLoops &loops, const char *pool,
                          int64_t slice, int threads) {
  return Crew(
             [&](int thread) {
               return readSlice(loops, pool + thread * slice, slice);
             },
             threads, 8)
      .run();
}

namespace {

/// Zeroed memory, in large pages where the system grants them.
struct Pool {
  explicit Pool(int64_t bytes) : bytes(bytes) {
    void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
      return;
    data = static_cast<char *>(memory);
#ifdef MADV_HUGEPAGE
    madvise(data, bytes, MADV_HUGEPAGE);
#endif
    // Pages that were never written may all be one page of zeroes.
    for (int64_t at = 0; at < bytes; at += 4 * KiB)
      data[at] = 1;
  }
  ~Pool() {
    if (data)
      munmap(data, bytes);
  }
  char *data = nullptr;
  int64_t bytes;
};

} // namespace

static std::vector<ReadRate> measureReads(const RoofLoops &loops, int threads) {
  std::vector<ReadRate> places = listPlaces();
  Pool pool(128 * MiB);
  for (ReadRate &place : places)
    if (pool.data)
      place.gbytes = measureRead(
          loops, pool.data, sliceBytes(place, pool.bytes, threads), threads);
  return places;
}

//===----------------------------------------------------------------------===//
// The roof
//===----------------------------------------------------------------------===//

Roof tenon::run::measureRoof(const std::vector<int> &vectorBits, int threads) {
  Roof roof{threads, {}, {}};
  for (int bits : vectorBits)
    if (const RoofLoops *loops = findRoofLoops(bits))
      roof.peaks.push_back({bits, measurePeak(*loops, threads)});
  // Wide loads reach all rates that narrow ones do.
  roof.reads = measureReads(*findRoofLoops(vectorWidths().back()), threads);
  return roof;
}

std::vector<int> tenon::run::vectorWidths() {
  std::vector<int> widths;
  for (int bits : {128, 256, 512})
    if (findRoofLoops(bits))
      widths.push_back(bits);
  return widths;
}

int tenon::run::processorCount() {
  return std::max(int(std::thread::hardware_concurrency()), 1);
}

static std::string peakJson(const Peak &peak) {
  return Object()
      .add("vector_bits", uint64_t(peak.vectorBits))
      .add("gflops", number(peak.gflops))
      .str();
}

static std::string rateJson(const ReadRate &rate) {
  Object object;
  object.add("place", quote(rate.place));
  if (rate.bytes != INT64_MAX)
    object.add("bytes", uint64_t(rate.bytes));
  return object.add("gbytes", number(rate.gbytes)).str();
}

std::string tenon::run::roofJson(const Roof &roof) {
  return Object()
      .add("threads", uint64_t(roof.threads))
      .add("peaks", array(roof.peaks, peakJson))
      .add("reads", array(roof.reads, rateJson))
      .str();
}
