//===- Page.h - what is around the picture ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_FUSION_DRAW_PAGE_H
#define TENON_LIB_FUSION_DRAW_PAGE_H

#include "lib/Fusion/Draw/Groups.h"
#include "llvm/ADT/StringRef.h"

namespace tenon::fusion {

/// All before the picture: style, title, the sums in one line, the switch.
std::string pageHead(const GroupGraph &graph, llvm::StringRef title);

/// All after it: groups, and what goes through memory by reasons.
std::string pageTables(const GroupGraph &graph);

} // namespace tenon::fusion

#endif // TENON_LIB_FUSION_DRAW_PAGE_H
