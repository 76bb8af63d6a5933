//===- Emit.cpp - code of stages for blocks -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenGpu/Builder/ThreadBuilder.h"
#include "passes/CodegenGpu/GpuDevice.h"
#include "passes/CodegenGpu/Stages/Stages.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::gpu;
using codegen::Interval;
using codegen::KernelBuilder;

const codegen::Device &tenon::gpu::threadsOf(const codegen::Device &device) {
  return static_cast<const GpuDevice &>(device).threads();
}

namespace {
/// The threads of a block: neighbours have neighbouring parts.
class BlockTeam : public codegen::TileTeam {
public:
  explicit BlockTeam(Value thread) : thread(thread) {}

  void share(KernelBuilder &b, Value count,
             function_ref<void(Interval)> emit) override {
    b.loop(thread, count, blockOfStages,
           [&](Value part) { emit({part, b.add(part, 1)}); });
  }
  void wait(KernelBuilder &b) override {
    ThreadBuilder(b.builder(), b.loc()).barrier();
  }

private:
  Value thread;
};
} // namespace

/// Strategies of processors know memory of one kind.
static Value generic(OpBuilder &b, Location loc, Value pointer) {
  auto type = LLVM::LLVMPointerType::get(b.getContext());
  return LLVM::AddrSpaceCastOp::create(b, loc, type, pointer);
}

static Value wide(OpBuilder &b, Location loc, Value number) {
  return arith::ExtUIOp::create(b, loc, b.getI64Type(), number);
}

/// Bytes between stages, or failure with a diagnostic.
static FailureOr<int64_t> sharedBytes(kernel::GroupOp group,
                                      const tile::GpuTarget &target) {
  FailureOr<codegen::TileGrid> grid = codegen::TileGrid::create(group);
  if (failed(grid))
    return failure();
  auto locals =
      codegen::localBuffers(group, *grid, codegen::noOverwrites(group));
  if (failed(locals))
    return failure();
  if (locals->size > target.sharedBytes)
    return group.emitOpError("leaves ")
           << locals->size << " bytes between its stages, but a block has "
           << target.sharedBytes;
  return locals->size;
}

FailureOr<StageInfo> tenon::gpu::emitStages(const StageRequest &request) {
  kernel::GroupOp group = request.group;
  FailureOr<int64_t> shared = sharedBytes(group, targetOf(request.device));
  if (failed(shared))
    return failure();
  OpBuilder &builder = request.b.builder();
  Location loc = group.getLoc();
  ThreadBuilder t(builder, loc);
  Values pointers;
  for (unsigned i = 0; i < request.operands.size() + request.results.size();
       ++i)
    pointers.push_back(generic(builder, loc, request.b.buffer(i)));
  Value local = generic(builder, loc, t.shared(sharedArray(moduleOf(request))));
  BlockTeam block(wide(builder, loc, t.thread(blockOfStages)));
  Value tile = wide(builder, loc, t.block());
  KernelBuilder b(request.b, loc, pointers, {tile, request.b.add(tile, 1)},
                  local);
  FailureOr<StageInfo> info =
      codegen::emitTeam({threadsOf(request.device), request.function, b, group,
                         request.operands, request.results, request.plan},
                        block);
  if (failed(info))
    return failure();
  MLIRContext *context = builder.getContext();
  info->launch = kernel::DeviceAttr::get(
      context, {1, 1}, blockOfStages, *shared, /*cluster=*/1,
      /*cooperative=*/false, /*programmatic=*/false,
      ArrayAttr::get(context, {}));
  return info;
}
