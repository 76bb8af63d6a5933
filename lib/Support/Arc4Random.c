//===- Arc4Random.c - what the oldest libc lacks ----------------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file goes into what has libstdc++ or LLVM inside: both ask for a
// function of glibc 2.36, and we run on 2.34.
//===----------------------------------------------------------------------===//
#include <stdint.h>
#include <sys/random.h>

uint32_t arc4random(void) {
  uint32_t value = 0;
  while (getrandom(&value, sizeof value, 0) != sizeof value) {
  }
  return value;
}
