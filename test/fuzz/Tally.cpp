//===- Tally.cpp - what many graphs came to -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/fuzz/Tally.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>

using namespace tenon::fuzz;

static std::string format(const char *text, ...)
    __attribute__((format(printf, 1, 2)));
static std::string format(const char *text, ...) {
  char line[512];
  va_list arguments;
  va_start(arguments, text);
  vsnprintf(line, sizeof line, text, arguments);
  va_end(arguments);
  return line;
}

std::string tenon::fuzz::kindOf(const std::string &message) {
  std::string kind;
  bool isQuoted = false;
  for (char c : message.substr(0, message.find('\n'))) {
    if (c == '\'') {
      isQuoted = !isQuoted;
      kind += isQuoted ? "'" : "_'";
    } else if (!isQuoted &&
               !(isdigit(c) && !kind.empty() && kind.back() == '0')) {
      kind += isdigit(c) ? '0' : c;
    }
  }
  return kind.substr(0, 150);
}

void Tally::add(uint64_t seed, const Verdict &verdict) {
  ++graphs;
  ++outcomes[unsigned(verdict.outcome)];
  compileSeconds += verdict.compileSeconds;
  runSeconds += verdict.runSeconds;
  interpretSeconds += verdict.interpretSeconds;
  kernels += verdict.kernels;
  cached += verdict.cachedKernels;
  if (verdict.outcome <= Outcome::Rounds) {
    silent += !verdict.answers;
    return;
  }
  bool isRefusal = verdict.outcome == Outcome::Refused;
  auto &rows = isRefusal ? refusals : others;
  Row &row = rows[{isRefusal ? verdict.op : outcomeName(verdict.outcome),
                   kindOf(verdict.text)}];
  ++row.count;
  row.seed = std::min(row.seed, seed);
  if (isFault(verdict.outcome))
    faulty[seed] = verdict.outcome;
}

std::vector<uint64_t> Tally::faults() const {
  std::vector<uint64_t> seeds;
  for (const auto &[seed, outcome] : faulty)
    seeds.push_back(seed);
  return seeds;
}

std::string Tally::line(double seconds) const {
  return format("%lld graphs in %.0f s, %.0f ms each: %lld refused, %zu faults",
                (long long)graphs, seconds, 1000 * seconds / double(graphs),
                (long long)outcomes[unsigned(Outcome::Refused)], faulty.size());
}

/// Rows, those that come most often first.
template <typename Rows> static std::string tableOf(const Rows &rows) {
  std::vector<std::pair<int64_t, std::string>> lines;
  for (const auto &[key, row] : rows)
    lines.push_back(
        {-row.count, format("%7lld  %-22s %s (graph %llu)\n",
                            (long long)row.count, key.first.c_str(),
                            key.second.c_str(), (unsigned long long)row.seed)});
  std::sort(lines.begin(), lines.end());
  std::string text;
  for (const auto &[count, line] : lines)
    text += line;
  return text;
}

std::string Tally::table(double seconds) const {
  std::string text;
  if (!refusals.empty())
    text += "refused by\n" + tableOf(refusals);
  if (!others.empty())
    text += "faults\n" + tableOf(others);
  auto of = [&](Outcome outcome) {
    return (long long)outcomes[unsigned(outcome)];
  };
  text += format("of those that agree, %lld do but for what roundings change, "
                 "and %lld have no output that answers to the inputs\n",
                 of(Outcome::Rounds), (long long)silent);
  text += format("%lld kernels, %lld of them from the cache; of processors: "
                 "%.0f s compile, %.0f s run, %.0f s interpret\n",
                 (long long)kernels, (long long)cached, compileSeconds,
                 runSeconds, interpretSeconds);
  text += format("%lld graphs in %.0f s, %.0f ms each\n", (long long)graphs,
                 seconds, 1000 * seconds / double(graphs));
  return text + format("%lld agree, %lld refused, %zu faults\n",
                       of(Outcome::Agrees) + of(Outcome::Rounds),
                       of(Outcome::Refused), faulty.size());
}
