//===- Roles.h - what an operation is to fusion -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the roles in which fusion sees operations. A role follows
// from what an operation states in its interface, from no instruction set.
//===----------------------------------------------------------------------===//
#ifndef TENON_DIALECTS_GRAPH_ROLES_H
#define TENON_DIALECTS_GRAPH_ROLES_H

#include "mlir/IR/Operation.h"

namespace tenon::graph {

enum class Role {
  Contraction, ///< sums products of two operands; both are read many times
  Window,      ///< reduces windows of one operand: pools, depthwise products
  Pointwise,   ///< each result from the operands' elements at the same index
  Reduction,   ///< many elements in, one out; or rows that know their sums
  Movement,    ///< takes elements to other places; data may say where
  Recurrence,  ///< a loop whose steps read what earlier ones wrote
  None, ///< nothing runs: constants, views, what is packed with the weights
};

/// The role of an operation; None of any that states no mathematics.
Role roleOf(mlir::Operation *op);

/// Whether a group is made around an operation of this role: at most one is in
/// a stage, and what follows it runs on its results while they are at hand.
inline bool isAnchor(Role role) {
  return role == Role::Contraction || role == Role::Window ||
         role == Role::Recurrence;
}

} // namespace tenon::graph

#endif // TENON_DIALECTS_GRAPH_ROLES_H
