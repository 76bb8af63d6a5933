//===- WindowResults.cpp - what follows a window's sums -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenGpu/Windows/WindowResults.h"
#include "dialects/Graph/Graph.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "passes/Codegen/Builder/ElementwiseOps.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::gpu;
using codegen::IndexedTensor;

WindowResults::WindowResults(const StageRequest &request,
                             codegen::KernelBuilder &kernel, ThreadBuilder &t,
                             const codegen::WindowNest &nest,
                             const tile::GpuWindowPlan &plan,
                             codegen::Epilogue epilogue)
    : group(request.group), kernel(kernel), t(t), nest(nest), plan(plan),
      epilogue(std::move(epilogue)) {}

//===-- Places ------------------------------------------------------------===//

TensorAccess WindowResults::accessOf(unsigned tensor) const {
  const IndexedTensor &own = epilogue.tensors()[tensor];
  int64_t bytes = graph::elementBytes(own.element);
  int64_t known = std::min({tenon::gpu::alignmentOf(group, own.buffer),
                            alignmentOfSteps(plan.lanes * bytes),
                            alignmentOfSteps(own.offset.fixed() * bytes)});
  auto alongSteps = [&](const Size &stride) {
    known = std::min(known, alignmentOfSteps(stride.fixed() * bytes));
  };
  alongSteps(nest.imageResult[tensor]);
  for (const codegen::WindowDim &dim : nest.dims)
    alongSteps(dim.result[tensor]);
  return {plan.lanes, nest.channelResult[tensor].fixed(),
          std::max(bytes, known)};
}

/// What exceeds the last row or pixel is that one, and not stored.
WindowResults::Result WindowResults::resultAt(const WindowUnit &unit,
                                              int64_t row, int64_t pixel) {
  Result result;
  result.exists = unit.exists;
  Value index[3] = {unit.first[0], t.add(unit.first[1], row),
                    t.add(unit.first[2], pixel)};
  for (auto [dim, tile] : {std::pair(1, plan.rows), {2, plan.pixels}}) {
    int64_t extent = nest.dims[dim].output.fixed();
    if (extent % tile == 0)
      continue;
    result.exists = t.both(result.exists, t.less(index[dim], extent));
    index[dim] = t.min(index[dim], extent - 1);
  }
  for (auto [i, tensor] : llvm::enumerate(epilogue.tensors())) {
    Value at = t.add(t.mul(unit.image, nest.imageResult[i].fixed()),
                     tensor.offset.fixed());
    for (size_t dim = 0; dim < nest.dims.size(); ++dim)
      at = t.add(at, t.mul(index[dim], nest.dims[dim].result[i].fixed()));
    at = t.add(at, t.mul(unit.channel, nest.channelResult[i].fixed()));
    result.offsets.push_back(
        arith::ExtSIOp::create(t.builder(), t.loc(), kernel.i64Type(), at));
  }
  return result;
}

void WindowResults::enter(const WindowUnit &unit) {
  for (int64_t row = 0; row < plan.rows; ++row)
    for (int64_t pixel = 0; pixel < plan.pixels; ++pixel)
      results.push_back(resultAt(unit, row, pixel));
}

//===-- Accesses ----------------------------------------------------------===//

/// What is the same for rows or pixels is read once.
void WindowResults::load() {
  for (auto [number, result] : llvm::enumerate(results)) {
    auto row = int64_t(number) / plan.pixels;
    auto pixel = int64_t(number) % plan.pixels;
    for (unsigned i = 0; i < epilogue.tensors().size(); ++i) {
      int64_t fromRow = isSameAlong(i, 1) ? 0 : row;
      int64_t fromPixel = isSameAlong(i, 2) ? 0 : pixel;
      Value loaded;
      if (fromRow != row || fromPixel != pixel)
        loaded = results[fromRow * plan.pixels + fromPixel].loaded[i];
      else if (i >= epilogue.numResults())
        loaded =
            accessOf(i).load(kernel, epilogue.tensors()[i], result.offsets[i]);
      result.loaded.push_back(loaded);
    }
  }
}

LogicalResult WindowResults::store(ValueRange sums) {
  std::vector<codegen::Values> values;
  for (auto [result, sum] : llvm::zip_equal(results, sums)) {
    FailureOr<codegen::Values> own = epilogue.compute(
        kernel, codegen::narrowFloat(kernel, sum, epilogue.sumType()),
        plan.lanes, [&](unsigned i) { return result.loaded[i]; });
    if (failed(own))
      return failure();
    values.push_back(std::move(*own));
  }
  for (auto [result, own] : llvm::zip_equal(results, values))
    t.ifThen(result.exists, [&] {
      for (auto [i, value] : llvm::enumerate(own))
        accessOf(i).store(kernel, epilogue.tensors()[i], result.offsets[i],
                          value);
    });
  return success();
}
