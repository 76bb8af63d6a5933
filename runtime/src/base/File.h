//===- File.h - mapped files and executable pages -----------------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the run time's use of virtual memory.
//===----------------------------------------------------------------------===//
#ifndef TENON_RUNTIME_BASE_FILE_H
#define TENON_RUNTIME_BASE_FILE_H

#include "tenon-c/Runtime.h"

/// Of x86-64, and of AArch64 with pages of 4 KiB.
#define TENON_HUGE_PAGE_BYTES ((size_t)2 << 20)

/// Asks the system for huge pages in a range that begins with one, where they
/// are not touched yet; a wish that it need not grant.
void tenonAskForHugePages(void *base, size_t size);

/// A range of mapped pages; unmapped by tenonUnmap. Zero: nothing mapped.
struct tenonMapping {
  void *base;
  size_t size;
};

/// Maps a regular, non-empty file read-only. `descriptor` stays open, for
/// tenonMapCode, and is the caller's to close.
tenon_status *tenonMapFile(const char *path, struct tenonMapping *mapping,
                           int *descriptor);

/// Maps `size` bytes of code at `code` read-execute: from the file
/// (`descriptor`, `offset`) where pages allow, else (descriptor -1, another
/// page size, a volume mounted noexec) from a copy. Never writable and
/// executable at once.
tenon_status *tenonMapCode(const void *code, size_t size, int descriptor,
                           uint64_t offset, struct tenonMapping *mapping);

void tenonUnmap(struct tenonMapping *mapping);

#endif // TENON_RUNTIME_BASE_FILE_H
