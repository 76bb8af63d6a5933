//===- Profile.cpp - where the time of a run goes -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file judges launches and prints the table of them.
//===----------------------------------------------------------------------===//
#include "lib/Run/Profile.h"

#include "lib/Run/Text.h"
#include "lib/Run/Waits.h"

#include <algorithm>
#include <map>
#include <set>

using namespace tenon::run;

//===----------------------------------------------------------------------===//
// Against the roof
//===----------------------------------------------------------------------===//

/// 10^9 per second, from an amount in each call.
static double rate(int64_t amount, const ProfileRow &row) {
  if (!row.nanoseconds)
    return 0;
  return double(amount) * double(row.calls) / double(row.nanoseconds);
}

static double fraction(double part, double whole) {
  return whole > 0 ? part / whole : 0;
}

/// Null when the roof has no reading rates.
static const MemoryRate *placeOf(const Profile &profile,
                                 const ProfileRow &row) {
  for (const MemoryRate &place : profile.roof.reads) {
    int64_t data = place.place == "L2" ? row.bytes : profile.footprint;
    if (data <= place.bytes)
      return &place;
  }
  return nullptr;
}

static double peakOf(const Profile &profile) {
  return profile.roof.peaks.empty() ? 0 : profile.roof.peaks[0].gflops;
}

Standing tenon::run::judge(const Profile &profile, const ProfileRow &row) {
  Standing standing;
  standing.gflops = rate(row.flops, row);
  standing.gbytes = rate(row.bytes, row);
  standing.ofPeak = fraction(standing.gflops, peakOf(profile));
  if (const MemoryRate *place = placeOf(profile, row)) {
    standing.place = place->place;
    standing.ofRead = fraction(standing.gbytes, place->gbytes);
  }
  if (standing.ofPeak > 0 || standing.ofRead > 0)
    standing.bound = standing.ofPeak > standing.ofRead ? "compute" : "memory";
  return standing;
}

std::vector<ProfileRow>
tenon::run::groupByKernel(const std::vector<ProfileRow> &launches) {
  std::vector<ProfileRow> rows;
  std::map<std::string, size_t> numbers;
  for (const ProfileRow &launch : launches) {
    auto [at, isNew] = numbers.try_emplace(launch.kernel, rows.size());
    if (isNew) {
      rows.push_back(launch);
      continue;
    }
    ProfileRow &row = rows[at->second];
    row.calls += launch.calls;
    row.nanoseconds += launch.nanoseconds;
    row.threads = std::max(row.threads, launch.threads);
    row.waited += launch.waited;
    row.nodes.insert(row.nodes.end(), launch.nodes.begin(), launch.nodes.end());
  }
  return rows;
}

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

/// L3 has several rates: its name alone does not tell which.
static std::string placeText(const MemoryRate &place) {
  if (place.place != "L3")
    return place.place;
  return format("L3 to %.0f MiB", double(place.bytes) / (1 << 20));
}

static std::string ownerText(const Roof &roof) {
  if (!roof.device.empty())
    return roof.device;
  return std::to_string(roof.threads) +
         (roof.threads == 1 ? " thread" : " threads");
}

static std::string roofText(const Roof &roof) {
  std::string text = "roofline of " + ownerText(roof) + ":";
  for (const Peak &peak : roof.peaks)
    text += format(" %.1f GFLOP/s", peak.gflops) +
            (peak.vectorBits ? format(" (%d-bit f32)", peak.vectorBits)
                             : " of products");
  for (const MemoryRate &place : roof.reads)
    text += format(", %s %.1f GB/s", placeText(place).c_str(), place.gbytes);
  return text + "\n";
}

static std::string nodesText(const std::vector<std::string> &nodes) {
  std::string text;
  for (const std::string &node : nodes)
    text += (text.empty() ? "" : " ") + node;
  return text.size() > 120 ? text.substr(0, 117) + "..." : text;
}

/// Of work that is counted, or a dash where it is not, or none is done.
static std::string rateText(double rate) {
  return rate > 0 ? format("%.2f", rate) : "-";
}

/// `%5.1f` of a percentage, or a dash where there is none.
static std::string percent(double fraction) {
  return fraction > 0 ? format("%.1f", 100 * fraction) : "-";
}

