//===- Inputs.cpp - transforms inputs of minimal filtering ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenCpu/Winograd/Emit.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

/// The first element that a tile reads.
Value WinogradEmitter::inputAddress(Value tile) {
  ArrayRef<int64_t> strides = input.getStrides();
  Values position = positionOf(tile);
  int64_t start = input.getOffset();
  Value offset = b.mul(position[0], strides[0]);
  for (size_t i = 0; i < geometry.kernel.size(); ++i) {
    start -= geometry.padsBefore[i] * strides[i + 1];
    offset = b.add(
        offset, b.mul(position[i + 1], geometry.strides[i] * strides[i + 1]));
  }
  return b.at(b.buffer(at.lhs), b.add(offset, start), element);
}

/// How far a window is from the first one, row-major: along the filtered
/// dimensions, then along the others.
Value WinogradEmitter::windowOffset(Value window) {
  SmallVector<int64_t> extents, steps;
  for (unsigned dim : dims) {
    extents.push_back(geometry.kernel[dim] / problem.taps);
    steps.push_back(problem.taps * geometry.dilations[dim] *
                    input.getStrides()[dim + 1]);
  }
  for (unsigned dim = 0; dim < geometry.kernel.size(); ++dim)
    if (!llvm::is_contained(dims, dim) && geometry.kernel[dim] > 1) {
      extents.push_back(geometry.kernel[dim]);
      steps.push_back(geometry.dilations[dim] * input.getStrides()[dim + 1]);
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
  int64_t whole = channels - rest, stride = input.getStrides().back();
  auto vectorAt = [&](Value channel, int64_t count) {
    transformChannels(b.at(from, b.mul(channel, stride), element),
                      b.at(to, channel, element), count);
  };
  b.loop(b.index(0), b.index(whole), lanes,
         [&](Value channel) { vectorAt(channel, lanes); });
  if (rest)
    vectorAt(b.index(whole), rest);
}

SmallVector<int64_t> codegen::gridOffsets(ArrayRef<int64_t> steps,
                                          int64_t count) {
  SmallVector<int64_t> offsets = {0};
  for (int64_t step : steps) {
    SmallVector<int64_t> next;
    for (int64_t base : offsets)
      for (int64_t i = 0; i < count; ++i)
        next.push_back(base + i * step);
    offsets = std::move(next);
  }
  return offsets;
}

/// Of the inputs of one tile.
SmallVector<int64_t> WinogradEmitter::inputOffsets() const {
  SmallVector<int64_t> steps;
  for (unsigned dim : dims)
    steps.push_back(geometry.dilations[dim] * input.getStrides()[dim + 1]);
  return gridOffsets(steps, matrices.points);
}

/// What the tile to the right reads and this one does not.
void WinogradEmitter::askForInputs(Value from) {
  if (plan.ahead == 0)
    return;
  SmallVector<int64_t> offsets = inputOffsets();
  int64_t next = plan.m * offsets[1];
  for (auto [i, offset] : llvm::enumerate(offsets))
    if (int64_t(i) % matrices.points >= matrices.points - plan.m)
      b.prefetch(b.at(from, offset + next, element));
}

void WinogradEmitter::transformChannels(Value from, Value to, int64_t count) {
  askForInputs(from);
  Values inputs;
  for (int64_t offset : inputOffsets())
    inputs.push_back(loadLanes(b, b.at(from, offset, element), vector,
                               input.getStrides().back(), count, element));
  // Lanes beyond the channels are padding of the scratch.
  for (auto [point, value] :
       llvm::enumerate(transform(matrices.inputs, inputs)))
    b.store(value, b.at(to, int64_t(point) * sizes.inputPoint, element),
            element);
}
