//===- Driver.h - tenon-run from arguments to exit status -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is the entry of lib/Run.
//===----------------------------------------------------------------------===//
#ifndef TENON_RUN_DRIVER_H
#define TENON_RUN_DRIVER_H

#include "lib/Run/Executable.h"
#include "lib/Run/Options.h"

namespace tenon::run {

/// Does what the options say, with what `open` loads. Prints to standard
/// output, errors to standard error. Returns the exit status.
int drive(const Options &options, const OpenFunction &open);

/// Parses the arguments, answers --help and --version, and drives `open`.
int runMain(int argc, char **argv, const OpenFunction &open);

} // namespace tenon::run

#endif // TENON_RUN_DRIVER_H
