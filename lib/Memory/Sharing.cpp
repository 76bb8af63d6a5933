//===- Sharing.cpp - who may share bytes while both live ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Memory/Sharing.h"

#include "llvm/ADT/STLExtras.h"

using namespace tenon::mem;

Sharing::Sharing(llvm::ArrayRef<Overlay> overlays, size_t count,
                 llvm::function_ref<bool(unsigned part, unsigned whole)> writes)
    : storages(count) {
  std::vector<std::vector<unsigned>> wholes(count);
  for (const Overlay &overlay : overlays) {
    declared.insert(std::minmax(overlay.whole, overlay.part));
    if (overlay.kind == Overlay::View)
      wholes[overlay.part].push_back(overlay.whole);
  }
  for (unsigned i = 0; i < count; ++i) {
    std::vector<unsigned> reached = {i};
    for (size_t at = 0; at < reached.size(); ++at) {
      storages[i].push_back({reached[at], writes(i, reached[at])});
      for (unsigned whole : wholes[reached[at]])
        if (!llvm::is_contained(reached, whole))
          reached.push_back(whole);
    }
  }
}

Sharing::Sharing(const Problem &problem)
    : Sharing(problem.overlays, problem.buffers.size(),
              [&](unsigned part, unsigned whole) {
                return !(problem.buffers[whole].lower <=
                         problem.buffers[part].lower);
              }) {}

bool Sharing::allowed(unsigned a, unsigned b) const {
  if (declared.count(std::minmax(a, b)))
    return true;
  for (const Storage &mine : storages[a])
    for (const Storage &other : storages[b])
      if (mine.whole == other.whole && !(mine.written && other.written))
        return true;
  return false;
}
