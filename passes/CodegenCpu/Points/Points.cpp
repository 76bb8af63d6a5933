//===- Points.cpp - the strategy for any sizes ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file finds the formula of an anchor, and stores what follows it, a row
// of the result after the other.
//===----------------------------------------------------------------------===//
#include "passes/CodegenCpu/Points/Points.h"

#include "dialects/Graph/Graph.h"
#include "dialects/Kernel/Buffers.h"
#include "passes/Codegen/Bodies/Epilogue.h"
#include "passes/Codegen/Bodies/Move.h"
#include "passes/Codegen/Builder/ElementwiseOps.h"
#include "passes/CodegenCpu/Strategies.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

using Formula = Value (*)(const PointAnchor &, ValueRange);

static Formula formulaOf(Operation *anchor) {
  using namespace tenon::graph;
  return llvm::TypeSwitch<Operation *, Formula>(anchor)
      .Case([](MatmulOp) { return productAt; })
      .Case([](ConvOp) { return convolutionAt; })
      .Case([](ConvTransposeOp) { return transposedAt; })
      .Case<MaxPoolOp, AvgPoolOp>([](Operation *) { return poolAt; })
      .Case([](LrnOp) { return lrnAt; })
      .Default([](Operation *) { return nullptr; });
}

namespace {
class PointsKernel {
public:
  PointsKernel(const StageRequest &request, Epilogue epilogue)
      : request(request), b(request.b), epilogue(std::move(epilogue)),
        anchor{b, kernel::GroupOp(request.group).getAnchor(), {}, {}} {
    anchor.result = graph::sizesOf(anchor.op->getResult(0).getType());
    for (Value operand : anchor.op->getOperands())
      anchor.operands.push_back(
          tensorOf(cast<BlockArgument>(operand).getArgNumber()));
  }

  FailureOr<StageInfo> emit();

private:
  PointTensor tensorOf(unsigned buffer) {
    unsigned operands = request.operands.size();
    return PointTensor::of(b, buffer,
                           buffer < operands
                               ? request.operands[buffer]
                               : request.results[buffer - operands]);
  }
  LogicalResult point(ValueRange place);

  const StageRequest &request;
  KernelBuilder &b;
  Epilogue epilogue;
  PointAnchor anchor;
};
} // namespace

LogicalResult PointsKernel::point(ValueRange place) {
  Value sum = formulaOf(anchor.op)(anchor, place);
  // What pools compute in depends on the pool.
  sum = emitCast(b, sum, sum.getType(), epilogue.sumType());
  ArrayRef<IndexedTensor> tensors = epilogue.tensors();
  Values elements = elementsAt(b, tensors, place);
  auto address = [&](unsigned i) {
    const IndexedTensor &tensor = tensors[i];
    return b.at(b.buffer(tensor.buffer), elements[i], tensor.element);
  };
  FailureOr<Values> values = epilogue.compute(b, sum, 1, [&](unsigned i) {
    Type element = tensors[i].element;
    return b.load(address(i), b.registerType(element), element);
  });
  if (failed(values))
    return failure();
  for (auto [i, value] : llvm::enumerate(*values))
    b.store(value, address(i), tensors[i].element);
  return success();
}

FailureOr<StageInfo> PointsKernel::emit() {
  ArrayRef<Size> outer = ArrayRef(anchor.result).drop_back();
  const Size &row = anchor.result.back();
  RowTiles tiles(b, graph::productOf(outer), row);
  LogicalResult done = success();
  tiles.forRows(b, [&](Value number) {
    Values place = b.delinearize(number, outer);
    place.push_back({});
    b.loop(b.index(0), b.index(row), 1, [&](Value i) {
      place.back() = i;
      if (failed(point(place)))
        done = failure();
    });
  });
  if (failed(done))
    return failure();
  StageInfo info;
  info.tiles = tiles.tiles;
  return info;
}

//===-- Strategy ----------------------------------------------------------===//

static bool matchesPoints(kernel::GroupOp group) {
  Operation *anchor = group.isStaged() ? nullptr : group.getAnchor();
  return anchor && formulaOf(anchor) &&
         llvm::all_of(anchor->getOperands(), llvm::IsaPred<BlockArgument>);
}

static PlannedChoices planPoints(const PlanRequest &request) {
  StagePlan plan;
  MLIRContext *context = request.group->getContext();
  plan.plan = kernel::PlanAttr::get(context, pointsStrategy.name,
                                    DictionaryAttr::get(context));
  return theOnlyChoice(std::move(plan), request);
}

static FailureOr<StageInfo> emitPoints(const StageRequest &request) {
  if (!matchesPoints(request.group))
    return kernel::GroupOp(request.group)
        .emitOpError("is no product or window of its operands");
  FailureOr<Epilogue> epilogue = Epilogue::create(request);
  if (failed(epilogue))
    return failure();
  return PointsKernel(request, std::move(*epilogue)).emit();
}

static bool canAddressPoints(kernel::GroupOp, unsigned, memory::BufferType) {
  return true;
}

static bool takesAnySizes(kernel::GroupOp) { return true; }

const Strategy codegen::pointsStrategy{.name = "points",
                                       .matches = matchesPoints,
                                       .plan = planPoints,
                                       .emit = emitPoints,
                                       .canAddress = canAddressPoints,
                                       .takesSymbols = takesAnySizes,
                                       .isLastResort = true};
