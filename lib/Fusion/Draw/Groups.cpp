//===- Groups.cpp - what is fused, for people -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Fusion/Draw/Groups.h"

using namespace tenon;
using namespace tenon::fusion;

const char *tenon::fusion::toText(GroupBound bound) {
  static constexpr const char *names[] = {"compute", "caches", "memory",
                                          "launch"};
  return names[unsigned(bound)];
}

std::string tenon::fusion::kindOfReason(const std::string &reason) {
  std::string kind;
  bool inNumber = false;
  for (char symbol : reason) {
    bool isDigit = symbol >= '0' && symbol <= '9';
    if (!isDigit)
      kind += symbol;
    else if (!inNumber)
      kind += 'n';
    inNumber = isDigit;
  }
  return kind;
}

template <typename Get>
static auto sum(const std::vector<ReportedGroup> &groups, Get get) {
  decltype(get(groups.front())) total = {};
  for (const ReportedGroup &group : groups)
    total += get(group);
  return total;
}

int64_t GroupGraph::bytes() const {
  return sum(groups, [](auto &group) { return group.bytes; });
}

int64_t GroupGraph::bytesBefore() const {
  return sum(groups, [](auto &group) { return group.bytesBefore; });
}

Time GroupGraph::time() const {
  return sum(groups, [](auto &group) { return group.time; });
}

size_t GroupGraph::operators() const {
  return size_t(
      sum(groups, [](auto &group) { return int64_t(group.operators.size()); }));
}
