//===- tenon-compare.cpp - which node computes something else -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Programs/Programs.h"

int main(int argc, char **argv) { return tenon_main_compare(argc, argv); }
