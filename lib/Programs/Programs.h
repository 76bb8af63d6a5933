//===- Programs.h - what the programs do ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares programs as functions, from arguments to exit status: the
// same program is linked with the libraries of the build, or with the compiler
// library, which has all code inside.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_PROGRAMS_PROGRAMS_H
#define TENON_LIB_PROGRAMS_PROGRAMS_H

extern "C" {
int tenon_main_compare(int argc, char **argv);
int tenon_main_compile(int argc, char **argv);
int tenon_main_interpret(int argc, char **argv);
int tenon_main_reduce(int argc, char **argv);
}

#endif // TENON_LIB_PROGRAMS_PROGRAMS_H
