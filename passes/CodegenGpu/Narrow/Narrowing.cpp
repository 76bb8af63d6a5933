//===- Narrowing.cpp - which values lie in 16 bits ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file starts from all values between groups and drops those that somebody
// has to read in f32, until nothing changes.
//===----------------------------------------------------------------------===//
#include "passes/CodegenGpu/Narrow/Narrowing.h"

#include "dialects/Graph/Roles.h"
#include "dialects/Kernel/LoopDomain.h"
#include "lib/Interpreter/Interpreter.h"
#include "lib/Support/NarrowFloat.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::gpu;

bool tenon::gpu::isF32(Value value) {
  auto tensor = dyn_cast<RankedTensorType>(value.getType());
  return tensor && tensor.getElementType().isF32();
}

//===-- Groups ------------------------------------------------------------===//

static bool isMove(Operation &op) {
  return isa<graph::ReshapeOp, graph::BroadcastOp, graph::TransposeOp,
             graph::SliceOp, graph::ConcatOp, graph::PadOp, graph::GatherOp,
             graph::GatherElementsOp>(op);
}

NarrowKind tenon::gpu::narrowKindOf(kernel::GroupOp group) {
  auto isKnown = [](Type type) {
    return cast<RankedTensorType>(type).hasStaticShape();
  };
  if (group.isStaged() || !llvm::all_of(group->getOperandTypes(), isKnown) ||
      !llvm::all_of(group->getResultTypes(), isKnown))
    return NarrowKind::Never;
  auto operations = group.getBlock().without_terminator();
  if (Operation *anchor = group.getAnchor()) {
    bool isOwn =
        isa<graph::MatmulOp, graph::ConvOp, graph::MaxPoolOp, graph::AvgPoolOp>(
            anchor) &&
        llvm::all_of(anchor->getOperands(), [](Value operand) {
          return isa<BlockArgument>(operand) && isF32(operand);
        });
    return isOwn ? NarrowKind::Anchor : NarrowKind::Never;
  }
  if (llvm::all_of(operations, isMove))
    return NarrowKind::Moves;
  SmallVector<Operation *> nest;
  for (Operation &op : operations)
    nest.push_back(&op);
  return kernel::canExpressLoops(nest) ? NarrowKind::Nest : NarrowKind::Never;
}

SmallVector<unsigned> tenon::gpu::anchorOperands(kernel::GroupOp group) {
  SmallVector<unsigned> numbers;
  for (Value operand : group.getAnchor()->getOperands())
    numbers.push_back(cast<BlockArgument>(operand).getArgNumber());
  return numbers;
}

//===-- Constants ---------------------------------------------------------===//

template <typename Format>
static bool narrowAll(ArrayRef<float> from, uint16_t *to) {
  for (float x : from) {
    *to = Format::narrow(x);
    if (std::isfinite(x) && !std::isfinite(Format::widen(*to++)))
      return false;
  }
  return true;
}

ElementsAttr tenon::gpu::narrowConstant(graph::ConstantOp constant,
                                        Type element) {
  auto elements = cast<ElementsAttr>(constant.getValue());
  FailureOr<interp::Tensor> wide = interp::Tensor::fromElements(elements);
  if (failed(wide))
    return {};
  interp::Tensor result =
      interp::Tensor::allocate(wide->getType().clone(element));
  if (!result)
    return {};
  ArrayRef<float> from(reinterpret_cast<const float *>(wide->bytes().data()),
                       wide->size());
  auto *to = reinterpret_cast<uint16_t *>(result.mutableBytes().data());
  bool areFinite = element.isF16() ? narrowAll<HalfFloat>(from, to)
                                   : narrowAll<BrainFloat>(from, to);
  return areFinite ? result.toElements() : ElementsAttr();
}

ElementsAttr Narrowing::constantFor(graph::ConstantOp constant) {
  auto [entry, isNew] = constants.try_emplace(constant, ElementsAttr());
  if (isNew)
    entry->second = narrowConstant(constant, element);
  return entry->second;
}

//===-- Values ------------------------------------------------------------===//

