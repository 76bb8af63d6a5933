//===- WindowKernel.cpp - pools and depthwise convolutions ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenGpu/Windows/WindowKernel.h"
#include "dialects/Graph/Graph.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "passes/Codegen/Bodies/Overwrite.h"
#include "passes/Codegen/Builder/ElementwiseOps.h"
#include "passes/CodegenGpu/Rows/ThreadNest.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::gpu;
using codegen::WindowDim;
using codegen::WindowKind;
using InputRow = std::map<int64_t, Value>;

static Type elementOf(kernel::GroupOp group) {
  return getElementTypeOrSelf(group.getAnchor()->getOperand(0).getType());
}

WindowKernel::WindowKernel(const StageRequest &request,
                           const codegen::WindowNest &nest,
                           const tile::GpuWindowPlan &plan,
                           codegen::Epilogue epilogue)
    : request(request), kernel(request.b), t(kernel.builder(), kernel.loc()),
      nest(nest), plan(plan),
      taps(kernel, nest, plan.lanes, elementOf(request.group)),
      problem(problemOf(request.group, nest)),
      inputs(request, kernel, t, nest, plan),
      results(request, kernel, t, nest, plan, std::move(epilogue)) {}

//===-- Places ------------------------------------------------------------===//

/// Neighbouring threads have neighbouring channels.
WindowUnit WindowKernel::ownUnit() {
  int64_t units = plan.units(problem);
  Value number = t.add(t.mul(t.block(), plan.threads), t.thread(plan.threads));
  WindowUnit own;
  if (units % plan.threads != 0) {
    own.exists = t.less(number, units);
    number = t.min(number, units - 1);
  }
  const auto &dims = problem.dims;
  Values index =
      t.delinearize(number, {problem.images, dims[0].output,
                             tile::ceilDiv(dims[1].output, plan.rows),
                             tile::ceilDiv(dims[2].output, plan.pixels),
                             problem.channels / plan.lanes});
  own.image = index[0];
  own.channel = t.mul(index[4], plan.lanes);
  own.first[0] = index[1];
  own.first[1] = t.mul(index[2], plan.rows);
  own.first[2] = t.mul(index[3], plan.pixels);
  for (auto [i, dim] : llvm::enumerate(nest.dims))
    own.position[i] = t.add(t.mul(own.first[i], dim.stride), -dim.padBefore);
  return own;
}

/// Nothing that follows is written by threads that still run, and shared memory
/// is not used: later kernels may begin.
void WindowKernel::wait() {
  if (!targetOf(request.device).programmatic)
    return;
  t.waitForGrids();
  t.launchDependents();
}

//===-- Arithmetic --------------------------------------------------------===//

Values WindowKernel::initial() const {
  return Values(plan.rows * plan.pixels, taps.initial());
}

/// A NaN is no maximum.
Value WindowKernel::combine(Value sum, Value value, Value weight) {
  if (nest.kind == WindowKind::Max)
    return arith::MaxNumFOp::create(t.builder(), t.loc(), sum, value);
  return taps.combine(sum, value, weight);
}

/// The taps of one kernel row for a row of results; each is numbers of f32.
void WindowKernel::addRow(const InputRow &row, ValueRange weights,
                          int64_t result, Values &sums) {
  const WindowDim &width = nest.dims[2];
  for (int64_t k = 0; k < plan.taps; ++k)
    for (int64_t p = 0; p < plan.pixels; ++p) {
      Value value = row.at(p * width.stride + k * width.dilation);
      Value &sum = sums[result * plan.pixels + p];
      sum = combine(sum, value, weights.empty() ? Value() : weights[k]);
    }
}

static void widenAll(codegen::KernelBuilder &kernel, InputRow &row) {
  for (auto &[column, value] : row)
    value = codegen::widenFloat(kernel, value);
}

static Values widenAll(codegen::KernelBuilder &kernel, ValueRange values) {
  return llvm::map_to_vector(
      values, [&](Value value) { return codegen::widenFloat(kernel, value); });
}

//===-- All taps at once --------------------------------------------------===//

Values WindowKernel::addWhole(std::vector<InputRow> &rows,
                              const std::vector<Values> &weights) {
  const WindowDim &height = nest.dims[1];
  std::vector<Values> wide(weights.size());
  auto weightsOf = [&](int64_t tapRow) -> ValueRange {
    if (weights.empty())
      return {};
    if (wide[tapRow].empty())
      wide[tapRow] = widenAll(kernel, weights[tapRow]);
    return wide[tapRow];
  };
  Values sums = initial();
  size_t next = 0;
  for (int64_t z = 0; z < nest.dims[0].kernel; ++z)
    for (int64_t y : codegen::usedColumns(height, plan.rows, height.kernel)) {
      InputRow &row = rows[next++];
      widenAll(kernel, row);
      for (int64_t r = 0; r < plan.rows; ++r)
        for (int64_t k = 0; k < height.kernel; ++k)
          if (r * height.stride + k * height.dilation == y)
            addRow(row, weightsOf(z * height.kernel + k), r, sums);
    }
  return sums;
}

