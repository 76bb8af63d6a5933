//===- Draw.h - a frontier as a picture -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file draws our frontier as stairs and the plans of others as points:
// see lib/Memory/Draw/Front.h.
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