/// The value that others view; views of constants and inputs are left alone.
static Value rootOf(Value value) {
  while (isa_and_nonnull<graph::ReshapeOp>(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  return value;
}

Narrowing::Narrowing(func::FuncOp function, Type element)
    : function(function), element(element) {
  for (auto group : function.getOps<kernel::GroupOp>()) {
    groups.push_back(group);
    kinds[group] = narrowKindOf(group);
  }
  findCandidates();
  settle();
}

bool Narrowing::isNarrow(Value value) const {
  return isF32(value) ? narrow.contains(rootOf(value)) : false;
}

/// Whether an anchor reads it, through views or not.
bool Narrowing::isMultiplied(Value value) const {
  return llvm::any_of(value.getUses(), [&](OpOperand &use) {
    if (isa<graph::ReshapeOp>(use.getOwner()))
      return isMultiplied(use.getOwner()->getResult(0));
    auto group = dyn_cast<kernel::GroupOp>(use.getOwner());
    return group && kinds.lookup(group) == NarrowKind::Anchor &&
           llvm::is_contained(anchorOperands(group), use.getOperandNumber());
  });
}

/// Means and the like cost nothing in f32, and stand for many numbers.
bool Narrowing::isSummary(OpResult result) const {
  constexpr int64_t fewer = 8;
  auto group = cast<kernel::GroupOp>(result.getOwner());
  int64_t own = cast<RankedTensorType>(result.getType()).getNumElements();
  return !isMultiplied(result) &&
         llvm::any_of(group.getOperandTypes(), [&](Type type) {
           return cast<RankedTensorType>(type).getNumElements() >= own * fewer;
         });
}

void Narrowing::findCandidates() {
  llvm::DenseSet<Value> precise = findPrecise(function, element);
  for (kernel::GroupOp group : groups)
    for (OpResult result : group->getResults()) {
      NarrowKind kind = kinds.lookup(group);
      bool isKept = kind == NarrowKind::Never || precise.contains(result) ||
                    (kind == NarrowKind::Nest && isSummary(result));
      if (!isKept && isF32(result))
        narrow.insert(result);
    }
}

bool Narrowing::fits(OpOperand &use) const {
  Operation *user = use.getOwner();
  if (isa<graph::ReshapeOp>(user))
    return fitUsesOf(user->getResult(0));
  auto group = dyn_cast<kernel::GroupOp>(user);
  return group && kinds.lookup(group) != NarrowKind::Never;
}

bool Narrowing::fitUsesOf(Value value) const {
  return llvm::all_of(value.getUses(),
                      [&](OpOperand &use) { return fits(use); });
}

/// What a group has in 16 bits together or not at all.
SmallVector<Value> Narrowing::jointValues(kernel::GroupOp group) const {
  SmallVector<Value> values;
  NarrowKind kind = kinds.lookup(group);
  if (kind == NarrowKind::Anchor)
    for (unsigned number : anchorOperands(group))
      values.push_back(group.getOperands_()[number]);
  if (kind == NarrowKind::Moves) {
    llvm::copy_if(group.getOperands_(), std::back_inserter(values), isF32);
    llvm::copy_if(group.getResults(), std::back_inserter(values), isF32);
  }
  return values;
}

/// Whether the group had to be dropped, with all that it reads so.
bool Narrowing::dropGroup(kernel::GroupOp group) {
  SmallVector<Value> values = jointValues(group);
  bool fits = !values.empty() && llvm::all_of(values, [&](Value value) {
    auto constant = value.getDefiningOp<graph::ConstantOp>();
    return constant ? bool(constantFor(constant)) : isNarrow(value);
  });
  if (fits || !wideGroups.insert(group).second)
    return false;
  for (Value value : values)
    narrow.remove(rootOf(value));
  return true;
}

void Narrowing::settle() {
  bool changes = true;
  auto isDropped = [&](Value value) { return !fitUsesOf(value); };
  narrow.remove_if(isDropped);
  while (changes) {
    changes = false;
    for (kernel::GroupOp group : groups)
      changes |= dropGroup(group);
  }
}
