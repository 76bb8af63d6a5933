//===- Recurrence.h - how a loop over time is tiled -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the problem of a recurrent layer: in each time step the
// state of each sequence meets the whole recurrence matrix, whose result the
// next step needs. Two things can run at once: sequences (and directions),
// which never meet, and the hidden units of one step, which must all be there
// before the next one starts.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_TILE_RECURRENCE_H
#define TENON_LIB_TILE_RECURRENCE_H

#include "lib/Tile/Target.h"
#include "llvm/Support/Error.h"

namespace tenon::tile {

/// `gates` matrices `[hidden, hidden]` per direction.
struct RecurrenceProblem {
  int64_t directions = 1, batch = 1, gates = 1, hidden = 1;
  int64_t elementBytes = 4;     ///< of the matrices
  int64_t accumulatorBytes = 4; ///< of sums in registers
};

/// The decision. Units are cut into panels of `vectors` vectors; a register
/// tile is `rows` sequences by the panel's vectors of all gates. A tile of the
/// launch is either `rows` sequences through all of time, or, with `split`, one
/// panel in one step for all sequences, with a barrier after each step.
struct RecurrencePlan {
  int64_t lanes = 1;
  int64_t vectors = 1;
  int64_t rows = 1;
  bool split = false;

  int64_t panel() const { return vectors * lanes; }
  int64_t panels(const RecurrenceProblem &problem) const {
    return (problem.hidden + panel() - 1) / panel();
  }
};

/// Chooses a plan; there always is one.
RecurrencePlan plan(const RecurrenceProblem &problem, const Target &target);

/// Checks that a plan's registers exist and that nothing in it is empty.
llvm::Error validate(const RecurrenceProblem &problem,
                     const RecurrencePlan &plan, const Target &target);

/// Calls `visit(name, field)` for every number of a plan, in printing order.
template <typename Plan, typename Visit>
  requires std::is_same_v<std::remove_const_t<Plan>, RecurrencePlan>
void visitFields(Plan &plan, Visit visit) {
  visit("lanes", plan.lanes);
  visit("vectors", plan.vectors);
  visit("rows", plan.rows);
  visit("split", plan.split);
}

} // namespace tenon::tile

#endif // TENON_LIB_TILE_RECURRENCE_H
