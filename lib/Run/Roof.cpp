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
#include <unistd.h>

using namespace tenon::run;

static constexpr int64_t kib = 1024, mib = 1024 * kib;

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
      : work(work), shares(threads, std::vector<Share>(rounds)) {
    pthread_barrier_init(&barrier, nullptr, unsigned(threads));
  }
  ~Crew() { pthread_barrier_destroy(&barrier); }

  /// The rate of the best round in 10^9 units per second; 0 when a thread
  /// cannot be started.
  double run();

private:
  using Clock = std::chrono::steady_clock;
  /// What a thread did in a round.
  struct Share {
    Clock::time_point begin, end;
    double amount = 0;
  };
  enum Signal { Wait, Go, Leave };
  struct Member {
    Crew *crew;
    int thread;
    pthread_t handle;
  };
  static void *enter(void *member);
  void runRounds(int thread);
  double rate(size_t round) const;

  const Work &work;
  /// By thread and round.
  std::vector<std::vector<Share>> shares;
  std::atomic<Signal> signal = Wait;
  pthread_barrier_t barrier;
};

} // namespace

void Crew::runRounds(int thread) {
  for (Share &share : shares[thread]) {
    pthread_barrier_wait(&barrier);
    share.begin = Clock::now();
    share.amount = work(thread);
    share.end = Clock::now();
  }
}

void *Crew::enter(void *argument) {
  auto *member = static_cast<Member *>(argument);
  member->crew->signal.wait(Wait);
  if (member->crew->signal == Go)
    member->crew->runRounds(member->thread);
  return nullptr;
}

/// All that was done, from the first thread's begin to the last one's end.
double Crew::rate(size_t round) const {
  Share all = shares[0][round];
  for (size_t thread = 1; thread < shares.size(); ++thread) {
    const Share &share = shares[thread][round];
    all.begin = std::min(all.begin, share.begin);
    all.end = std::max(all.end, share.end);
    all.amount += share.amount;
  }
  std::chrono::duration<double, std::nano> time = all.end - all.begin;
  return all.amount / time.count();
}

double Crew::run() {
  std::vector<Member> others(shares.size() - 1);
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
  double best = 0;
  for (size_t round = 0; complete && round < shares[0].size(); ++round)
    best = std::max(best, rate(round));
  return best;
}

//===----------------------------------------------------------------------===//
// What is measured
//===----------------------------------------------------------------------===//

/// How many threads share a processor. They do less each, so that measuring
/// takes no longer.
static int crowding(int threads) {
  return std::max(threads / processorCount(), 1);
}

static double measurePeak(const RoofLoops &loops, int threads) {
  int64_t steps = (1 << 20) / crowding(threads);
  Work work = [&](int) { return loops.multiplyAdd(steps); };
  return Crew(work, threads, 10).run();
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
      return strtoll(readLine(folder + "size").c_str(), nullptr, 10) * kib;
  }
  return 0;
}

namespace {

/// A place, and how much of it each thread goes through.
struct Place {
  std::string name;
  int64_t bytes;
  int64_t slice;
};

} // namespace

