//===- Windows.cpp - where a large region is cut --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Fusion/Windows.h"
#include "llvm/ADT/DenseMap.h"

using namespace tenon;
using namespace tenon::fusion;

/// Per group, how many atoms of it or before it are needed behind it.
static std::vector<unsigned> crossings(const Grouping &grouping,
                                       llvm::ArrayRef<unsigned> places) {
  std::vector<int> change(places.size() + 1, 0);
  llvm::DenseMap<unsigned, unsigned> indexOf;
  for (auto [index, place] : llvm::enumerate(places))
    indexOf[place] = index;
  for (auto [index, place] : llvm::enumerate(places))
    for (unsigned atom : grouping.groups()[place].atoms) {
      unsigned last = index;
      for (unsigned user : grouping.graph().after[atom])
        if (auto found = indexOf.find(grouping.placeOf(user));
            found != indexOf.end())
          last = std::max(last, found->second);
      ++change[index];
      --change[last];
    }
  std::vector<unsigned> result;
  int open = 0;
  for (unsigned index = 0; index < places.size(); ++index)
    result.push_back(open += change[index]);
  return result;
}

std::vector<std::vector<unsigned>>
fusion::windowsOf(const Grouping &grouping, llvm::ArrayRef<unsigned> atoms,
                  unsigned most, unsigned first) {
  std::vector<unsigned> places = grouping.placesOf(atoms);
  std::vector<unsigned> crossing = crossings(grouping, places);
  auto atomsAt = [&](unsigned index) -> llvm::ArrayRef<unsigned> {
    return grouping.groups()[places[index]].atoms;
  };
  std::vector<std::vector<unsigned>> windows;
  for (unsigned begin = 0, limit = first; begin < places.size(); limit = most) {
    // The best end in the second half of the room that there is.
    unsigned end = begin + 1, best = end, size = atomsAt(begin).size();
    bool isHalf = false;
    for (; end <= places.size(); ++end) {
      if (size > limit)
        break;
      bool isLast = end == places.size();
      if (2 * size > limit || isLast) {
        if (!isHalf || isLast || crossing[end - 1] <= crossing[best - 1])
          best = end;
        isHalf = true;
      } else {
        best = end;
      }
      if (!isLast)
        size += atomsAt(end).size();
    }
    std::vector<unsigned> window;
    for (unsigned index = begin; index < best; ++index)
      llvm::append_range(window, atomsAt(index));
    llvm::sort(window);
    windows.push_back(std::move(window));
    begin = best;
  }
  return windows;
}
