//===- Verify.cpp - every buffer has its place ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Memory/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tenon::memory {
#define GEN_PASS_DEF_VERIFYMEMORYPASS
#include "passes/Memory/Passes.h.inc"
} // namespace tenon::memory

using namespace mlir;
using namespace tenon;
using namespace tenon::memory;

static LogicalResult verifyMain(func::FuncOp main) {
  auto arena = main->getAttrOfType<IntegerAttr>(arenaAttr);
  if (!arena)
    return main.emitOpError("has no '") << arenaAttr << "'";
  for (auto alloc : main.getOps<AllocOp>()) {
    if (!alloc.getOffset())
      return alloc.emitOpError("has no offset");
    int64_t end = *alloc.getOffset() + alloc.getBuffer().getType().getBytes();
    if (int64_t(*alloc.getOffset()) < 0 || end > arena.getInt())
      return alloc.emitOpError("lies outside of the arena");
  }
  return success();
}

namespace {
struct VerifyMemory : memory::impl::VerifyMemoryPassBase<VerifyMemory> {
  void runOnOperation() override {
    auto main = getOperation().lookupSymbol<func::FuncOp>("main");
    if (main && failed(verifyMain(main)))
      signalPassFailure();
  }
};
} // namespace
