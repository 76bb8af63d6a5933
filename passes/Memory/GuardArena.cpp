//===- GuardArena.cpp - a page of nothing between buffers -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Memory/ArenaOrder.h"
#include "passes/Memory/Guards.h"
#include "passes/Memory/Passes.h"

#include "dialects/Graph/Programs.h"
#include "lib/Target/Artifact/Artifact.h"
#include "llvm/Support/MathExtras.h"

namespace tenon::memory {
#define GEN_PASS_DEF_GUARDARENAPASS
#include "passes/Memory/Passes.h.inc"
} // namespace tenon::memory

using namespace mlir;
using namespace tenon;
using namespace tenon::memory;

void memory::startAtFirstWrite(func::FuncOp main,
                               MutableArrayRef<LiveBuffer> buffers) {
  llvm::DenseMap<Operation *, int64_t> firstWrites;
  auto note = [&](ValueRange written, int64_t launch) {
    for (Value buffer : written)
      firstWrites.try_emplace(storageOf(buffer), launch);
  };
  for (auto [i, launch] : llvm::enumerate(main.getOps<kernel::LaunchOp>())) {
    note(launch.getWrites(), i);
    note(launch.getScratch(), i);
  }
  for (LiveBuffer &buffer : buffers)
    if (auto write = firstWrites.find(buffer.alloc); write != firstWrites.end())
      buffer.first = write->second;
}

namespace {
struct GuardArena : memory::impl::GuardArenaPassBase<GuardArena> {
  using Base::Base;

  void runOnOperation() override {
    if (side != "above" && side != "below") {
      getOperation().emitError("guards are above or below, not '")
          << side << "'";
      return signalPassFailure();
    }
    auto programs = graph::programs(getOperation());
    if (programs.size() > 1) {
      emitError(getOperation().getLoc(),
                "buffers cannot be guarded in a model of several programs, as "
                "control flow makes them");
      return signalPassFailure();
    }
    for (func::FuncOp program : programs)
      if (failed(guard(program)))
        return signalPassFailure();
  }

  LogicalResult guard(func::FuncOp main) {
    constexpr int64_t unit = artifact::guardBytes;
    MemoryDialect::ArenaBytesAttrHelper bytesOf(&getContext());
    if (!bytesOf.isAttrPresent(main))
      return main.emitOpError("has no plan that guards could be added to");
    if (hasSymbols(main))
      return main.emitError(
          "buffers cannot be guarded whose sizes are known in "
          "the run only; --dim or --shape fixes them");
    Builder b(&getContext());
    int64_t end = 0;
    for (auto alloc : main.getOps<AllocOp>()) {
      int64_t bytes = alloc.getBuffer().getType().getBytes();
      int64_t begin = end + unit;
      end = begin + llvm::alignTo(bytes, unit);
      int64_t offset = side == "above" ? end - bytes : begin;
      alloc.setOffsetAttr(b.getI64IntegerAttr(offset));
      // Kernels ask for the alignment of an element only.
      alloc.setAlignment(int64_t(llvm::MinAlign(offset, alloc.getAlignment())));
      ++numBuffers;
    }
    int64_t arena = end ? end + unit : 0;
    bytesOf.setAttr(main, b.getI64IntegerAttr(arena));
    MemoryDialect::ArenaGuardAttrHelper(&getContext())
        .setAttr(main, b.getStringAttr(side));
    arenaBytes += arena;
    return success();
  }
};
} // namespace
