//===- Front.h - time against bytes as a picture ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file draws time against bytes as one self-contained SVG: a front of
// plans as stairs, others as points. What lies above and to the right of the
// stairs is worse than a plan of the front:
//
//   +33 % |     x another
//         |__
//         |  |__        x another
//     0 % |     |__________________o program
//         +----|-------------------------> bytes
//            bound
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_MEMORY_DRAW_FRONT_H
#define TENON_LIB_MEMORY_DRAW_FRONT_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>
#include <vector>

namespace tenon::mem {

struct FrontPoint {
  std::string name;
  int64_t time = 0;      ///< in any unit
  int64_t bytes = 0;     ///< in use at once
  std::string note = {}; ///< for its tooltip
  /// One of a family: its points are a line.
  bool isOnWay = false;
};

struct FrontScene {
  FrontPoint program;            ///< all times are shown beside its own
  std::vector<FrontPoint> plans; ///< at least one; more bytes, less time or
                                 ///< the other way round
  std::vector<FrontPoint> others;
  int64_t bound = 0; ///< bytes that no plan can do without
};

/// The picture. Tooltips have the numbers. The same input gives the same bytes.
std::string drawFront(const FrontScene &scene, llvm::StringRef title);

} // namespace tenon::mem

#endif // TENON_LIB_MEMORY_DRAW_FRONT_H
