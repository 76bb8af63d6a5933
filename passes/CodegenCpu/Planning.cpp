//===- Planning.cpp - a group and its plan --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenCpu/Planning.h"
#include "passes/CodegenCpu/MatrixUnit/MatrixUnit.h"
#include "passes/CodegenCpu/Winograd/Winograd.h"

#include "dialects/Graph/Graph.h"

using namespace mlir;
using namespace tenon;

const tile::Target *codegen::requireTarget(ModuleOp module, StringRef name) {
  const tile::Target *target = tile::findTarget(name);
  if (!target)
    module.emitError("no target '") << name << "' in the target table";
  return target;
}

const codegen::Emitter *codegen::findEmitter(StringRef kind) {
  for (auto get : {contractionEmitter, windowEmitter, loopsEmitter, moveEmitter,
                   recurrentEmitter})
    if (get().kind == kind)
      return &get();
  return nullptr;
}

static Attribute haloAttr(Builder &builder, const codegen::PlanResult &result,
                          unsigned index) {
  SmallVector<int64_t> widths;
  if (index < result.halos.size()) {
    llvm::append_range(widths, result.halos[index].low);
    llvm::append_range(widths, result.halos[index].high);
  }
  if (llvm::all_of(widths, [](int64_t width) { return width == 0; }))
    widths.clear();
  return builder.getDenseI64ArrayAttr(widths);
}

/// Minimal filtering takes 0.75 to 0.85 of the time of products on a matrix
/// unit that are expected to take as long.
static constexpr double besideFiltering = 1.3;

static FailureOr<codegen::PlanResult>
makePlan(kernel::GroupOp group, const tile::Target &target,
         const codegen::Arithmetic &arithmetic) {
  using namespace codegen;
  const Emitter *emitter = findEmitter(group.getKind());
  if (!emitter)
    return group.emitOpError("has no emitter for kind '")
           << group.getKind() << "'";
  std::optional<MatrixUnitChoice> onUnit;
  if (arithmetic.bf16x6)
    onUnit = planMatrixUnit(group, target);
  std::optional<double> other;
  if (onUnit)
    other = besideFiltering * onUnit->cycles;
  if (auto plan = planWinograd(group, target, arithmetic.winograd, other))
    return std::move(*plan);
  if (onUnit)
    return std::move(onUnit->result);
  return emitter->plan(group, target);
}

/// Products and windows divide by their extents. Results that are empty or sums
/// of nothing are constants (tenon-fold-constants).
static LogicalResult checkExtents(kernel::GroupOp group) {
  if (group.getKind() != "contraction" && group.getKind() != "window")
    return success();
  for (Type type :
       llvm::concat<const Type>(SmallVector<Type>(group->getOperandTypes()),
                                SmallVector<Type>(group->getResultTypes())))
    if (graph::isEmpty(type))
      return group.emitOpError("of kind '")
             << group.getKind() << "' has an empty tensor, " << type;
  return success();
}

LogicalResult codegen::planGroup(kernel::GroupOp group,
                                 const tile::Target &target,
                                 const Arithmetic &arithmetic) {
  if (failed(checkExtents(group)))
    return failure();
  FailureOr<PlanResult> result = makePlan(group, target, arithmetic);
  if (failed(result))
    return failure();
  Builder builder(group.getContext());
  SmallVector<Attribute> halos, packs;
  for (unsigned i = 0; i < group.getOperands_().size(); ++i) {
    halos.push_back(haloAttr(builder, *result, i));
    bool packed = i < result->packs.size() && result->packs[i];
    packs.push_back(packed ? Attribute(result->packs[i])
                           : builder.getUnitAttr());
  }
  group.setPlanAttr(result->plan);
  group->setAttr(halosAttr, builder.getArrayAttr(halos));
  group->setAttr(packsAttr, builder.getArrayAttr(packs));
  group->setAttr(scratchAttr,
                 builder.getDenseI64ArrayAttr(result->scratchBytes));
  return success();
}

FailureOr<kernel::GroupOp> codegen::createCopy(OpBuilder &builder, Value value,
                                               const tile::Target &target) {
  Location loc = value.getLoc();
  Type type = value.getType();
  auto group =
      kernel::GroupOp::create(builder, loc, type, "loops", value, IntegerAttr(),
                              kernel::PlanAttr(), ArrayAttr());
  OpBuilder::InsertionGuard guard(builder);
  Block *body = &group.getBody().emplaceBlock();
  builder.setInsertionPointToEnd(body);
  SmallVector<int64_t> identity(cast<RankedTensorType>(type).getRank());
  std::iota(identity.begin(), identity.end(), 0);
  Value copy = graph::TransposeOp::create(
      builder, loc, type, body->addArgument(type, loc), identity);
  kernel::YieldOp::create(builder, loc, copy);
  if (failed(planGroup(group, target)))
    return failure();
  return group;
}

ArrayRef<int64_t> codegen::wantedHalo(kernel::GroupOp group, unsigned index) {
  auto halos = group->getAttrOfType<ArrayAttr>(halosAttr);
  return halos ? cast<DenseI64ArrayAttr>(halos[index]).asArrayRef()
               : ArrayRef<int64_t>();
}

DictionaryAttr codegen::wantedPack(kernel::GroupOp group, unsigned index) {
  auto packs = group->getAttrOfType<ArrayAttr>(packsAttr);
  return packs ? dyn_cast<DictionaryAttr>(packs[index]) : DictionaryAttr();
}

bool codegen::isInPlace(kernel::GroupOp group, unsigned index) {
  auto parts = group->getAttrOfType<DenseI64ArrayAttr>(inPlaceAttr);
  return parts && llvm::is_contained(parts.asArrayRef(), int64_t(index));
}

Value codegen::viewRoot(Value value) {
  while (isa_and_nonnull<graph::ReshapeOp, graph::BitcastOp>(
      value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  return value;
}
