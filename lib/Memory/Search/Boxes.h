//===- Boxes.h - an arena of plain rectangles -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_MEMORY_SEARCH_BOXES_H
#define TENON_LIB_MEMORY_SEARCH_BOXES_H

#include "lib/Memory/Search/Arena.h"
#include "llvm/ADT/BitVector.h"

namespace tenon::mem {

/// What canonical search reads: boxes are the members of an arena, all without
/// holes and each with one life. `sections` are sets of boxes that meet
/// pairwise; with one stream they are all such sets that matter, with several
/// those at the births. More sections prune more, none is needed for truth.
struct Boxes {
  explicit Boxes(const Arena &arena);

  /// Whether canonical search may be used: no block is fixed or has pieces of
  /// different lives, and there are few enough for a matrix.
  static bool describe(const Arena &arena);

  size_t count() const { return size.size(); }
  llvm::ArrayRef<unsigned> sectionsOf(unsigned box) const {
    return llvm::ArrayRef(sections).slice(
        sectionBegin[box], sectionBegin[box + 1] - sectionBegin[box]);
  }
  int64_t align(unsigned box, int64_t offset) const {
    return offset + ((phase[box] - offset) & (alignment[box] - 1));
  }

  std::vector<int64_t> size, alignment, phase, life;
  std::vector<llvm::BitVector> neighbours; ///< per box: the boxes that meet it
  std::vector<unsigned> sectionBegin, sections;
  std::vector<int64_t> sectionBytes;
  int64_t step = 1; ///< every canonical offset is a multiple of it
};

} // namespace tenon::mem

#endif // TENON_LIB_MEMORY_SEARCH_BOXES_H
