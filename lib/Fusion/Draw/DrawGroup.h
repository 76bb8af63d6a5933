//===- DrawGroup.h - one group's picture ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_FUSION_DRAW_DRAWGROUP_H
#define TENON_LIB_FUSION_DRAW_DRAWGROUP_H

#include "lib/Fusion/Draw/Groups.h"
#include "lib/Fusion/Draw/Layers.h"
#include "lib/Memory/Draw/Svg.h"

namespace tenon::fusion {

/// How many operators a box shows; the tooltip has all.
struct GroupStyle {
  unsigned rows = 12;
};

/// The size of a group's box.
Box boxOf(const ReportedGroup &group, const GroupStyle &style);

/// Draws it where it has been placed.
void drawGroup(const ReportedGroup &group, unsigned number, const Box &box,
               const GroupStyle &style, mem::Svg &svg);

/// All that is known of it, in lines.
std::string describeGroup(const ReportedGroup &group, unsigned number);

/// "85.3 k", "1.2 M": a number for people.
std::string humanCount(double count);

/// "850 ns", "12 us", "1.5 ms".
std::string humanTime(Time time);

/// "781 KiB", "1.5 MiB": bytes for a narrow place.
std::string sizeText(int64_t bytes);

/// "-45 %"; empty where next to nothing is saved.
std::string savedText(const ReportedGroup &group);

/// "14 x 14 of 56 x 56"; empty without a tile.
std::string tileText(const ReportedGroup &group);

/// The end of a name that is longer than `most`.
std::string shortName(llvm::StringRef name, size_t most);

} // namespace tenon::fusion

#endif // TENON_LIB_FUSION_DRAW_DRAWGROUP_H
