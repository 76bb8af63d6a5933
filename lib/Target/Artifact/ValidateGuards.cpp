//===- ValidateGuards.cpp - checking a guarded plan -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file states what the loader asks of guarded plans, on descriptions.
//===----------------------------------------------------------------------===//
#include "lib/Target/Artifact/Encode.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace tenon::artifact;

static_assert(guardBytes == TENON_GUARD_BYTES);

static llvm::Error checkDistances(const PlanDesc &plan) {
  uint64_t end = 0;
  for (const PlanBuffer &buffer : plan.buffers) {
    uint64_t begin = llvm::alignDown(buffer.offset, guardBytes);
    if (begin < end + guardBytes)
      return makeError("buffer " + llvm::Twine(buffer.id) +
                       " of a guarded plan has no guard below it");
    end = llvm::alignTo(buffer.offset + buffer.size, guardBytes);
  }
  if (!plan.buffers.empty() && uint64_t(plan.arenaBytes) < end + guardBytes)
    return makeError("the last buffer of a guarded plan has no guard above it");
  return llvm::Error::success();
}

static bool isInBuffer(const PlanDesc &plan, const BufferRef &ref) {
  auto after = llvm::upper_bound(
      plan.buffers, ref.offset,
      [](int64_t at, const PlanBuffer &b) { return at < b.offset; });
  if (after == plan.buffers.begin())
    return false;
  const PlanBuffer &buffer = *std::prev(after);
  return ref.offset + ref.size <= buffer.offset + buffer.size;
}

llvm::Error tenon::artifact::validateGuards(const VariantDesc &variant) {
  if (variant.plan.guard == Guard::None)
    return llvm::Error::success();
  if (variant.plan.arenaAlignment != guardBytes)
    return makeError("the arena's alignment is not that of guards");
  if (llvm::Error error = checkDistances(variant.plan))
    return error;
  for (auto [i, launch] : llvm::enumerate(variant.launches))
    for (const BufferRef &ref : launch.refs)
      if (ref.space == Space::Arena && !isInBuffer(variant.plan, ref))
        return makeError("launch " + llvm::Twine(i) +
                         " refers to bytes of no guarded buffer");
  return llvm::Error::success();
}
