//===- LoadTree.cpp - bytes in use at each event --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Checkpoint/LoadTree.h"
#include "llvm/Support/MathExtras.h"

#include <limits>

using namespace tenon::ckpt;

/// Beyond all sums of bytes, and far from overflow.
static constexpr int64_t far = std::numeric_limits<int64_t>::max() / 4;

LoadTree::LoadTree(unsigned steps)
    : leaves(unsigned(llvm::PowerOf2Ceil(std::max(steps, 1u)))),
      nodes(2 * size_t(leaves), {-far, far, 0, 0, 0}), loads(leaves) {}

void LoadTree::addTo(unsigned node, int64_t bytes) {
  Node &to = nodes[node];
  to.added += bytes;
  if (to.events == 0)
    return;
  to.most += bytes;
  to.least += bytes;
  to.sum += bytes * to.events;
}

/// Renews what lies above a node.
void LoadTree::sumUp(unsigned node) {
  for (node /= 2; node >= 1; node /= 2) {
    const Node &left = nodes[2 * node], &right = nodes[2 * node + 1];
    int64_t events = left.events + right.events, added = nodes[node].added;
    nodes[node] = {-far, far, 0, events, added};
    if (events > 0)
      nodes[node] = {std::max(left.most, right.most) + added,
                     std::min(left.least, right.least) + added,
                     left.sum + right.sum + added * events, events, added};
  }
}

void LoadTree::set(unsigned step, llvm::ArrayRef<int64_t> of) {
  loads[step].assign(of.begin(), of.end());
  Node &leaf = nodes[leaves + step];
  int64_t added = leaf.added;
  leaf = {-far, far, 0, int64_t(of.size()), added};
  for (int64_t bytes : of) {
    leaf.most = std::max(leaf.most, bytes + added);
    leaf.least = std::min(leaf.least, bytes + added);
    leaf.sum += bytes + added;
  }
  sumUp(leaves + step);
}

void LoadTree::add(unsigned first, unsigned last, int64_t bytes) {
  if (first >= last || bytes == 0)
    return;
  unsigned left = first + leaves, right = last + leaves;
  for (; left < right; left /= 2, right /= 2) {
    if (left % 2)
      addTo(left++, bytes);
    if (right % 2)
      addTo(--right, bytes);
  }
  sumUp(first + leaves);
  sumUp(last - 1 + leaves);
}

int64_t LoadTree::above(unsigned node, int64_t budget, int64_t added) const {
  const Node &of = nodes[node];
  if (of.events == 0 || of.most + added <= budget)
    return 0;
  if (of.least + added >= budget)
    return of.sum + (added - budget) * of.events;
  added += of.added;
  if (node < leaves)
    return above(2 * node, budget, added) + above(2 * node + 1, budget, added);
  int64_t sum = 0;
  for (int64_t bytes : loads[node - leaves])
    sum += std::max<int64_t>(bytes + added - budget, 0);
  return sum;
}

llvm::SmallVector<int64_t, 4> LoadTree::loadsOf(unsigned step) const {
  int64_t added = 0;
  for (unsigned node = leaves + step; node >= 1; node /= 2)
    added += nodes[node].added;
  llvm::SmallVector<int64_t, 4> found;
  for (int64_t bytes : loads[step])
    found.push_back(bytes + added);
  return found;
}
