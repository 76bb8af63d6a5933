//===- Recurrent.cpp - the strategy of recurrent layers -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Codegen/Groups/GroupInstance.h"
#include "passes/Codegen/PlanAttribute.h"
#include "passes/Codegen/Programs/Kernels.h"
#include "passes/CodegenGpu/Recurrent/RecurrentKernel.h"
#include "passes/CodegenGpu/Strategies.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::gpu;
using memory::BufferType;

/// Elements of a buffer that 32-bit indices reach.
static constexpr int64_t mostElements = int64_t(1) << 31;

static graph::RecurrenceOp recurrenceOf(kernel::GroupOp group) {
  return dyn_cast<graph::RecurrenceOp>(&group.getBlock().front());
}

/// Whether all that the kernel reads or writes is known, of f32, and reached by
/// its indices; lengths are integers.
static bool isKnown(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape() || tensor.getNumElements() == 0)
    return false;
  int64_t bytes = BufferType::getDense(tensor).getBytes();
  Type element = tensor.getElementType();
  return bytes < mostElements && (element.isF32() || element.isInteger(32));
}

static bool isRecurrence(kernel::GroupOp group) {
  graph::RecurrenceOp op = recurrenceOf(group);
  if (!op || group.isStaged())
    return false;
  auto isOwn = [&](Value value) { return value.getDefiningOp() == op; };
  auto isArgument = [](Value value) { return isa<BlockArgument>(value); };
  return llvm::all_of(group.getBlock().getTerminator()->getOperands(), isOwn) &&
         llvm::all_of(op->getOperands(), isArgument) &&
         llvm::all_of(op->getOperandTypes(), isKnown) &&
         llvm::all_of(op->getResultTypes(), isKnown);
}

/// The cell of all directions; none where they compute with different
/// functions. Fails with a diagnostic.
static FailureOr<std::optional<codegen::RecurrentCell>>
readCell(graph::RecurrenceOp op) {
  auto activations = codegen::readActivations(op);
  if (failed(activations))
    return failure();
  ArrayRef<codegen::Activation> all = *activations;
  size_t each = all.size() / size_t(op.getGates().getType().getDimSize(1));
  if (all.drop_back(each) != all.drop_front(each))
    return std::optional<codegen::RecurrentCell>();
  codegen::RecurrentCell cell;
  cell.kind = op.getCell();
  cell.activations.assign(all.begin(), all.begin() + each);
  if (op.getClip())
    cell.clip = op.getClip()->convertToDouble();
  cell.inputForget = op.getInputForget();
  return std::optional(std::move(cell));
}

static DictionaryAttr packAttributes(MLIRContext *context) {
  Builder b(context);
  return b.getDictionaryAttr(
      {b.getNamedAttr("batch_dims", b.getDenseI64ArrayAttr({0})),
       b.getNamedAttr("k_dims", b.getDenseI64ArrayAttr({1})),
       b.getNamedAttr("n_dims", b.getDenseI64ArrayAttr({2})),
       b.getNamedAttr("panel", b.getI64IntegerAttr(1))});
}

static PlannedChoices planRecurrent(const PlanRequest &request) {
  kernel::GroupOp group = request.group;
  graph::RecurrenceOp op = recurrenceOf(group);
  auto cell = readCell(op);
  if (failed(cell))
    return failure();
  tile::GpuRecurrence problem = recurrenceProblem(op);
  tile::GpuRecurrencePlan plan = tile::plan(problem, targetOf(request.device));
  // A state that is too large for all blocks together is no error.
  if (!*cell || llvm::errorToBool(
                    tile::validate(problem, plan, targetOf(request.device))))
    return noChoice();
  auto matrix = cast<BlockArgument>(op.getRecurrence());
  Value constant = group.getOperands_()[matrix.getArgNumber()];
  bool packed =
      constant.getDefiningOp<graph::ConstantOp>() && matrix.hasOneUse();
  codegen::StagePlan result;
  result.plan = codegen::toAttribute(group.getContext(), recurrentStrategy.name,
                                     plan, packed);
  result.halos.resize(group.getOperands_().size());
  result.packs.resize(group.getOperands_().size());
  result.scratchBytes = {plan.exchangeBytes(problem)};
  if (packed)
    result.packs[matrix.getArgNumber()] = packAttributes(group.getContext());
  return oneChoice(result, Time::ofMicroseconds(tile::estimateTime(
                               problem, plan, targetOf(request.device))));
}

static FailureOr<StageInfo> emitRecurrent(const StageRequest &request) {
  kernel::GroupOp group = request.group;
  graph::RecurrenceOp op = recurrenceOf(group);
  auto plan = codegen::fromAttribute<tile::GpuRecurrencePlan>(request.plan);
  if (llvm::Error error =
          tile::validate(recurrenceProblem(op), plan, targetOf(request.device)))
    return group.emitOpError() << llvm::toString(std::move(error));
  auto cell = readCell(op);
  if (failed(cell))
    return failure();
  if (!*cell)
    return group.emitOpError() << "has directions with different functions";
  if (codegen::scratchOf(group).size() != 1)
    return group.emitOpError() << "has no scratch for states that blocks tell "
                                  "each other";
  return RecurrentKernel(request, op, std::move(**cell)).emit();
}

/// All is addressed by strides, in 32 bits, but packed constants.
static bool canAddress(kernel::GroupOp group, unsigned index, BufferType type) {
  if (type.getBytes() <= 0 || type.getBytes() >= mostElements)
    return false;
  auto matrix = cast<BlockArgument>(recurrenceOf(group).getRecurrence());
  return index != matrix.getArgNumber() || !group.getPlan()->getInt("packed") ||
         type.isDense();
}

const Strategy tenon::gpu::recurrentStrategy{
    "gpu_recurrent", isRecurrence, planRecurrent, emitRecurrent, canAddress};
