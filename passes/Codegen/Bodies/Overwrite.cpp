//===- Overwrite.cpp - results that may lie on operands -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Codegen/Bodies/Overwrite.h"

#include "dialects/Graph/Graph.h"
#include "dialects/Graph/Size.h"
#include <set>

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;
using kernel::LoopNode;

/// Whether no two points of the box `extents` have the same address: each
/// stride steps over everything that the smaller ones reach.
static bool isInjective(ArrayRef<int64_t> extents, ArrayRef<int64_t> strides) {
  SmallVector<std::pair<int64_t, int64_t>> loops;
  for (auto [extent, stride] : llvm::zip_equal(extents, strides))
    if (extent > 1)
      loops.emplace_back(stride, extent);
  llvm::sort(loops);
  int64_t reach = 0;
  for (auto [stride, extent] : loops) {
    if (stride <= reach)
      return false;
    reach += stride * (extent - 1);
  }
  return true;
}

/// The same with symbols: for all of their values, the elements lie densely in
/// some order of the loops.
static bool isInjective(ArrayRef<Size> extents, ArrayRef<Size> strides) {
  if (llvm::all_of(extents, std::mem_fn(&Size::isFixed)) &&
      llvm::all_of(strides, std::mem_fn(&Size::isFixed))) {
    auto number = std::mem_fn(&Size::fixed);
    return isInjective(llvm::map_to_vector(extents, number),
                       llvm::map_to_vector(strides, number));
  }
  SmallVector<unsigned> left;
  for (auto [loop, extent] : llvm::enumerate(extents))
    if (!extent.is(1))
      left.push_back(loop);
  for (Size reach = 1; !left.empty();) {
    auto *next = llvm::find_if(
        left, [&](unsigned loop) { return strides[loop] == reach; });
    if (next == left.end())
      return false;
    reach *= extents[*next];
    left.erase(next);
  }
  return true;
}

/// i1 lies as a byte, so bits alone do not tell.
static bool sameSize(Type a, Type b) {
  return graph::elementBytes(a) == graph::elementBytes(b);
}

//===-- Loops -------------------------------------------------------------===//

namespace {
class LoopOverwrites {
public:
  LoopOverwrites(const LoopNest &nest, const LoopSchedule &schedule)
      : nest(nest), schedule(schedule) {
    for (const kernel::Loop &loop : nest.program.loops)
      extents.push_back(loop.extent);
  }

  OverwritePairs find() {
    OverwritePairs pairs;
    // What a stage keeps need not be loaded where the first result is stored,
    // but may be where the second is.
    if (schedule.transposed ||
        (nest.stages() > 0 && nest.program.results.size() > 1))
      return pairs;
    std::vector<bool> reached(nest.program.nodes.size(), false);
    for (auto [r, result] : llvm::enumerate(nest.program.results)) {
      reach(result.node, reached);
      if (!result.full || !isInjective(extents, nest.stores[r].strides))
        continue;
      for (unsigned operand : operands())
        if (isSafe(operand, r, reached))
          pairs.emplace_back(operand, r);
    }
    return pairs;
  }

private:
  const LoopNest &nest;
  const LoopSchedule &schedule;
  Sizes extents;

  bool isLoad(unsigned node) const {
    return nest.program.nodes[node].kind == LoopNode::Load;
  }

  std::set<unsigned> operands() const {
    std::set<unsigned> numbers;
    for (unsigned node = 0; node < nest.program.nodes.size(); ++node)
      if (isLoad(node))
        numbers.insert(nest.loads[node].buffer);
    return numbers;
  }

  /// Marks what a point has computed once it has stored a result.
  void reach(unsigned node, std::vector<bool> &reached) const {
    if (reached[node])
      return;
    reached[node] = true;
    for (unsigned operand : nest.program.nodes[node].operands)
      reach(operand, reached);
  }

  /// Every load of the operand is at the result's place and comes before it.
  bool isSafe(unsigned operand, unsigned result,
              const std::vector<bool> &reached) const {
    const LoopAccess &store = nest.stores[result];
    for (unsigned node = 0; node < nest.program.nodes.size(); ++node) {
      const LoopAccess &load = nest.loads[node];
      if (!isLoad(node) || load.buffer != operand)
        continue;
      if (!reached[node] || load.offset != store.offset ||
          load.strides != store.strides || !load.repeated.empty() ||
          !sameSize(load.element, store.element))
        return false;
    }
    return true;
  }
};
} // namespace

OverwritePairs codegen::overwritesOf(const LoopNest &nest,
                                     const LoopSchedule &schedule) {
  return LoopOverwrites(nest, schedule).find();
}

//===-- Epilogues ---------------------------------------------------------===//

/// Whether a tensor has a place of its own for each index of the shape. One
/// with symbols lies dense if it has.
static bool isInjective(RankedTensorType shape, const IndexedTensor &tensor) {
  if (!shape.hasStaticShape())
    return ArrayRef(tensor.strides) ==
           ArrayRef(graph::denseStrides(graph::sizesOf(shape)));
  auto strides = llvm::map_to_vector(
      tensor.strides, [](const Size &stride) { return stride.fixed(); });
  return isInjective(shape.getShape(), strides);
}

/// The stores of a segment follow all of its loads.
OverwritePairs codegen::overwritesOf(kernel::GroupOp group,
                                     const Epilogue &epilogue) {
  Operation *anchor = group.getAnchor();
  auto shape = cast<RankedTensorType>(anchor->getResult(0).getType());
  ArrayRef<IndexedTensor> tensors = epilogue.tensors();
  OverwritePairs pairs;
  // Only then is it known which operands the anchor reads.
  if (!llvm::all_of(anchor->getOperands(), llvm::IsaPred<BlockArgument>))
    return pairs;
  for (unsigned r = 0; r < epilogue.numResults(); ++r) {
    const IndexedTensor &result = tensors[r];
    if (!isInjective(shape, result))
      continue;
    for (const IndexedTensor &operand :
         tensors.drop_front(epilogue.numResults()))
      if (operand.offset == result.offset &&
          operand.strides == result.strides &&
          sameSize(operand.element, result.element) &&
          !llvm::is_contained(anchor->getOperands(), operand.value))
        pairs.emplace_back(operand.buffer, r);
  }
  return pairs;
}
