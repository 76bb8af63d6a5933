//===- Waits.cpp - who waited for what in a run ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Run/Waits.h"

#include <algorithm>
#include <map>
#include <set>

using namespace tenon::run;

namespace {
/// The launches that ran at once.
class Wave {
public:
  void add(size_t launch, const ProfilePart &part) {
    int64_t partEnd = part.begin + part.nanoseconds;
    begin = ends.empty() ? part.begin : std::min(begin, part.begin);
    int64_t &latest = ends[part.thread];
    latest = std::max(latest, partEnd);
    if (partEnd > end) {
      end = partEnd;
      last = launch;
    }
  }

  void addWaits(const std::set<int> &threads,
                std::vector<ProfileWait> &waits) const {
    for (int thread : threads) {
      auto found = ends.find(thread);
      int64_t since = found == ends.end() ? begin : found->second;
      if (since < end)
        waits.push_back({thread, since, end - since, last});
    }
  }

private:
  std::map<int, int64_t> ends; ///< by threads
  int64_t begin = 0, end = 0;
  size_t last = 0; ///< the launch with the last part
};
} // namespace

std::vector<ProfileWait>
tenon::run::waitsOf(const std::vector<ProfileRow> &launches) {
  std::map<unsigned, Wave> waves;
  std::set<int> threads;
  for (size_t launch = 0; launch < launches.size(); ++launch)
    for (const ProfilePart &part : launches[launch].parts) {
      waves[launches[launch].wave].add(launch, part);
      threads.insert(part.thread);
    }
  std::vector<ProfileWait> waits;
  for (const auto &[number, wave] : waves)
    wave.addWaits(threads, waits);
  return waits;
}

void tenon::run::noteWaits(std::vector<ProfileRow> &launches) {
  for (ProfileRow &row : launches) {
    std::set<int> threads;
    for (const ProfilePart &part : row.parts)
      threads.insert(part.thread);
    row.threads = int64_t(threads.size());
    row.waited = 0;
  }
  for (const ProfileWait &wait : waitsOf(launches))
    launches[wait.launch].waited += wait.nanoseconds;
}
