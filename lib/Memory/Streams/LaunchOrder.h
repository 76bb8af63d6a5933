//===- LaunchOrder.h - orders that keep less alive --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares a search for an order of nodes in which fewer bytes live
// at once. Nodes stay where they are but for those around a peak: what makes a
// tensor that nobody reads yet runs later, what reads one for the last time
// runs earlier, each with the nodes between that it cannot pass:
//
//   a b c d e      the most lives at c      a c b d e      what b makes is not
//     b.....e                                               there yet
//   a...c
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_MEMORY_STREAMS_LAUNCHORDER_H
#define TENON_LIB_MEMORY_STREAMS_LAUNCHORDER_H

#include "lib/Memory/Streams/Program.h"

namespace tenon::mem {

/// An order of the nodes of a checked program of one stream, in which fewer
/// bytes live at once than in that of their launch; that one, if none is found.
/// Work is counted: the same program has the same order.
std::vector<unsigned> lowerPeak(const Program &program);

} // namespace tenon::mem

#endif // TENON_LIB_MEMORY_STREAMS_LAUNCHORDER_H
