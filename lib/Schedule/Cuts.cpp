//===- Cuts.cpp - what waits for what, and where to cut -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Schedule/Part.h"
#include "lib/Support/SortUnique.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"

using namespace tenon;
using namespace tenon::sched;

Predecessors sched::predecessorsOf(const Problem &problem) {
  size_t size = problem.launches.size();
  Predecessors result(size);
  for (const Order &edge : edgesOf(problem))
    result[edge.after].push_back(edge.before);
  // Later predecessors imply earlier ones, never the other way round.
  std::vector<llvm::BitVector> all(size, llvm::BitVector(size));
  for (auto [launch, direct] : llvm::enumerate(result)) {
    llvm::BitVector &mine = all[launch];
    llvm::SmallVector<unsigned, 4> kept;
    for (unsigned before : llvm::reverse(direct)) {
      if (mine.test(before))
        continue;
      mine |= all[before];
      mine.set(before);
      kept.push_back(before);
    }
    direct.assign(kept.rbegin(), kept.rend());
  }
  return result;
}

Items sched::singleItems(Predecessors before) {
  Items items;
  for (unsigned launch = 0; launch < before.size(); ++launch)
    items.launches.push_back({launch});
  items.before = std::move(before);
  return items;
}

namespace {
class Chains {
public:
  Chains(const Problem &problem, const Predecessors &before, bool chains)
      : before(before), chains(chains), mayWait(before.size(), true),
        users(before.size(), 0), lastUser(before.size()), itemOf(before.size()),
        glued(before.size()) {
    for (auto [launch, direct] : llvm::enumerate(before))
      for (unsigned one : direct) {
        ++users[one];
        lastUser[one] = unsigned(launch);
      }
    for (const Tensor &tensor : problem.tensors)
      setMayWait(tensor);
  }

  Items run() {
    for (unsigned launch = 0; launch < before.size(); ++launch)
      if (isGlued(launch))
        glued[lastUser[launch]].push_back(launch);
    for (unsigned launch = 0; launch < before.size(); ++launch)
      if (!isGlued(launch))
        place(launch);
    items.before.resize(items.launches.size());
    for (unsigned launch = 0; launch < before.size(); ++launch)
      for (unsigned one : before[launch])
        if (itemOf[one] != itemOf[launch])
          items.before[itemOf[launch]].push_back(itemOf[one]);
    for (auto &direct : items.before)
      sortUnique(direct);
    return std::move(items);
  }

private:
  /// A launch had better not wait if that keeps what is there from the start,
  /// if others begin a tensor before it then, or if it needs bytes that it
  /// frees again: there may be more beside them later.
  void setMayWait(const Tensor &tensor) {
    if (tensor.writers.size() == 1 && !tensor.output &&
        llvm::all_of(tensor.readers, [&](unsigned reader) {
          return reader == tensor.writers.front();
        }))
      mayWait[tensor.writers.front()] = false;
    for (unsigned reader : tensor.readers)
      if (tensor.writers.empty())
        mayWait[reader] = false;
    unsigned last =
        tensor.writers.empty() ? 0 : *llvm::max_element(tensor.writers);
    for (unsigned writer : tensor.writers)
      if (tensor.writers.size() > 1 &&
          (tensor.writers.size() > 2 || lastUser[writer] != last))
        mayWait[writer] = false;
  }

  /// A source that only one waits for, beside others.
  bool isGlued(unsigned launch) const {
    return mayWait[launch] && before[launch].empty() && users[launch] == 1 &&
           before[lastUser[launch]].size() > 1;
  }

  void place(unsigned launch) {
    llvm::SmallVector<unsigned, 4> others;
    for (unsigned one : before[launch])
      if (!isGlued(one))
        others.push_back(one);
    bool continues = chains && others.size() == 1 && users[others.front()] == 1;
    if (!continues)
      items.launches.emplace_back();
    unsigned item = continues ? itemOf[others.front()]
                              : unsigned(items.launches.size() - 1);
    glued[launch].push_back(launch);
    for (unsigned one : glued[launch]) {
      itemOf[one] = item;
      items.launches[item].push_back(one);
    }
  }