static constexpr const char *header =
    "      us     %  calls   us/call  GFLOP/s  %peak    GB/s  %read from"
    "    bound     tiles";

/// Whether some launches ran at once.
static bool hasWaves(const std::vector<ProfileRow> &rows) {
  return std::any_of(rows.begin(), rows.end(),
                     [](const ProfileRow &row) { return row.wave != 0; });
}

/// Columns that only waves have something for.
struct WaveColumns {
  bool wave = false; ///< its number
  bool waits = false;

  std::string header() const {
    return std::string(wave ? "  wave" : "") +
           (waits ? "  threads  waited" : "");
  }

  std::string text(const ProfileRow &row) const {
    std::string number = row.wave ? std::to_string(row.wave) : "-";
    std::string text = wave ? format("%6s", number.c_str()) : "";
    if (waits && row.threads)
      text += format("%9lld %7.1f", (long long)row.threads,
                     double(row.waited) / 1e3);
    else if (waits)
      text += format("%9s %7s", "-", "-");
    return text;
  }
};

static std::string rowText(const Profile &profile, const ProfileRow &row,
                           double runs, double total,
                           const WaveColumns &ofWaves) {
  Standing standing = judge(profile, row);
  double calls = double(std::max<int64_t>(row.calls, 1));
  return format("%8.1f %5.1f %6.0f %9.1f %8s %6s %7.2f %6s %-6s  %-7s %7lld",
                double(row.nanoseconds) / 1e3 / runs,
                100 * fraction(double(row.nanoseconds), total), calls / runs,
                double(row.nanoseconds) / 1e3 / calls,
                rateText(standing.gflops).c_str(),
                percent(standing.ofPeak).c_str(), standing.gbytes,
                percent(standing.ofRead).c_str(), standing.place.c_str(),
                standing.bound, (long long)row.tiles) +
         ofWaves.text(row) + "  " + row.kernel + "  [" + nodesText(row.nodes) +
         "]\n";
}

/// What all launches do in one run, as if they were one.
static ProfileRow addUp(const std::vector<ProfileRow> &launches) {
  ProfileRow sum;
  sum.calls = launches.empty() ? 0 : launches[0].calls;
  for (const ProfileRow &launch : launches) {
    sum.nanoseconds += launch.nanoseconds;
    sum.flops += launch.flops;
    sum.bytes += launch.bytes;
  }
  return sum;
}

static std::string totalText(const Profile &profile, const ProfileRow &sum,
                             double runs) {
  Standing standing = judge(profile, sum);
  return format("%8.1f %5.1f %6zu %9s %8s %6s %7.2f %29s  total\n",
                double(sum.nanoseconds) / 1e3 / runs, 100.0,
                profile.launches.size(), "", rateText(standing.gflops).c_str(),
                percent(standing.ofPeak).c_str(), standing.gbytes, "");
}

