//===- Shrink.h - a group alone, and smaller --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares programs that are as another one is, but small: extents
// that accesses relate change together, so that strides, offsets, divisions and
// what hangs over an end stay:
//
//   x[2 * i + r - 1]     i from 56 to 10: x, from 112, to 112 - 2 * 46 = 20
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_POLY_SHRINK_H
#define TENON_LIB_POLY_SHRINK_H

#include "lib/Poly/Group.h"

namespace tenon::poly {

struct GroupProgram {
  Scop scop; ///< the group's statements, in its order
  Group group;
};

/// A group as a program: what others write is live in, what others read live
/// out.
GroupProgram programOf(const Scop &scop, const Group &group);

/// With about two tiles and a remainder along each tile dimension, and a few
/// points along others. Extents that nothing lets change stay.
GroupProgram shrink(const GroupProgram &program);

} // namespace tenon::poly

#endif // TENON_LIB_POLY_SHRINK_H