Values WindowKernel::wholeWindow() {
  const WindowDim &depth = nest.dims[0], &height = nest.dims[1];
  std::vector<Values> weights;
  auto readWeights = [&] {
    for (int64_t z = 0; z < depth.kernel; ++z)
      for (int64_t y = 0; y < height.kernel; ++y) {
        TapRow row;
        row.weights = inputs.weightsAt(z, y);
        weights.push_back(inputs.weightsOf(row));
      }
  };
  bool hasFilter = nest.kind == WindowKind::Depthwise;
  if (hasFilter && nest.paddedFilter)
    readWeights();
  wait();
  std::vector<InputRow> rows;
  for (int64_t z = 0; z < depth.kernel; ++z)
    for (int64_t y : codegen::usedColumns(height, plan.rows, height.kernel))
      rows.push_back(inputs.inputsOf(inputs.rowAt(z, y)));
  if (hasFilter && !nest.paddedFilter)
    readWeights();
  results.load();
  return addWhole(rows, weights);
}

//===-- Some rows of taps at once -----------------------------------------===//

/// Of a long average, rows that are read at once are a sum of their own.
Values WindowKernel::addRows(Value first, ValueRange carried) {
  std::vector<InputRow> values;
  std::vector<Values> weights;
  for (int64_t i = 0; i < plan.tapRows; ++i) {
    bool mayExceed = inputs.rowCount() % plan.tapRows != 0 && i > 0;
    TapRow row = inputs.rowAt(t.add(first, i), mayExceed);
    values.push_back(inputs.inputsOf(row));
    weights.push_back(inputs.weightsOf(row));
  }
  bool isAverage = nest.kind == WindowKind::Average;
  Values sums = isAverage ? initial() : Values(carried);
  for (auto [row, factors] : llvm::zip_equal(values, weights)) {
    widenAll(kernel, row);
    addRow(row, widenAll(kernel, factors), 0, sums);
  }
  for (size_t i = 0; isAverage && i < sums.size(); ++i)
    sums[i] = kernel.plus(carried[i], sums[i]);
  return sums;
}

Values WindowKernel::overRows() {
  wait();
  results.load();
  int64_t turns = tile::ceilDiv(inputs.rowCount(), plan.tapRows);
  return t.loop(t.number(0), t.number(turns), initial(),
                [&](Value turn, ValueRange carried) {
                  return addRows(t.mul(turn, plan.tapRows), carried);
                });
}

//===-- Averages ----------------------------------------------------------===//

/// Taps of the windows of one row or pixel of results that an average divides
/// by.
Value WindowKernel::counted(size_t i, int64_t result) {
  const WindowDim &dim = nest.dims[i];
  if (dim.staysInside())
    return t.number(dim.kernel);
  Value position = t.add(unit.position[i], result * dim.stride);
  auto taps = [&](Value room) {
    return t.div(t.add(t.max(room, 0), dim.dilation - 1), dim.dilation);
  };
  Value room = t.sub(t.number(dim.input.fixed()), position);
  if (nest.countsPadding)
    return t.min(taps(t.add(room, dim.padAfter)), dim.kernel);
  Value outside = taps(t.sub(t.number(0), position));
  return t.sub(t.min(taps(room), dim.kernel), outside);
}

void WindowKernel::average(Values &sums) {
  Value planes = counted(0, 0);
  for (int64_t r = 0; r < plan.rows; ++r) {
    Value rows = t.mul(planes, counted(1, r));
    for (int64_t p = 0; p < plan.pixels; ++p)
      taps.average(MutableArrayRef(sums).slice(r * plan.pixels + p, 1),
                   t.mul(rows, counted(2, p)));
  }
}

//===-- Kernel ------------------------------------------------------------===//

FailureOr<StageInfo> WindowKernel::emit() {
  unit = ownUnit();
  inputs.enter(unit);
  results.enter(unit);
  Values sums = plan.isWhole(problem) ? wholeWindow() : overRows();
  if (nest.kind == WindowKind::Average)
    average(sums);
  if (failed(results.store(sums)))
    return failure();
  StageInfo device = launchOf(request, plan.blocks(problem), plan.threads,
                              /*sharedBytes=*/0);
  device.inPlace = codegen::overwritesOf(request.group, results.what());
  return device;
}
