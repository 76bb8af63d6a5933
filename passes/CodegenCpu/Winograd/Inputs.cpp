//===- Inputs.cpp - transforms inputs of minimal filtering ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenCpu/Winograd/Emit.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

/// The first element that a tile reads.
Value WinogradEmitter::inputAddress(Value tile) {
  const Sizes &strides = inputStrides;
  Values position = positionOf(tile);
  Size start = kernel::offsetOf(input);
  Value offset = b.mul(position[0], strides[0]);
  for (size_t i = 0; i < geometry.kernel.size(); ++i) {
    start = start - strides[i + 1] * geometry.padsBefore[i];
    offset = b.add(
        offset, b.mul(position[i + 1], strides[i + 1] * geometry.strides[i]));
  }
  return b.at(b.buffer(at.lhs), b.add(offset, start), element);
}

/// How far a window is from the first one, row-major: along the filtered
/// dimensions, then along the others.
Value WinogradEmitter::windowOffset(Value window) {
  SmallVector<int64_t> extents;
  Sizes steps;
  for (unsigned dim : dims) {
    extents.push_back(geometry.kernel[dim] / problem.taps);
    steps.push_back(inputStrides[dim + 1] * problem.taps *
                    geometry.dilations[dim]);
  }
  for (unsigned dim = 0; dim < geometry.kernel.size(); ++dim)
    if (!llvm::is_contained(dims, dim) && geometry.kernel[dim] > 1) {
      extents.push_back(geometry.kernel[dim]);
      steps.push_back(inputStrides[dim + 1] * geometry.dilations[dim]);
    }
  Value offset = b.index(0);
  Values index = b.delinearize(window, extents);
  for (auto [i, step] : llvm::zip_equal(index, steps))
    offset = b.add(offset, b.mul(i, step));
  return offset;
}

void WinogradEmitter::transformInput(const TilePlace &tile) {
  Value from = inputAddress(tile.number);
  if (problem.windows == 1)
    return transformWindow(from, tile.inputs);
  // In order: the lanes behind a window's channels are the next one's first.
  b.loop(b.index(0), b.index(problem.windows), 1, [&](Value window) {
    transformWindow(
        b.at(from, windowOffset(window), element),
        b.at(tile.inputs, b.mul(window, problem.channels), element));
  });
}

void WinogradEmitter::transformWindow(Value from, Value to) {
  int64_t channels = problem.groups * problem.channels;
  int64_t lanes = plan.tile.lanes, rest = channels % lanes;
  int64_t whole = channels - rest, stride = channelStride();
  auto vectorAt = [&](Value channel, int64_t count) {
    transformChannels(b.at(from, b.mul(channel, stride), element),
                      b.at(to, channel, element), count);
  };
  b.loop(b.index(0), b.index(whole), lanes,
         [&](Value channel) { vectorAt(channel, lanes); });
  if (rest)
    vectorAt(b.index(whole), rest);
}

int64_t PointGrid::walk(int64_t number, int64_t further,
                        function_ref<void(int64_t, const Size &)> other) const {
  int64_t offset = 0, points = size();
  for (const Size &step : steps) {
    points /= count;
    int64_t index = number / points % count + (points == 1 ? further : 0);
    if (step.isFixed())
      offset += index * step.fixed();
    else
      other(index, step);
  }
  return offset;
}

Value PointGrid::at(KernelBuilder &b, Value from, int64_t number, Type element,
                    int64_t further) const {
  int64_t fixed = walk(number, further, [&](int64_t index, const Size &step) {
    from = atSteps(b, from, index, step, element);
  });
  return b.at(from, fixed, element);
}

Value PointGrid::index(KernelBuilder &b, Value from, int64_t number) const {
  int64_t fixed = walk(number, 0, [&](int64_t index, const Size &step) {
    from = b.add(from, b.mul(b.index(index), step));
  });
  return b.add(from, fixed);
}

/// That of one channel means nothing, and may be anything.
int64_t WinogradEmitter::channelStride() const {
  return inputStrides.back().isFixed() ? inputStrides.back().fixed() : 1;
}

/// The inputs of one tile.
PointGrid WinogradEmitter::inputGrid() const {
  Sizes steps;
  for (unsigned dim : dims)
    steps.push_back(inputStrides[dim + 1] * geometry.dilations[dim]);
  return {steps, matrices.points};
}

/// What the tile to the right reads and this one does not.
void WinogradEmitter::askForInputs(Value from) {
  if (plan.ahead == 0)
    return;
  PointGrid grid = inputGrid();
  for (int64_t i = 0; i < grid.size(); ++i)
    if (i % matrices.points >= matrices.points - plan.m)
      b.prefetch(grid.at(b, from, i, element, /*further=*/plan.m));
}

void WinogradEmitter::transformChannels(Value from, Value to, int64_t count) {
  askForInputs(from);
  Values inputs;
  PointGrid grid = inputGrid();
  for (int64_t i = 0; i < grid.size(); ++i)
    inputs.push_back(loadLanes(b, grid.at(b, from, i, element), vector,
                               channelStride(), count, element));
  // Lanes beyond the channels are padding of the scratch.
  for (auto [point, value] :
       llvm::enumerate(transform(matrices.inputs, inputs)))
    b.store(value, b.at(to, int64_t(point) * sizes.inputPoint, element),
            element);
}
