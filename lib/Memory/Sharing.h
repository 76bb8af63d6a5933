//===- Sharing.h - who may share bytes while both live ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file has the leave that overlays give, for validators: a declared pair
// may share, and so may two views of one storage of which at most one is
// written before the storage's whole exists: both hold the whole's content.
// Two inputs of a concatenation in place may not.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_MEMORY_SHARING_H
#define TENON_LIB_MEMORY_SHARING_H

#include "lib/Memory/Problem.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <set>

namespace tenon::mem {

class Sharing {
public:
  /// For a problem: a part is written before its whole exists if it is born
  /// before it, or beside it.
  explicit Sharing(const Problem &problem);

  /// `writes(part, whole)`: whether `part` is written before `whole` exists.
  Sharing(llvm::ArrayRef<Overlay> overlays, size_t count,
          llvm::function_ref<bool(unsigned part, unsigned whole)> writes);

  bool allowed(unsigned a, unsigned b) const;

private:
  /// A storage that a buffer is a view of, over any number of steps.
  struct Storage {
    unsigned whole;
    bool written; ///< by this buffer, before the whole exists
  };
  std::set<std::pair<unsigned, unsigned>> declared;
  std::vector<std::vector<Storage>> storages; // for each buffer
};

} // namespace tenon::mem

#endif // TENON_LIB_MEMORY_SHARING_H