  const Predecessors &before;
  bool chains;
  std::vector<bool> mayWait;
  std::vector<unsigned> users, lastUser, itemOf;
  std::vector<llvm::SmallVector<unsigned, 4>> glued;
  Items items;
};
} // namespace

Items sched::joinedItems(const Problem &problem, const Predecessors &before,
                         bool chains) {
  return Chains(problem, before, chains).run();
}

std::vector<Range> sched::rangesOf(const Problem &problem, const Items &items) {
  std::vector<unsigned> itemOf(problem.launches.size());
  for (auto [item, launches] : llvm::enumerate(items.launches))
    for (unsigned launch : launches)
      itemOf[launch] = unsigned(item);
  std::vector<Range> ranges;
  for (const Unit &unit : problem.units) {
    Range range = {itemOf[unit.launches.front()], 0};
    for (unsigned launch : unit.launches)
      range = {std::min(range.first, itemOf[launch]),
               std::max(range.second, itemOf[launch])};
    ranges.push_back(range);
  }
  return ranges;
}

/// For each launch, how long a beginning of the program lies before it.
static std::vector<unsigned> prefixes(const Predecessors &before) {
  size_t size = before.size();
  std::vector<llvm::BitVector> all(size, llvm::BitVector(size));
  std::vector<unsigned> result;
  for (size_t launch = 0; launch < size; ++launch) {
    for (unsigned one : before[launch]) {
      all[launch] |= all[one];
      all[launch].set(one);
    }
    int length = all[launch].find_first_unset();
    result.push_back(length < 0 ? unsigned(size) : unsigned(length));
  }
  return result;
}

/// Places where all that follows waits for all before.
static std::vector<unsigned> exactCuts(const Predecessors &before) {
  std::vector<unsigned> length = prefixes(before), cuts;
  unsigned size = unsigned(before.size()), least = size;
  for (unsigned place = size; place-- > 1;) {
    least = std::min(least, length[place]);
    if (least >= place)
      cuts.push_back(place);
  }
  cuts.push_back(0);
  std::reverse(cuts.begin(), cuts.end());
  cuts.push_back(size);
  return cuts;
}

/// For each place, how many launches before it are waited for behind it.
static std::vector<unsigned> crossings(const Predecessors &before) {
  std::vector<unsigned> lastUser(before.size(), 0);
  for (auto [launch, direct] : llvm::enumerate(before))
    for (unsigned one : direct)
      lastUser[one] = unsigned(launch);
  std::vector<unsigned> result(before.size() + 1, 0);
  for (unsigned launch = 0; launch < before.size(); ++launch)
    for (unsigned place = launch + 1; place <= lastUser[launch]; ++place)
      ++result[place];
  return result;
}

/// A place between that few values cross, near the middle.
static unsigned cheapestCut(const std::vector<unsigned> &crossing,
                            unsigned begin, unsigned end) {
  unsigned margin = std::max(1u, (end - begin) / 8), best = begin + margin;
  uint64_t least = UINT64_MAX;
  for (unsigned place = begin + margin; place + margin <= end; ++place) {
    unsigned middle = (begin + end) / 2;
    unsigned distance = place < middle ? middle - place : place - middle;
    uint64_t price = uint64_t(crossing[place]) * 2 * (end - begin) + distance;
    if (price < least) {
      least = price;
      best = place;
    }
  }
  return best;
}

std::vector<unsigned> sched::cutsOf(const Predecessors &before, unsigned most,
                                    bool &exact,
                                    llvm::ArrayRef<Range> together) {
  std::vector<unsigned> cuts = exactCuts(before);
  llvm::erase_if(cuts, [&](unsigned cut) {
    return llvm::any_of(together, [&](const Range &range) {
      return range.first < cut && cut <= range.second;
    });
  });
  std::vector<unsigned> crossing = crossings(before);
  exact = true;
  for (size_t part = 0; part + 1 < cuts.size();) {
    if (cuts[part + 1] - cuts[part] <= most) {
      ++part;
      continue;
    }
    exact = false;
    unsigned place = cheapestCut(crossing, cuts[part], cuts[part + 1]);
    cuts.insert(cuts.begin() + part + 1, place);
  }
  return cuts;
}
