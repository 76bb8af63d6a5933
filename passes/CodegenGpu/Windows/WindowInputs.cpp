//===- WindowInputs.cpp - what a thread reads of a window -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenGpu/Windows/WindowInputs.h"
#include "dialects/Graph/Graph.h"
#include "passes/Codegen/Bodies/Epilogue.h"

#include "passes/Codegen/Bodies/WindowTaps.h"
#include <limits>

using namespace mlir;
using namespace tenon;
using namespace tenon::gpu;
using codegen::WindowDim;
using codegen::WindowKind;
using codegen::WindowNest;

//===-- Alignment ---------------------------------------------------------===//

int64_t tenon::gpu::alignmentOfSteps(int64_t step) {
  constexpr int64_t most = 16;
  return step == 0 ? most : std::min(most, step & -step);
}

/// Of a vector of the input, in bytes.
static int64_t alignmentOfInput(const WindowNest &nest, int64_t lanes,
                                int64_t bytes) {
  int64_t known = std::min(alignmentOfSteps(lanes * bytes),
                           alignmentOfSteps(nest.inputOffset.fixed() * bytes));
  if (!nest.images.is(1))
    known = std::min(known, alignmentOfSteps(nest.imagePitch.fixed() * bytes));
  for (const WindowDim &dim : nest.dims)
    if (!dim.input.is(1))
      known = std::min(known, alignmentOfSteps(dim.pitch.fixed() * bytes));
  return known;
}

static int64_t alignmentOfFilter(const WindowNest &nest, int64_t lanes,
                                 int64_t bytes) {
  return std::min({alignmentOfSteps(lanes * bytes),
                   alignmentOfSteps(nest.channels * bytes),
                   alignmentOfSteps(nest.filterOffset * bytes)});
}

WindowInputs::WindowInputs(const StageRequest &request,
                           codegen::KernelBuilder &kernel, ThreadBuilder &t,
                           const WindowNest &nest,
                           const tile::GpuWindowPlan &plan)
    : kernel(kernel), t(t), nest(nest), plan(plan) {
  kernel::GroupOp group = request.group;
  Operation *anchor = group.getAnchor();
  element = getElementTypeOrSelf(anchor->getOperand(0).getType());
  vector = kernel.vectorType(element, plan.lanes);
  bytes = graph::elementBytes(element);
  inputBuffer = operandOf(anchor, 0);
  inputAlignment =
      std::max(bytes, std::min(alignmentOfInput(nest, plan.lanes, bytes),
                               tenon::gpu::alignmentOf(group, inputBuffer)));
  if (nest.kind != WindowKind::Depthwise)
    return;
  filterBuffer = operandOf(anchor, 1);
  filterAlignment =
      std::max(bytes, std::min(alignmentOfFilter(nest, plan.lanes, bytes),
                               tenon::gpu::alignmentOf(group, *filterBuffer)));
}

//===-- Places ------------------------------------------------------------===//

void WindowInputs::enter(const WindowUnit &own) {
  unit = own;
  Value at = t.add(t.mul(unit.image, nest.imagePitch.fixed()),
                   nest.inputOffset.fixed());
  for (auto [position, dim] : llvm::zip_equal(unit.position, nest.dims))
    at = t.add(at, t.mul(position, dim.pitch.fixed()));
  at = t.add(at, unit.channel);
  input = t.at(kernel.buffer(inputBuffer), t.mul(at, bytes));
  if (!filterBuffer)
    return;
  Value first =
      t.add(t.mul(unit.channel, nest.filterChannel), nest.filterOffset);
  filter = t.at(kernel.buffer(*filterBuffer), t.mul(first, bytes));
}

/// Whether taps may be outside: some of windows, or of results that are not
/// stored.
bool WindowInputs::isChecked(size_t dim) const {
  int64_t tile = dim == 1 ? plan.rows : dim == 2 ? plan.pixels : 1;
  return !nest.dims[dim].staysInside() ||
         nest.dims[dim].output.fixed() % tile != 0;
}

Value WindowInputs::isInside(size_t dim, Value position) {
  return isChecked(dim) ? t.inside(position, nest.dims[dim].input.fixed())
                        : Value();
}