std::string tenon::run::profileText(const Profile &profile, bool byLaunch) {
  std::vector<ProfileRow> rows = profile.launches;
  noteWaits(rows);
  const bool waits = hasWaves(rows);
  const WaveColumns ofWaves{byLaunch && waits, waits};
  if (!byLaunch)
    rows = groupByKernel(rows);
  std::vector<const ProfileRow *> order;
  for (const ProfileRow &row : rows)
    order.push_back(&row);
  // Rows of equal time stay in program order.
  std::sort(order.begin(), order.end(),
            [](const ProfileRow *a, const ProfileRow *b) {
              return a->nanoseconds != b->nanoseconds
                         ? a->nanoseconds > b->nanoseconds
                         : a < b;
            });
  ProfileRow sum = addUp(profile.launches);
  double runs = double(std::max<int64_t>(sum.calls, 1));
  std::string text = profile.roof.peaks.empty() ? "" : roofText(profile.roof);
  text += header + ofWaves.header() + "  kernel  [nodes]\n";
  for (const ProfileRow *row : order)
    text += rowText(profile, *row, runs, double(sum.nanoseconds), ofWaves);
  return text + totalText(profile, sum, runs);
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

/// What a launch is and how it stands: the same in reports and in traces.
/// Launches that ran alone are in no wave.
static Object describe(const Profile &profile, const ProfileRow &row) {
  Standing standing = judge(profile, row);
  Object object;
  object.add("kernel", quote(row.kernel))
      .add("nodes", array(row.nodes, quote))
      .add("tiles", uint64_t(row.tiles))
      .add("flops", uint64_t(row.flops))
      .add("bytes", uint64_t(row.bytes))
      .add("gflops", number(standing.gflops))
      .add("gbytes", number(standing.gbytes))
      .add("of_peak", number(standing.ofPeak))
      .add("of_read", number(standing.ofRead))
      .add("read_from", quote(standing.place))
      .add("bound", quote(standing.bound));
  if (row.wave)
    object.add("wave", uint64_t(row.wave));
  return object;
}

std::string tenon::run::launchJson(const Profile &profile,
                                   const ProfileRow &row) {
  double calls = double(std::max<int64_t>(row.calls, 1));
  return describe(profile, row)
      .add("us", number(double(row.nanoseconds) / 1e3 / calls))
      .str();
}

/// The track of launches, one after the other.
static constexpr int runTrack = 1;

/// The track of what a thread did in waves.
static int trackOf(int thread) { return runTrack + 1 + thread; }

/// A trace event that names the process or one of its tracks.
static std::string nameEvent(const char *what, const std::string &name,
                             int track = runTrack) {
  return Object()
      .add("ph", quote("M"))
      .add("name", quote(what))
      .add("pid", 1)
      .add("tid", track)
      .add("args", Object().add("name", quote(name)).str())
      .str();
}

/// The fields of a trace event of some length but its arguments; times in
/// microseconds.
static Object span(const std::string &name, const char *kind, int track,
                   int64_t begin, int64_t nanoseconds) {
  Object event;
  event.add("ph", quote("X")).add("name", quote(name));
  if (kind)
    event.add("cat", quote(kind));
  event.add("pid", 1)
      .add("tid", track)
      .add("ts", number(double(begin) / 1e3))
      .add("dur", number(double(nanoseconds) / 1e3));
  return event;
}

/// A trace event of a launch in the latest run.
static std::string launchEvent(const Profile &profile, ProfileRow row) {
  row.calls = 1;
  row.nanoseconds = row.lastNanoseconds;
  return span(row.kernel, nullptr, runTrack, row.lastBegin, row.lastNanoseconds)
      .add("args", describe(profile, row).str())
      .str();
}

/// A trace event of what a thread did of a launch.
static std::string partEvent(const ProfileRow &row, const ProfilePart &part) {
  return span(row.kernel, nullptr, trackOf(part.thread), part.begin,
              part.nanoseconds)
      .add("args", Object()
                       .add("nodes", array(row.nodes, quote))
                       .add("tiles", uint64_t(part.tiles))
                       .add("wave", uint64_t(row.wave))
                       .str())
      .str();
}

static std::string waitEvent(const ProfileRow &awaited,
                             const ProfileWait &wait) {
  return span("waits for " + awaited.kernel, "wait", trackOf(wait.thread),
              wait.begin, wait.nanoseconds)
      .add("args", Object()
                       .add("nodes", array(awaited.nodes, quote))
                       .add("wave", uint64_t(awaited.wave))
                       .str())
      .str();
}

/// Of all launches of waves, with the names of the tracks.
static void addParts(const Profile &profile, std::vector<std::string> &events) {
  std::set<int> threads;
  for (const ProfileRow &row : profile.launches)
    for (const ProfilePart &part : row.parts)
      if (threads.insert(part.thread).second)
        events.push_back(nameEvent("thread_name",
                                   "thread " + std::to_string(part.thread),
                                   trackOf(part.thread)));
  for (const ProfileRow &row : profile.launches)
    for (const ProfilePart &part : row.parts)
      events.push_back(partEvent(row, part));
  for (const ProfileWait &wait : waitsOf(profile.launches))
    events.push_back(waitEvent(profile.launches[wait.launch], wait));
}

std::string tenon::run::traceJson(const Profile &profile,
                                  const std::string &modelName) {
  std::vector<std::string> events = {nameEvent("process_name", modelName),
                                     nameEvent("thread_name", "run")};
  for (const ProfileRow &row : profile.launches)
    events.push_back(launchEvent(profile, row));
  addParts(profile, events);
  return "{\"displayTimeUnit\": \"ns\", \"traceEvents\": " +
         array(
             events, [](const std::string &event) { return event; }, ",\n") +
         "}\n";
}
