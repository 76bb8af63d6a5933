//===- tenon-interpret.cpp - tenon-run --interpret ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is what tenon-run becomes for --interpret: the same options over
// the reference interpreter.
//===----------------------------------------------------------------------===//
#include "lib/Programs/Programs.h"

int main(int argc, char **argv) { return tenon_main_interpret(argc, argv); }
