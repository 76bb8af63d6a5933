//===- Groups.h - options by what they are about ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_PROGRAMS_GROUPS_H
#define TENON_LIB_PROGRAMS_GROUPS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/CommandLine.h"

namespace tenon {

/// Options by the names that --help shows, under a title.
struct OptionGroup {
  llvm::cl::OptionCategory category;
  std::initializer_list<const char *> options;
};

/// Has --help show these groups, sorted by their titles, and none of LLVM's
/// options. Call when all are registered; the groups live as long as they.
void groupOptions(llvm::MutableArrayRef<OptionGroup> groups);

/// The groups of tenon-compile.
llvm::MutableArrayRef<OptionGroup> compilerGroups();

} // namespace tenon

#endif // TENON_LIB_PROGRAMS_GROUPS_H
