//===- Footprint.h - what a tile needs of each statement --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the boxes that a group's statements run over in each tile,
// found backwards from the sinks:
//
//   domain(S) = window of the tile, if S is a sink
//             + what is read of the tensor that S writes, through its write
//   read(t)   = sum over the later statements of their domains, through reads
//
// One visit per statement: all that its readers need is joined first.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_POLY_FOOTPRINT_H
#define TENON_LIB_POLY_FOOTPRINT_H

#include "lib/Poly/Box.h"
#include <map>
#include <optional>

namespace tenon::poly {

struct Footprint {
  /// The group's tile dimensions, then its host dimensions: what `tileDim` of a
  /// side counts.
  std::vector<TileDim> tiles;
  /// Of each statement of the group, in its order: the instances that a tile
  /// runs; none if no tile needs any.
  std::vector<std::optional<Box>> domains;
  /// Of each tensor that statements read: the elements. In groups with host
  /// dimensions: of those that the step does not get from earlier ones.
  std::map<unsigned, Box> reads;
  /// Elements that earlier steps of host dimensions wrote.
  std::map<unsigned, Box> carried;
  /// Tensors of which reads far apart were joined: the box is more than twice
  /// what is read of it.
  std::vector<unsigned> wide;
  uint64_t visits = 0; ///< accesses followed

  const Box *domainOf(const Group &group, unsigned statement) const;
};

/// The elements that an access touches from a box of its statement's domain,
/// cut to the tensor.
Box imageOf(const Scop &scop, const Statement &statement, const Access &access,
            const Box &domain, llvm::ArrayRef<TileDim> tiles);

/// The instances that write a box of the tensor that a statement writes.
Box writersOf(const Statement &statement, const Box &elements,
              llvm::ArrayRef<TileDim> tiles);

/// `group` passes check().
Footprint footprintOf(const Scop &scop, const Group &group);

/// How many steps of host dimension `host` before the read its element was
/// written; none if that differs.
std::optional<int64_t> stepsBetween(unsigned host, const Statement &writer,
                                    const Access &read);

/// Whether each element that `reader` gets from `writer` through `read` is of
/// an earlier step of the host dimensions.
bool isCarried(const Statement &writer, const Statement &reader,
               const Access &read);
/// The same of all that statements of a group write of it; false if none do.
bool isCarried(const Scop &scop, const Group &group, const Statement &reader,
               const Access &read);

} // namespace tenon::poly

#endif // TENON_LIB_POLY_FOOTPRINT_H
