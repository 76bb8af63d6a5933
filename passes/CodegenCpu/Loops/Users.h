//===- Users.h - looks around in a loop nest --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_CODEGENCPU_LOOPS_USERS_H
#define TENON_PASSES_CODEGENCPU_LOOPS_USERS_H

#include "passes/Codegen/Groups/LoopNest.h"

namespace tenon::codegen {

/// Walks from a node to those that use it.
class Users {
public:
  Users(const LoopNest &nest) : nest(nest) {}

  /// Whether something uses the value, and all that does passes `test`.
  bool all(unsigned value, llvm::function_ref<bool(unsigned)> test) const {
    bool used = false;
    for (auto [user, node] : llvm::enumerate(nest.program.nodes)) {
      if (!llvm::is_contained(node.operands, value))
        continue;
      used = true;
      if (!test(user))
        return false;
    }
    return used && !isResult(value);
  }

  template <typename Op> bool is(unsigned node) const {
    return llvm::isa_and_nonnull<Op>(nest.program.nodes[node].op);
  }

  unsigned operand(unsigned node, unsigned number) const {
    return nest.program.nodes[node].operands[number];
  }

private:
  const LoopNest &nest;

  bool isResult(unsigned value) const {
    return llvm::any_of(
        nest.program.results,
        [&](const kernel::LoopResult &result) { return result.node == value; });
  }
};

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGENCPU_LOOPS_USERS_H
