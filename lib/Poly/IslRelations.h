//===- IslRelations.h - programs as isl's relations -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares what relations programs consist of. Spaces are instances
// of a statement, elements of a tensor, and origins of tiles, in the order of
// their dimensions, host dimensions last; the sizes of tiles are parameters.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_POLY_ISLRELATIONS_H
#define TENON_LIB_POLY_ISLRELATIONS_H

#include "lib/Poly/Footprint.h"
#include "lib/Poly/Isl.h"

namespace tenon::poly {

/// From the instances of a statement to the elements of an access, within the
/// tensor.
IslMap relationOf(IslContext &isl, const Scop &scop, const Statement &statement,
                  const Access &access);

/// All instances, with `sizes` parameters of at least 1.
IslMap instancesOf(IslContext &isl, const Statement &statement, size_t sizes);

/// From origins to what a tile has of a sink: o <= i < o + T.
IslMap windowOf(IslContext &isl, const Scop &scop, const Group &group,
                const Sink &sink);

/// From origins to what a tile needs of each statement of a group, for all
/// sizes; nothing for those that no tile needs. Each statement is a step of the
/// context's.
std::vector<std::optional<IslMap>> domainsOf(IslContext &isl, const Scop &scop,
                                             const Group &group);

/// From the numbers of the tiles that there are to the points of a box.
IslMap relationOf(IslContext &isl, const Box &box,
                  llvm::ArrayRef<TileDim> tiles);

/// From instances to instances, the first of whose dimensions are `host` host
/// ones: pairs of which the first is not in an earlier step than the second.
IslMap notBefore(IslContext &isl, unsigned from, unsigned to, unsigned host);
/// Pairs that are not in the same step. `host` is at least 1.
IslMap apart(IslContext &isl, unsigned from, unsigned to, unsigned host);

} // namespace tenon::poly

#endif // TENON_LIB_POLY_ISLRELATIONS_H
