//===- Groups.h - options by what they are about ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_PROGRAMS_GROUPS_H
#define TENON_LIB_PROGRAMS_GROUPS_H

namespace tenon {

/// Has --help show the options of tenon-compile by groups, and none of LLVM's.
/// Call when all are registered.
void groupOptions();

} // namespace tenon

#endif // TENON_LIB_PROGRAMS_GROUPS_H
