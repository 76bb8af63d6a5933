//===- Waits.h - who waited for what in a run -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares what the clocks of waves say of threads without work: a
// wave ends when its last thread is done, so all others wait for the launch
// that thread is at.
//
//   thread 0   | a  |  b  |  waits for c  |
//   thread 1   | a |       c              |
//===----------------------------------------------------------------------===//
#ifndef TENON_RUN_WAITS_H
#define TENON_RUN_WAITS_H

#include "lib/Run/Executable.h"

namespace tenon::run {

/// Of the latest run; times as in ProfileRow.
struct ProfileWait {
  int thread = 0;
  int64_t begin = 0, nanoseconds = 0;
  size_t launch = 0; ///< that is waited for
};

/// In each wave, of all threads that had some part of any.
std::vector<ProfileWait> waitsOf(const std::vector<ProfileRow> &launches);

/// Fills in `threads` and `waited` of launches that ran in waves.
void noteWaits(std::vector<ProfileRow> &launches);

} // namespace tenon::run

#endif // TENON_RUN_WAITS_H
