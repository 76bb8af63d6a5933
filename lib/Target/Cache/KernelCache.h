//===- KernelCache.h - compiled kernels in a folder -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares a folder of objects, each named by what it was made from,
// so that no kernel is compiled twice by the same compiler for the same CPU or
// device, whichever model it occurs in.
//
//   KernelCache cache("kernels", 512 << 20);
//   if (auto object = cache.find(key)) ...   // a hit
//   else if (llvm::Error error = cache.store(key, compiled)) ... // go on
//   cache.prune();
//
// Several threads and processes may use one folder at once: entries appear
// whole, by a rename, and never change. A damaged one counts as absent.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_TARGET_CACHE_KERNELCACHE_H
#define TENON_LIB_TARGET_CACHE_KERNELCACHE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace tenon {

/// Machine code, or what is made of it.
using CodeBytes = std::vector<char>;

class KernelCache {
public:
  /// The folder is made when the first entry is stored; 0 bytes: no bound.
  KernelCache(std::string folder, uint64_t maxBytes)
      : folder(std::move(folder)), maxBytes(maxBytes) {}

  /// The object stored under `key` (a file name), which then counts as used;
  /// nothing when there is none or it is damaged.
  std::optional<CodeBytes> find(llvm::StringRef key) const;

  /// Stores an object. Errors: the folder or the file cannot be written.
  llvm::Error store(llvm::StringRef key, const CodeBytes &object) const;

  /// Removes the entries that were not used for longest until the others fit
  /// in `maxBytes`. Looks at every file: call it once, after storing.
  void prune() const;

private:
  std::string pathOf(llvm::StringRef key) const;

  std::string folder;
  uint64_t maxBytes;
};

} // namespace tenon

#endif // TENON_LIB_TARGET_CACHE_KERNELCACHE_H