int64_t WindowInputs::rowCount() const {
  return nest.dims[0].kernel * nest.dims[1].kernel *
         tile::ceilDiv(nest.dims[2].kernel, plan.taps);
}

TapRow WindowInputs::rowAt(Value number, bool mayExceed) {
  const auto &dims = nest.dims;
  TapRow row;
  if (mayExceed) {
    row.isTap = t.less(number, rowCount());
    number = t.min(number, rowCount() - 1);
  }
  Values index =
      t.delinearize(number, {dims[0].kernel, dims[1].kernel,
                             tile::ceilDiv(dims[2].kernel, plan.taps)});
  index[2] = t.mul(index[2], plan.taps);
  Value at = t.number(0), weight = t.number(0);
  Values position;
  for (auto [i, dim] : llvm::enumerate(dims)) {
    Value steps = t.mul(index[i], dim.dilation);
    position.push_back(t.add(unit.position[i], steps));
    at = t.add(at, t.mul(steps, dim.pitch.fixed()));
    weight = t.add(weight, t.mul(index[i], dim.tapPitch));
  }
  row.input = t.at(input, t.mul(at, bytes));
  if (filter)
    row.weights = t.at(filter, t.mul(weight, bytes));
  row.exists = t.both(isInside(0, position[0]), isInside(1, position[1]));
  row.exists = t.both(row.isTap, row.exists);
  row.column = position[2];
  if (isCut())
    row.tap = index[2];
  return row;
}

TapRow WindowInputs::rowAt(int64_t z, int64_t y) {
  const WindowDim &depth = nest.dims[0], &height = nest.dims[1];
  TapRow row;
  int64_t at =
      z * depth.dilation * depth.pitch.fixed() + y * height.pitch.fixed();
  row.input = t.at(input, at * bytes);
  row.exists = t.both(isInside(0, t.add(unit.position[0], z * depth.dilation)),
                      isInside(1, t.add(unit.position[1], y)));
  row.column = unit.position[2];
  return row;
}

Value WindowInputs::weightsAt(int64_t z, int64_t y) {
  return t.at(filter,
              (z * nest.dims[0].tapPitch + y * nest.dims[1].tapPitch) * bytes);
}

//===-- Reads -------------------------------------------------------------===//

std::map<int64_t, Value> WindowInputs::inputsOf(const TapRow &row) {
  const WindowDim &width = nest.dims[2];
  double nothing = nest.kind == WindowKind::Max
                       ? -std::numeric_limits<double>::infinity()
                       : 0.0;
  Value outside = kernel.constantOf(vector, nothing);
  std::map<int64_t, Value> inputs;
  for (int64_t column : codegen::usedColumns(width, plan.pixels, plan.taps)) {
    Value exists = t.both(row.exists, isInside(2, t.add(row.column, column)));
    if (row.tap && width.kernel % plan.taps != 0)
      exists = t.both(exists, t.less(t.add(row.tap, column / width.dilation),
                                     width.kernel));
    Value from = t.at(row.input, column * width.pitch.fixed() * bytes);
    inputs[column] = t.loadIf(exists, from, inputAlignment, outside);
  }
  return inputs;
}

/// What is no tap has weights of zero, wherever they are read.
Values WindowInputs::weightsOf(const TapRow &row) {
  const WindowDim &width = nest.dims[2];
  Values weights;
  for (int64_t k = 0; row.weights && k < plan.taps; ++k) {
    Value from = t.at(row.weights, k * width.tapPitch * bytes);
    Value exists = row.isTap;
    if (row.tap && width.kernel % plan.taps != 0) {
      Value isInRow = t.less(t.add(row.tap, k), width.kernel);
      from = t.choose(isInRow, from, row.weights);
      exists = t.both(exists, isInRow);
    }
    Value weight =
        nest.paddedFilter
            ? t.loadConstant(from, vector, filterAlignment)
            : codegen::loadLanes(kernel, from, vector, nest.filterLane,
                                 plan.lanes, element);
    if (exists)
      weight = t.choose(exists, weight, kernel.constantOf(vector, 0));
    weights.push_back(weight);
  }
  return weights;
}
