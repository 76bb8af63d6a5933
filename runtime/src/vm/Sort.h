//===- Sort.h - sorting numbers of things -------------------------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares a stable sort without state of its own.
//===----------------------------------------------------------------------===//
#ifndef TENON_RUNTIME_VM_SORT_H
#define TENON_RUNTIME_VM_SORT_H

#include <stdbool.h>
#include <stdint.h>

/// Below zero: thing `a` comes before thing `b`; zero: they are equal.
typedef int (*tenonCompareFn)(const void *things, int64_t a, int64_t b);

/// Sorts `count` numbers; equal things keep their order. `scratch` has room for
/// as many. Returns where the result is: one of both.
int64_t *tenonSort(const void *things, tenonCompareFn compare, int64_t *numbers,
                   int64_t *scratch, int64_t count);

#endif // TENON_RUNTIME_VM_SORT_H
