//===- Lrn.cpp - the strategy of local response normalisation -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file normalises an element a thread. Neighbouring threads have
// neighbouring channels, so what one of them reads of the others' is in the
// first-level cache, and each load of a warp is a line or two.
//===----------------------------------------------------------------------===//
#include "passes/Codegen/Bodies/Lrn.h"
#include "dialects/Graph/Graph.h"
#include "dialects/Kernel/Buffers.h"
#include "lib/Tile/Rows.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "passes/Codegen/Bodies/Epilogue.h"
#include "passes/Codegen/Bodies/Overwrite.h"
#include "passes/Codegen/Builder/ElementwiseOps.h"
#include "passes/Codegen/Builder/VectorMath.h"
#include "passes/Codegen/Groups/WindowGroup.h"
#include "passes/CodegenGpu/Builder/ThreadBuilder.h"
#include "passes/CodegenGpu/Contraction/Reach.h"
#include "passes/CodegenGpu/Rows/ThreadNest.h"
#include "passes/CodegenGpu/Strategies.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::gpu;
using codegen::IndexedTensor;
using codegen::Num;
using memory::BufferType;

static constexpr int64_t threads = 256;

namespace {
class LrnKernel {
public:
  LrnKernel(const StageRequest &request, graph::LrnOp lrn,
            codegen::Epilogue epilogue)
      : request(request), lrn(lrn), epilogue(std::move(epilogue)),
        kernel(request.b), t(kernel.builder(), kernel.loc()),
        number(cast<BlockArgument>(lrn.getInput()).getArgNumber()),
        layout(request.operands[number]) {}

  FailureOr<StageInfo> emit();

private:
  ArrayRef<int64_t> shape() { return layout.getShape(); }
  LogicalResult normalize(ValueRange index);
  Value inputAt(ValueRange index, int64_t shift);
  Value squares(ValueRange index, Value own);
  Value addressOf(const IndexedTensor &tensor, ValueRange index);

  const StageRequest &request;
  graph::LrnOp lrn;
  codegen::Epilogue epilogue;
  codegen::KernelBuilder &kernel;
  ThreadBuilder t;
  unsigned number;
  BufferType layout;
};
} // namespace

/// The element so many channels further on, zero where there is none.
Value LrnKernel::inputAt(ValueRange index, int64_t shift) {
  Type element = layout.getElementType();
  Value channel = t.add(index.back(), shift);
  Value place = t.add(t.number(layout.getOffset()), channel);
  for (auto [at, stride] :
       llvm::zip(index.drop_back(), layout.getStrides().drop_back()))
    place = t.add(place, t.mul(at, stride));
  int64_t bytes = graph::elementBytes(element);
  Value exists = shift ? t.inside(channel, shape().back()) : Value();
  Value loaded =
      t.loadIf(exists, t.element(kernel.buffer(number), place, bytes), bytes,
               kernel.constantOf(element, 0));
  return codegen::widenFloat(kernel, loaded);
}

Value LrnKernel::squares(ValueRange index, Value own) {
  auto size = int64_t(lrn.getSize()), before = (size - 1) / 2;
  Num sum(kernel, kernel.constantOf(kernel.f32Type(), 0));
  for (int64_t i = 0; i < size; ++i) {
    Num x(kernel, i == before ? own : inputAt(index, i - before));
    sum = sum + x * x;
  }
  return sum.get();
}

Value LrnKernel::addressOf(const IndexedTensor &tensor, ValueRange index) {
  Value place = t.number(tensor.offset.fixed());
  for (auto [at, stride] : llvm::zip_equal(index, tensor.strides))
    place = t.add(place, t.mul(at, stride.fixed()));
  return t.element(kernel.buffer(tensor.buffer), place,
                   graph::elementBytes(tensor.element));
}

