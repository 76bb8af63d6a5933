//===- Draw.h - a frontier as a picture -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file draws time against bytes as one self-contained SVG: our frontier
// as stairs, the plans of others as points. What lies above and to the right
// of the stairs is worse than a plan of ours:
//
//   +33 % |     x min-cut 0
//         |__
//         |  |__        x blocks
//     0 % |     |__________________o program
//         +----|-------------------------> bytes
//            bound
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_CHECKPOINT_DRAW_DRAW_H
#define TENON_LIB_CHECKPOINT_DRAW_DRAW_H

#include "lib/Checkpoint/Others.h"
#include "lib/Checkpoint/Solve.h"
#include "llvm/ADT/StringRef.h"

namespace tenon::ckpt {

/// The picture. Tooltips have the numbers. The same input gives the same bytes.
std::string drawFrontier(const Frontier &frontier,
                         llvm::ArrayRef<OtherPlan> others,
                         llvm::StringRef title);

} // namespace tenon::ckpt

#endif // TENON_LIB_CHECKPOINT_DRAW_DRAW_H
