//===- LoopNest.cpp - a loop nest on buffers ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Codegen/Groups/LoopNest.h"
#include "dialects/Graph/Graph.h"
#include "dialects/Kernel/Buffers.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;
using kernel::LoopIndex;
using kernel::LoopNode;

//===-- Nest --------------------------------------------------------------===//

bool LoopAccess::isFixed() const {
  auto hasNone = [](const Sizes &extents) { return extents.empty(); };
  return offset.isFixed() &&
         llvm::all_of(strides, std::mem_fn(&Size::isFixed)) &&
         llvm::all_of(repeated, hasNone);
}

Size LoopNest::reducedSize() const {
  Size size = 1;
  for (const kernel::Loop &loop : program.loops)
    if (loop.reduction)
      size *= loop.extent;
  return size;
}

bool LoopNest::isFixed() const {
  auto hasExtent = [](const kernel::Loop &loop) {
    return loop.extent.isFixed();
  };
  return llvm::all_of(program.loops, hasExtent) &&
         llvm::all_of(loads, std::mem_fn(&LoopAccess::isFixed)) &&
         llvm::all_of(stores, std::mem_fn(&LoopAccess::isFixed));
}

int64_t LoopNest::stages() const {
  int64_t last = 0;
  for (const LoopNode &node : program.nodes)
    if (node.kind == LoopNode::Reduce)
      last = std::max(last, node.stage);
  return last;
}

static void computeAlong(LoopNest &nest) {
  uint64_t reducedLoops = 0;
  for (auto [k, loop] : llvm::enumerate(nest.program.loops))
    reducedLoops |= uint64_t(loop.reduction) << k;
  for (auto [node, load] : llvm::zip(nest.program.nodes, nest.loads)) {
    uint64_t mask = 0;
    for (auto [k, stride] : llvm::enumerate(load.strides))
      mask |= uint64_t(!stride.is(0)) << k;
    for (unsigned operand : node.operands)
      mask |= nest.along[operand];
    if (node.kind == LoopNode::Reduce)
      mask &= ~reducedLoops;
    nest.along.push_back(mask);
  }
}

/// No loop runs along two dimensions, and what may be repeated has no offset.
static LoopAccess makeAccess(unsigned number, memory::BufferType buffer,
                             ArrayRef<LoopIndex> index, size_t loops) {
  LoopAccess access{
      number, buffer.getElementType(), kernel::offsetOf(buffer), {}};
  access.strides.assign(loops, 0);
  for (auto [dim, stride] : llvm::zip(index, kernel::stridesOf(buffer))) {
    access.offset += dim.offset * stride;
    for (size_t k = 0; k < loops; ++k)
      access.strides[k] += dim.coefficients[k] * stride;
    if (dim.repeated.empty())
      continue;
    access.repeated.resize(loops);
    for (size_t k = 0; k < loops; ++k)
      if (!dim.coefficients[k].is(0))
        access.repeated[k] = dim.repeated;
  }
  return access;
}

static bool canMerge(const LoopNest &nest, unsigned outer) {
  unsigned inner = outer + 1;
  if (nest.reduced(outer) != nest.reduced(inner))
    return false;
  auto walks = [&](const LoopAccess &access) {
    return access.strides.empty() ||
           (access.strides[outer] ==
                access.strides[inner] * nest.extent(inner) &&
            access.repeatedAlong(outer) == access.repeatedAlong(inner));
  };
  return llvm::all_of(nest.loads, walks) && llvm::all_of(nest.stores, walks);
}

static void merge(LoopNest &nest, unsigned outer) {
  auto &loops = nest.program.loops;
  loops[outer].extent *= loops[outer + 1].extent;
  loops.erase(loops.begin() + outer + 1);
  auto drop = [&](LoopAccess &access) {
    if (!access.strides.empty())
      access.strides.erase(access.strides.begin() + outer);
    if (!access.repeated.empty())
      access.repeated.erase(access.repeated.begin() + outer);
  };
  llvm::for_each(nest.loads, drop);
  llvm::for_each(nest.stores, drop);
  for (unsigned &loop : nest.origin)
    loop -= loop > outer;
}

static void mergeLoops(LoopNest &nest) {
  for (unsigned outer = 0; outer + 1 < nest.program.loops.size();)
    if (canMerge(nest, outer))
      merge(nest, outer);
    else
      ++outer;
}

/// A scalar computation becomes a loop of one iteration.
static void ensureLoop(LoopNest &nest) {
  if (llvm::any_of(nest.program.loops,
                   [](const kernel::Loop &loop) { return !loop.reduction; }))
    return;
  auto &loops = nest.program.loops;
  loops.insert(loops.begin(), {1, false});
  auto extend = [&](LoopAccess &access) {
    access.strides.insert(access.strides.begin(), 0);
    if (!access.repeated.empty())
      access.repeated.emplace(access.repeated.begin());
  };
  for (auto [node, load] : llvm::zip(nest.program.nodes, nest.loads))
    if (node.kind == LoopNode::Load)
      extend(load);
  llvm::for_each(nest.stores, extend);
  for (unsigned &loop : nest.origin)
    ++loop;
}

FailureOr<LoopNest> codegen::makeNest(kernel::GroupOp group,
                                      ArrayRef<memory::BufferType> buffers) {
  SmallVector<Operation *> ops;
  for (Operation &op : group.getBlock().without_terminator())
    ops.push_back(&op);
  std::string why;
  auto program = kernel::analyzeLoops(
      ops, group.getBlock().getTerminator()->getOperands(), why);
  if (failed(program))
    return group.emitError() << "no loop nest computes this group: " << why;
  size_t loops = program->loops.size();
  if (loops > 60)
    return group.emitError() << "more than 60 loops";
  LoopNest nest{std::move(*program), {}, {}, {}, {}};
  for (const LoopNode &node : nest.program.nodes) {
    nest.loads.emplace_back();
    if (node.kind != LoopNode::Load)
      continue;
    unsigned number = cast<BlockArgument>(node.value).getArgNumber();
    nest.loads.back() = makeAccess(number, buffers[number], node.index, loops);
  }
  for (auto [i, result] : llvm::enumerate(nest.program.results)) {
    unsigned number = group.getNumOperands() + i;
    nest.stores.push_back(
        makeAccess(number, buffers[number], result.index, loops));
  }
  for (unsigned loop = 0; loop < loops; ++loop)
    nest.origin.push_back(loop);
  mergeLoops(nest);
  ensureLoop(nest);
  computeAlong(nest);
  return nest;
}