LogicalResult LrnKernel::normalize(ValueRange index) {
  Value own = inputAt(index, 0);
  Num factor = codegen::lrnFactor(lrn, Num(kernel, squares(index, own)));
  Value result = codegen::narrowFloat(kernel, (Num(kernel, own) * factor).get(),
                                      epilogue.sumType());
  FailureOr<codegen::Values> values =
      epilogue.compute(kernel, result, 1, [&](unsigned i) {
        const IndexedTensor &tensor = epilogue.tensors()[i];
        return kernel.load(addressOf(tensor, index),
                           kernel.registerType(tensor.element), tensor.element);
      });
  if (failed(values))
    return failure();
  for (auto [i, value] : llvm::enumerate(*values)) {
    const IndexedTensor &tensor = epilogue.tensors()[i];
    kernel.store(value, addressOf(tensor, index), tensor.element);
  }
  return success();
}

FailureOr<StageInfo> LrnKernel::emit() {
  bool waits = targetOf(request.device).programmatic;
  if (waits)
    t.waitForGrids();
  int64_t elements = layout.getTensor().getNumElements();
  Value point = t.add(t.mul(t.block(), threads), t.thread(threads));
  Value exists = elements % threads ? t.less(point, elements) : Value();
  bool isWhole = true;
  t.ifThen(exists, [&] {
    isWhole = succeeded(normalize(t.delinearize(point, shape())));
  });
  if (!isWhole)
    return failure();
  StageInfo info =
      launchOf(request, tile::ceilDiv(elements, threads), threads, 0);
  info.inPlace = codegen::overwritesOf(request.group, epilogue);
  return info;
}

//===-- Strategy ----------------------------------------------------------===//

/// Floats of 16 or 32 bits, pixel by pixel, with all that follows as large.
static bool isLrn(kernel::GroupOp group) {
  Operation *anchor = group.isStaged() ? nullptr : group.getAnchor();
  auto lrn = dyn_cast_or_null<graph::LrnOp>(anchor);
  if (!lrn || lrn.getLayout() != graph::Layout::NHWC ||
      !isa<BlockArgument>(lrn.getInput()))
    return false;
  Type element = getElementTypeOrSelf(lrn.getType());
  if (!element.isF32() && !element.isF16() && !element.isBF16())
    return false;
  auto shape = cast<RankedTensorType>(lrn.getType()).getShape();
  return llvm::all_of(group.getResultTypes(), [&](Type type) {
    auto tensor = cast<RankedTensorType>(type);
    return tensor.hasStaticShape() && tensor.getNumElements() > 0 &&
           tensor.getShape() == shape;
  });
}

static PlannedChoices planLrn(const PlanRequest &request) {
  kernel::GroupOp group = request.group;
  if (!areReached(group))
    return noChoice();
  MLIRContext *context = group.getContext();
  codegen::StagePlan result;
  result.plan = kernel::PlanAttr::get(context, lrnStrategy.name,
                                      DictionaryAttr::get(context));
  auto type = cast<RankedTensorType>(group.getResultTypes().front());
  int64_t blocks = tile::ceilDiv(type.getNumElements(), threads);
  return oneChoice(
      std::move(result),
      Time::ofMicroseconds(timeOf(group, blocks, targetOf(request.device))));
}

static FailureOr<StageInfo> emitLrn(const StageRequest &request) {
  kernel::GroupOp group = request.group;
  if (!isLrn(group))
    return group.emitOpError("has a plan for a local response normalisation");
  FailureOr<codegen::Epilogue> epilogue = codegen::Epilogue::create(request);
  if (failed(epilogue))
    return failure();
  return LrnKernel(request, cast<graph::LrnOp>(group.getAnchor()),
                   std::move(*epilogue))
      .emit();
}

/// All is addressed by strides, in 32 bits; channels of the input lie together.
static bool canAddress(kernel::GroupOp group, unsigned index, BufferType type) {
  return isReached(type) && codegen::canAddressWindow(group, index, type);
}

const Strategy tenon::gpu::lrnStrategy{"gpu_lrn", isLrn, planLrn, emitLrn,
                                       canAddress};
