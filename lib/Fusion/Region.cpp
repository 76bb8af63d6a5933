//===- Region.cpp - a few atoms, as bits ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Fusion/Region.h"
#include "llvm/ADT/DenseMap.h"

using namespace tenon;
using namespace tenon::fusion;

Region::Region(const Grouping &grouping, llvm::ArrayRef<unsigned> some)
    : atoms(some.begin(), some.end()), needs(some.size(), 0),
      users(some.size(), 0), touches(some.size(), 0), apart(some.size(), 0) {
  llvm::sort(atoms);
  assert(size() <= mostAtoms);
  setNeeds(grouping);
  setTouches(grouping.graph());
}

Mask Region::maskOf(llvm::ArrayRef<unsigned> some) const {
  Mask mask = 0;
  for (unsigned atom : some)
    mask |= bit(llvm::lower_bound(atoms, atom) - atoms.begin());
  return mask;
}

std::vector<unsigned> Region::atomsOf(Mask mask) const {
  std::vector<unsigned> result;
  forEach(mask, [&](unsigned index) { result.push_back(atoms[index]); });
  return result;
}

namespace {
/// What of a region a node needs at all, and by way of groups outside only.
struct Sources {
  Mask all = 0, outside = 0;
};
} // namespace

/// Groups outside are one node each; atoms inside are nodes of their own, of
/// which lower ones of a group come first. All paths from atom to atom of the
/// region lie between the first and the last of its groups.
void Region::setNeeds(const Grouping &grouping) {
  std::vector<unsigned> places = grouping.placesOf(atoms);
  unsigned begin = places.front(), end = places.back() + 1;
  std::vector<Sources> outside(end - begin); // per group
  auto indexOf = [&](unsigned atom) { return llvm::countr_zero(maskOf(atom)); };
  for (unsigned place = begin; place < end; ++place) {
    bool isInside = llvm::binary_search(places, place);
    for (unsigned atom : grouping.groups()[place].atoms) {
      Sources inner, &sources = isInside ? inner : outside[place - begin];
      for (unsigned from : grouping.graph().before[atom]) {
        unsigned at = grouping.placeOf(from);
        if (at < begin || (at == place && !isInside))
          continue;
        bool isFromInside = llvm::binary_search(places, at);
        if (isFromInside)
          sources.all |= maskOf(from) | needs[indexOf(from)];
        else
          sources.all |= outside[at - begin].all;
        if (!isFromInside)
          sources.outside |= outside[at - begin].outside;
        else if (!isInside)
          sources.outside |= maskOf(from);
      }
      if (isInside) {
        needs[indexOf(atom)] = inner.all;
        apart[indexOf(atom)] = inner.outside;
      }
    }
  }
  for (unsigned index = 0; index < size(); ++index)
    forEach(needs[index], [&](unsigned from) { users[from] |= bit(index); });
}

void Region::setTouches(const Graph &graph) {
  llvm::DenseMap<unsigned, Mask> readers;
  for (auto [index, atom] : llvm::enumerate(atoms)) {
    for (unsigned other : graph.touches[atom])
      if (llvm::binary_search(atoms, other))
        touches[index] |= maskOf(other);
    for (unsigned set : graph.readersOf[atom])
      readers[set] |= bit(index);
  }
  for (auto [index, atom] : llvm::enumerate(atoms)) {
    for (unsigned set : graph.readersOf[atom])
      touches[index] |= readers[set];
    touches[index] &= ~bit(index);
  }
}

bool Region::isConnected(Mask set) const {
  Mask reached = set & -set;
  for (Mask next = reached; next;) {
    next = touching(next) & set & ~reached;
    reached |= next;
  }
  return reached == set;
}
