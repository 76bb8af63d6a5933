//===- tenon-interpret.cpp - tenon-run --interpret ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is what tenon-run becomes for --interpret: the same options over
// the reference interpreter.
//===----------------------------------------------------------------------===//
#include "lib/Run/Driver.h"
#include "lib/Run/InterpretedExecutable.h"

int main(int argc, char **argv) {
  return tenon::run::runMain(argc, argv, tenon::run::openInterpreted);
}
