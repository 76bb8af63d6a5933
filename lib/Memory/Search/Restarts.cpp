//===- Restarts.cpp - canonical search from several orders ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Memory/Search/Restarts.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <atomic>
#include <random>
#include <thread>

using namespace tenon::mem;

namespace {
/// What orders of boxes look at, larger first.
enum class Measure { Section, Area, Life };
using Criteria = std::array<Measure, 3>;
} // namespace

/// The orders that solve most instances of the literature.
static constexpr Criteria criteria[] = {
    {Measure::Section, Measure::Life, Measure::Area},
    {Measure::Section, Measure::Area, Measure::Life},
    {Measure::Life, Measure::Area, Measure::Section},
    {Measure::Area, Measure::Section, Measure::Life}};

/// Placements of the first round, at least.
static constexpr int64_t shortestRun = 1500;
/// Rounds from one run with the first order to the next.
static constexpr unsigned period = 16;
/// How much failures move a box up, in lengths of the order, per order.
static constexpr double learning[] = {2, 4, 1, 2};
/// How much chance moves a box, in lengths of the order.
static constexpr double noise = 0.01;
/// How much of old failures is kept from round to round.
static constexpr double memory = 0.9;

static double measure(const Boxes &boxes, unsigned box, Measure measure) {
  switch (measure) {
  case Measure::Section: {
    int64_t most = 0;
    for (unsigned section : boxes.sectionsOf(box))
      most = std::max(most, boxes.sectionBytes[section]);
    return double(most);
  }
  case Measure::Area:
    return double(boxes.size[box]) * double(boxes.life[box]);
  case Measure::Life:
    return double(boxes.life[box]);
  }
  return 0;
}

static std::vector<unsigned> ranksOf(llvm::ArrayRef<unsigned> order) {
  std::vector<unsigned> rank(order.size());
  for (unsigned i = 0; i < order.size(); ++i)
    rank[order[i]] = i;
  return rank;
}

static std::vector<unsigned> rankBy(const Boxes &boxes,
                                    const Criteria &criteria) {
  std::vector<std::array<double, 3>> keys;
  for (unsigned box = 0; box < boxes.count(); ++box)
    keys.push_back({measure(boxes, box, criteria[0]),
                    measure(boxes, box, criteria[1]),
                    measure(boxes, box, criteria[2])});
  std::vector<unsigned> order = numbersBelow(boxes.count());
  llvm::stable_sort(order,
                    [&](unsigned a, unsigned b) { return keys[a] > keys[b]; });
  return ranksOf(order);
}

Restarts::Restarts(const Boxes &boxes, unsigned threads)
    : boxes(boxes), threads(threads) {
  using Branch = CanonicalSearch::Branch;
  for (Branch branch : {Branch::ByStart, Branch::ByRank})
    for (auto [order, amount] : llvm::zip(criteria, learning)) {
      Searcher searcher;
      searcher.search = std::make_unique<CanonicalSearch>(boxes);
      searcher.branch = branch;
      searcher.learning = amount;
      searcher.rank = rankBy(boxes, order);
      searcher.seen.assign(boxes.sectionBytes.size(), 0);
      searcher.weight.assign(boxes.sectionBytes.size(), 0);
      searchers.push_back(std::move(searcher));
    }
}

std::vector<unsigned> Restarts::reorder(Searcher &searcher,
                                        unsigned round) const {
  if (round % period == 0)
    return searcher.rank;
  llvm::ArrayRef<int64_t> failures = searcher.search->failures();
  for (size_t s = 0; s < failures.size(); ++s) {
    searcher.weight[s] =
        searcher.weight[s] * memory + double(failures[s] - searcher.seen[s]);
    searcher.seen[s] = failures[s];
  }
  std::vector<double> key(boxes.count(), 0);
  double heaviest = 1;
  for (unsigned box = 0; box < boxes.count(); ++box) {
    for (unsigned section : boxes.sectionsOf(box))
      key[box] += searcher.weight[section];
    heaviest = std::max(heaviest, key[box]);
  }
  // mt19937 is specified; the distributions of the library are not.
  std::mt19937 random(round * 8 + unsigned(&searcher - searchers.data()));
  double length = double(boxes.count());
  for (unsigned box = 0; box < boxes.count(); ++box)
    key[box] = searcher.rank[box] -
               searcher.learning * length * key[box] / heaviest +
               noise * length * double(random()) / 4294967296.0;
  std::vector<unsigned> order = numbersBelow(boxes.count());
  llvm::stable_sort(order,
                    [&](unsigned a, unsigned b) { return key[a] < key[b]; });
  return ranksOf(order);
}

/// One run of each searcher. All that come before the first success have run
/// when it is over, whatever the number of threads.
void Restarts::runRound(unsigned round, int64_t capacity, int64_t limit) {
  std::atomic<unsigned> next = 0, decided = unsigned(searchers.size());
  auto work = [&] {
    for (unsigned i = next++; i < decided.load(); i = next++) {
      Searcher &searcher = searchers[i];
      std::vector<unsigned> rank = reorder(searcher, round);
      int64_t before = searcher.search->work();
      searcher.verdict =
          searcher.search->run(rank, searcher.branch, capacity, limit);
      searcher.work = searcher.search->work() - before;
      unsigned first = decided.load();
      while (searcher.verdict != Verdict::GaveUp && i < first &&
             !decided.compare_exchange_weak(first, i))
        ;
    }
  };
  for (Searcher &searcher : searchers)
    searcher.verdict = Verdict::GaveUp;
  std::vector<std::thread> others;
  for (unsigned t = 1; t < std::min<size_t>(threads, searchers.size()); ++t)
    others.emplace_back(work);
  work();
  for (std::thread &thread : others)
    thread.join();
}

Verdict Restarts::find(int64_t capacity, int64_t &work) {
  for (Searcher &searcher : searchers) {
    llvm::fill(searcher.weight, 0);
    searcher.seen.assign(searcher.search->failures().begin(),
                         searcher.search->failures().end());
  }
  int64_t shortest = std::max(shortestRun, 2 * int64_t(boxes.count()));
  for (unsigned round = 0; work > 0; ++round) {
    unsigned times = round / period;
    int64_t length =
        round % period ? times + 1 : int64_t(4) << std::min(times, 40u);
    runRound(round, capacity, round ? shortest * length : shortest);
    for (Searcher &searcher : searchers) {
      work -= searcher.work + 1;
      if (searcher.verdict == Verdict::Found)
        found.assign(searcher.search->starts().begin(),
                     searcher.search->starts().end());
      if (searcher.verdict != Verdict::GaveUp)
        return searcher.verdict;
    }
  }
  return Verdict::GaveUp;
}