/// How much shows the rate of memory. Of a large L3 that others share, one core
/// has less than the system tells, but may have more than 64 MiB (Intel's
/// Granite Rapids). Much for a machine that has little memory.
static int64_t memoryBytes(int64_t l3) {
  int64_t installed = int64_t(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
  int64_t most = std::max(std::min(256 * mib, installed / 16), 64 * mib);
  return std::clamp(3 * l3, 64 * mib, most);
}

static std::vector<Place> listPlaces(int threads) {
  std::vector<Place> places;
  int64_t l2 = cacheBytes("2"), l3 = cacheBytes("3");
  if (l2)
    places.push_back({"L2", l2, l2 / 2});
  int64_t beyond = memoryBytes(l3);
  int64_t first = l2 ? std::min(l3 / 4, 4 * l2) : l3 / 4;
  // Many threads' parts of L3 must not end up in their L2.
  for (int64_t part = first; part > 0 && 2 * part <= beyond;
       part = part < l3 ? std::min(2 * part, l3) : 0)
    places.push_back({"L3", part, std::max(part / threads, 2 * l2)});
  places.push_back({"memory", INT64_MAX, beyond / threads});
  // Whole blocks in each half, at least one.
  constexpr int64_t unit = 2 * RoofLoops::blockBytes;
  for (Place &place : places)
    place.slice = std::max(place.slice - place.slice % unit, unit);
  return places;
}

namespace {

/// What is read and written, in large pages where the system grants them.
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
    for (int64_t at = 0; at < bytes; at += 4 * kib)
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

/// What each thread does in a place: goes through its slice once.
using Pass = std::function<void(char *slice, int64_t bytes)>;

static double measurePass(const Pass &once, const Pool &pool,
                          const Place &place, int threads) {
  int64_t passes =
      std::max<int64_t>(128 * mib / place.slice / crowding(threads), 1);
  Work work = [&](int thread) {
    for (int64_t pass = 0; pass < passes; ++pass)
      once(pool.data + thread * place.slice, place.slice);
    return double(passes * place.slice);
  };
  return pool.data ? Crew(work, threads, 8).run() : 0;
}

/// What all threads' largest slices lie in.
static Pool poolFor(const std::vector<Place> &places, int threads) {
  int64_t largest = 0;
  for (const Place &place : places)
    largest = std::max(largest, place.slice);
  return Pool(largest * threads);
}

static std::vector<MemoryRate> measurePlaces(const Pass &once, const Pool &pool,
                                             const std::vector<Place> &places,
                                             int threads) {
  std::vector<MemoryRate> rates;
  for (const Place &place : places)
    rates.push_back(
        {place.name, place.bytes, measurePass(once, pool, place, threads)});
  return rates;
}

//===----------------------------------------------------------------------===//
// The roof
//===----------------------------------------------------------------------===//

Roof tenon::run::measureRoof(const std::vector<int> &vectorBits, int threads,
                             bool copies) {
  Roof roof;
  roof.threads = threads;
  for (int bits : vectorBits)
    if (const RoofLoops *loops = findRoofLoops(bits))
      roof.peaks.push_back({bits, measurePeak(*loops, threads)});
  // Wide loads reach all rates that narrow ones do.
  const RoofLoops &loops = *findRoofLoops(vectorWidths().back());
  const std::vector<Place> places = listPlaces(threads);
  const Pool pool = poolFor(places, threads);
  roof.reads = measurePlaces(loops.read, pool, places, threads);
  auto copyHalf = [&](char *slice, int64_t bytes) {
    loops.copy(slice, slice + bytes / 2, bytes / 2);
  };
  if (copies)
    roof.copies = measurePlaces(copyHalf, pool, places, threads);
  return roof;
}

Roof tenon::run::roofOfDevice(const std::string &name, double flops,
                              double rate) {
  Roof roof;
  roof.device = name;
  if (flops > 0)
    roof.peaks.push_back({0, flops / 1e9});
  if (rate > 0)
    roof.reads.push_back({"memory", INT64_MAX, rate / 1e9});
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
  Object object;
  if (peak.vectorBits)
    object.add("vector_bits", uint64_t(peak.vectorBits));
  return object.add("gflops", number(peak.gflops)).str();
}

static std::string rateJson(const MemoryRate &rate) {
  Object object;
  object.add("place", quote(rate.place));
  if (rate.bytes != INT64_MAX)
    object.add("bytes", uint64_t(rate.bytes));
  return object.add("gbytes", number(rate.gbytes)).str();
}

std::string tenon::run::roofJson(const Roof &roof) {
  Object object;
  if (roof.device.empty())
    object.add("threads", uint64_t(roof.threads));
  else
    object.add("device", quote(roof.device));
  object.add("peaks", array(roof.peaks, peakJson))
      .add("reads", array(roof.reads, rateJson));
  if (!roof.copies.empty())
    object.add("copies", array(roof.copies, rateJson));
  return object.str();
}
