//===- Interpret.cpp - the program tenon-interpret ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Programs/Programs.h"

#include "lib/Run/Driver.h"
#include "lib/Run/InterpretedExecutable.h"

int tenon_main_interpret(int argc, char **argv) {
  return tenon::run::runMain(argc, argv, tenon::run::openInterpreted);
}
