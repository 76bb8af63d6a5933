//===- Windows.h - where a large region is cut ---------------------*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_FUSION_WINDOWS_H
#define TENON_LIB_FUSION_WINDOWS_H

#include "lib/Fusion/Grouping.h"

namespace tenon::fusion {

/// Splits atoms, in the order in which their groups run, into windows of whole
/// groups: `first` atoms at most in the first one and `most` in the others. A
/// cut is where the fewest atoms before it are needed behind it: at
/// articulation points, where there are such. The atoms ascend in each window.
std::vector<std::vector<unsigned>> windowsOf(const Grouping &grouping,
                                             llvm::ArrayRef<unsigned> atoms,
                                             unsigned most, unsigned first);

} // namespace tenon::fusion

#endif // TENON_LIB_FUSION_WINDOWS_H
