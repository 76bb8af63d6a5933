//===- Draw.h - groups as a picture -----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file draws a fused program as one self-contained HTML page that is XML,
// too: groups from top to bottom with their operators and stages inside, and
// the values that go through memory as lines between them, as thick as they are
// large. A switch colours groups by what bounds them or by the traffic that
// they save; tooltips and tables have the numbers.
//
//        | 1.5 MiB
//   +----v--------------+
//   | #3 gemm    -40 %  |
//   | [conv  /f.1/Conv] |
//   |  |                |
//   | [relu  /f.1/Relu] |
//   +----+--------------+
//        | 96 KiB
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_FUSION_DRAW_DRAW_H
#define TENON_LIB_FUSION_DRAW_DRAW_H

#include "lib/Fusion/Draw/Groups.h"
#include "llvm/ADT/StringRef.h"

namespace tenon::fusion {

/// The page. The same input gives the same bytes.
std::string drawGroups(const GroupGraph &graph, llvm::StringRef title);

} // namespace tenon::fusion

#endif // TENON_LIB_FUSION_DRAW_DRAW_H
