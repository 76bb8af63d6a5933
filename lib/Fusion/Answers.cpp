//===- Answers.cpp - what the oracle said ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Fusion/Answers.h"

using namespace tenon::fusion;

Answer &Answers::of(const Group &group) {
  auto [entry, isNew] = known.try_emplace(group);
  Answer &answer = entry->second;
  if (isNew) {
    answer.cost = oracle.bound(group);
    answer.isFinal = !answer.cost;
  }
  return answer;
}

const std::optional<Cost> &Answers::ask(const Group &group, Answer &answer) {
  if (answer.isFinal)
    return answer.cost;
  ++asked;
  answer.cost = oracle.cost(group);
  answer.isFinal = true;
  return answer.cost;
}
