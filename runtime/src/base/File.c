//===- File.c - mapped files and executable pages -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file implements the run time's use of virtual memory.
//===----------------------------------------------------------------------===//
#include "src/base/File.h"

#include "src/base/Status.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static tenon_status *ioError(const char *path, const char *what) {
  return tenonFail(TENON_IO_ERROR, "", "cannot %s '%s': %s", what, path,
                   strerror(errno));
}

void tenonAskForHugePages(void *base, size_t size) {
#ifdef MADV_HUGEPAGE
  if (size >= TENON_HUGE_PAGE_BYTES)
    madvise(base, size, MADV_HUGEPAGE);
#else
  (void)base;
  (void)size;
#endif
}

static tenon_status *mapOpenFile(const char *path, int descriptor,
                                 struct tenonMapping *mapping) {
  struct stat info;
  if (fstat(descriptor, &info) != 0)
    return ioError(path, "read");
  if (!S_ISREG(info.st_mode))
    return tenonFail(TENON_IO_ERROR, "", "'%s' is not a regular file", path);
  if (info.st_size <= 0)
    return tenonFail(TENON_BAD_ARTIFACT, "", "'%s' is empty", path);
  size_t size = (size_t)info.st_size;
  void *base = mmap(NULL, size, PROT_READ, MAP_SHARED, descriptor, 0);
  if (base == MAP_FAILED)
    return ioError(path, "map");
  // What is read from a disk then comes, and is mapped, in such pages, too.
  tenonAskForHugePages(base, size);
  mapping->base = base;
  mapping->size = size;
  return NULL;
}

tenon_status *tenonMapFile(const char *path, struct tenonMapping *mapping,
                           int *descriptor) {
  // Without O_NONBLOCK opening a pipe would wait for its writer.
  int opened = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (opened < 0)
    return ioError(path, "open");
  tenon_status *status = mapOpenFile(path, opened, mapping);
  if (status) {
    close(opened);
    return status;
  }
  *descriptor = opened;
  return NULL;
}

static tenon_status *copyCode(const void *code, size_t size,
                              struct tenonMapping *mapping) {
  void *base = mmap(NULL, size, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (base == MAP_FAILED)
    return tenonNoMemory(size);
  memcpy(base, code, size);
  if (mprotect(base, size, PROT_READ | PROT_EXEC) != 0) {
    int error = errno;
    munmap(base, size);
    return tenonFail(TENON_UNSUPPORTED, "",
                     "the system refuses executable memory: %s",
                     strerror(error));
  }
  __builtin___clear_cache((char *)base, (char *)base + size);
  mapping->base = base;
  mapping->size = size;
  return NULL;
}

tenon_status *tenonMapCode(const void *code, size_t size, int descriptor,
                           uint64_t offset, struct tenonMapping *mapping) {
  long page = sysconf(_SC_PAGESIZE);
  if (descriptor >= 0 && page > 0 && offset % (uint64_t)page == 0) {
    void *base = mmap(NULL, size, PROT_READ | PROT_EXEC, MAP_PRIVATE,
                      descriptor, (off_t)offset);
    if (base != MAP_FAILED) {
      mapping->base = base;
      mapping->size = size;
      return NULL;
    }
  }
  return copyCode(code, size, mapping);
}

void tenonUnmap(struct tenonMapping *mapping) {
  if (mapping->base)
    munmap(mapping->base, mapping->size);
  mapping->base = NULL;
  mapping->size = 0;
}
