//===- Walks.cpp - which way a nest goes through memory -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Fuse/Walks.h"

#include "mlir/IR/BuiltinTypes.h"

#include <set>

using namespace mlir;
using namespace tenon;
using namespace tenon::fuse;
using kernel::LoopIndex;
using kernel::LoopNode;
using kernel::LoopProgram;

/// What is smaller than this part of the domain, or than so many elements,
/// stays in a cache.
static constexpr int64_t smallPart = 8, smallElements = 16384;

static int64_t elementsOf(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return tensor.hasStaticShape() ? tensor.getNumElements() : 0;
}

static int64_t extentOf(const kernel::Loop &loop) {
  return loop.extent.isFixed() ? loop.extent.fixed() : 1;
}

static int64_t pointsOf(const LoopProgram &program) {
  int64_t points = 1;
  for (const kernel::Loop &loop : program.loops)
    points *= extentOf(loop);
  return points;
}

/// The loop along which elements follow each other; none if they lie apart.
static std::optional<unsigned> loopAlong(ArrayRef<LoopIndex> index,
                                         ArrayRef<int64_t> shape) {
  for (size_t dim = shape.size(); dim-- > 0;) {
    if (shape[dim] == 1)
      continue;
    for (auto [loop, factor] : llvm::enumerate(index[dim].coefficients))
      if (factor.is(1))
        return unsigned(loop);
    return std::nullopt;
  }
  return std::nullopt;
}

bool fuse::walksOneWay(const LoopProgram &program, TypeRange types) {
  int64_t large = std::max(pointsOf(program) / smallPart, smallElements);
  std::set<std::optional<unsigned>> ways;
  auto add = [&](ArrayRef<LoopIndex> index, Type type) {
    if (elementsOf(type) >= large)
      ways.insert(loopAlong(index, cast<RankedTensorType>(type).getShape()));
  };
  for (const LoopNode &node : program.nodes)
    if (node.kind == LoopNode::Load)
      add(node.index, node.value.getType());
  for (auto [result, type] : llvm::zip_equal(program.results, types))
    add(result.index, type);
  return ways.size() <= 1 && !ways.contains(std::nullopt);
}

int64_t fuse::reducedElements(const LoopProgram &program) {
  int64_t elements = 1;
  for (const kernel::Loop &loop : program.loops)
    elements *= loop.reduction ? extentOf(loop) : 1;
  return elements;
}

bool fuse::reduces(const LoopProgram &program) {
  return llvm::any_of(program.nodes, [](const LoopNode &node) {
    return node.kind == LoopNode::Reduce;
  });
}
