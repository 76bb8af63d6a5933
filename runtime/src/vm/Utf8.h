//===- Utf8.h - upper and lower case ------------------------------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares case mappings of UTF-8 that depend on no locale: those of
// one letter to one letter in Latin (also extended), Greek, Cyrillic, Armenian
// and full-width scripts. Bytes that are no UTF-8 stay as they are.
//===----------------------------------------------------------------------===//
#ifndef TENON_RUNTIME_VM_UTF8_H
#define TENON_RUNTIME_VM_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/// How many times as many bytes a changed text may have.
#define TENON_MOST_GROWTH 2

/// Writes the text in lower or upper case; returns its size.
size_t tenonChangeCase(const char *text, size_t size, bool toUpper, char *to);

/// Whether two texts are equal but for their cases.
bool tenonIsEqualFolded(const char *a, size_t aSize, const char *b,
                        size_t bSize);

#endif // TENON_RUNTIME_VM_UTF8_H
