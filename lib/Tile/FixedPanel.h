//===- FixedPanel.h - products of weights that are packed -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_TILE_FIXEDPANEL_H
#define TENON_LIB_TILE_FIXEDPANEL_H

#include "lib/Tile/Contraction.h"

#include <optional>

namespace tenon::tile {

/// The plan whose panels have so many columns, of one matrix and one step of k
/// each: those that another plan has packed. None where no register tile is as
/// wide, or lanes would not be those that the problem has.
std::optional<ContractionPlan> planForPanel(const ContractionProblem &problem,
                                            int64_t panel,
                                            const Target &target);

} // namespace tenon::tile

#endif // TENON_LIB_TILE_FIXEDPANEL_H
