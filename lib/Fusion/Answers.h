//===- Answers.h - what the oracle said ---------------------------*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_FUSION_ANSWERS_H
#define TENON_LIB_FUSION_ANSWERS_H

#include "lib/Fusion/Problem.h"
#include "llvm/ADT/Hashing.h"
#include <unordered_map>

namespace tenon::fusion {

/// A bound, until the oracle is asked; then the cost.
struct Answer {
  std::optional<Cost> cost; ///< none: there is no such kernel
  bool isFinal = false;
};

/// Asks an oracle at most once for each group.
class Answers {
public:
  explicit Answers(Oracle &oracle) : oracle(oracle) {}

  /// What is known of a group, without a question. It stays where it is.
  Answer &of(const Group &group);
  /// The answer to a question.
  const std::optional<Cost> &ask(const Group &group, Answer &answer);
  const std::optional<Cost> &ask(const Group &group) {
    return ask(group, of(group));
  }

  int64_t asked = 0;

private:
  struct Hash {
    size_t operator()(const Group &group) const {
      return llvm::hash_combine(
          llvm::hash_combine_range(group.atoms.begin(), group.atoms.end()),
          llvm::hash_combine_range(group.clones.begin(), group.clones.end()));
    }
  };

  Oracle &oracle;
  std::unordered_map<Group, Answer, Hash> known;
};

} // namespace tenon::fusion

#endif // TENON_LIB_FUSION_ANSWERS_H
