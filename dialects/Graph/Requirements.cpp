//===- Requirements.cpp - what operations ask of dimensions ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Graph/Requirements.h"

#include "dialects/Graph/Bounds.h"
#include "dialects/Graph/DerivedDims.h"
#include "dialects/Graph/Instances.h"
#include "dialects/Graph/Shapes.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;

using Requirements = SmallVector<DimRequirement>;

static void demand(Requirements &all, Attribute a, Attribute b,
                   bool broadcasts = false) {
  if (!a || !b || a == b || (broadcasts && (sizeOf(a) == 1 || sizeOf(b) == 1)))
    return;
  DimRequirement requirement{
      a, b, broadcasts ? DimRelation::Broadcast : DimRelation::Equal};
  if (!llvm::is_contained(all, requirement))
    all.push_back(requirement);
}

static void demandAtLeast(Requirements &all, Attribute a, Attribute b) {
  if (a && b && !isAtLeast(a, b, ConstraintStore()))
    all.push_back({a, b, DimRelation::AtLeast});
}

static void demandAtLeast(Requirements &all, Value value, int64_t axis,
                          int64_t least) {
  demandAtLeast(all, dimsOf(value)[axis], sizeDim(value.getContext(), least));
}

/// Whether a broadcast of symbols is made of `dim`: what computes it checks.
static bool isPartOf(Attribute whole, Attribute dim) {
  auto symbol = dyn_cast_or_null<StringAttr>(whole);
  std::optional<DerivedDim> derived =
      symbol ? derivationOf(symbol) : std::nullopt;
  return derived && llvm::any_of(derived->operands, [&](Attribute operand) {
           return operand == dim || isPartOf(operand, dim);
         });
}

/// Whether `dim`, of what is broadcast, need not be that of the result.
static bool mayBeOne(Attribute dim) {
  return !dim || sizeOf(dim) == 1 || isSymbolic(dim);
}

/// Aligned at the end, as numpy does.
static void demandBroadcast(Requirements &all, Dims from, const Dims &to) {
  if (from.size() > to.size())
    return;
  size_t offset = to.size() - from.size();
  for (auto [i, dim] : llvm::enumerate(from))
    if (!isPartOf(to[offset + i], dim))
      demand(all, dim, to[offset + i], mayBeOne(dim));
}

/// All but the last two dimensions broadcast.
static void demandProduct(Requirements &all, MatmulOp op) {
  Dims lhs = dimsOf(op.getLhs()), rhs = dimsOf(op.getRhs());
  Dims result = dimsOf(op.getResult());
  if (lhs.size() < 2 || rhs.size() < 2)
    return;
  demand(all, op.getTransposeLhs() ? lhs[lhs.size() - 2] : lhs.back(),
         op.getTransposeRhs() ? rhs.back() : rhs[rhs.size() - 2]);
  for (Dims *dims : {&lhs, &rhs, &result})
    dims->resize(dims->size() - 2);
  demandBroadcast(all, lhs, result);
  demandBroadcast(all, rhs, result);
}

/// Channels follow the batch, or are last.
template <typename Conv>
static void demandChannels(Requirements &all, Conv op, Attribute channels) {
  Dims input = dimsOf(op.getInput());
  demand(all, op.getLayout() == Layout::NHWC ? input.back() : input[1],
         channels);
}

static void demandConcat(Requirements &all, ConcatOp op) {
  Dims result = dimsOf(op.getResult());
  for (Value operand : op->getOperands())
    for (auto [i, dim] : llvm::enumerate(dimsOf(operand)))
      if (i != size_t(op.getAxis()))
        demand(all, dim, result[i]);
}

static Attribute productOf(const Dims &dims, MLIRContext *context) {
  Attribute product = sizeDim(context, 1);
  for (Attribute dim : dims)
    product = multiplyDims(product, dim);
  return product;
}

static void demandReshape(Requirements &all, Operation *op) {
  MLIRContext *context = op->getContext();
  demand(all, productOf(dimsOf(op->getOperand(0)), context),
         productOf(dimsOf(op->getResult(0)), context));
}

/// Borders take something, and what they cut off is there.
static void demandBorders(Requirements &all, PadOp op) {
  Dims from = dimsOf(op.getInput()), to = dimsOf(op.getResult());
  for (size_t i = 0; i < from.size(); ++i) {
    demandAtLeast(all, op.getResult(), i, 0);
    if (from[i] != to[i] && op.getMode() != PadMode::Constant)
      demandAtLeast(all, op.getInput(), i, 1);
  }
}

/// What is resized has something to take.
static void demandPixels(Requirements &all, ResizeOp op) {
  Dims from = dimsOf(op.getInput()), to = dimsOf(op.getResult());
  for (auto [i, scale] : llvm::enumerate(op.getScales()))
    if (from[i] != to[i] || scale != 1.0f)
      demandAtLeast(all, op.getInput(), i, 1);
}

/// The sequences of all operands are those of the gates `[T, D, B, G * H]`.
static void demandRecurrence(Requirements &all, RecurrenceOp op) {
  Dims first = dimsOf(op->getOperand(0));
  for (Value operand : op->getOperands().drop_front())
    for (Attribute dim : dimsOf(operand))
      if (isSymbolic(dim) && !llvm::is_contained(first, dim))
        demand(all, dim, first[2]);
}

/// The features are those of the weights; the sequences of what is there at
/// first are the input's.
static void demandRecurrent(Requirements &all, RecurrentOp op) {
  Dims input = dimsOf(op.getInput());
  demand(all, input.back(), dimsOf(op.getWeights()).back());
  if (op.getLengths())
    demand(all, dimsOf(op.getLengths())[0], input[1]);
  for (Value initial : {op.getInitialH(), op.getInitialC()})
    if (initial)
      demand(all, dimsOf(initial)[1], input[1]);
}

Requirements graph::requirementsOf(Operation *op) {
  Requirements all;
  if (op->hasTrait<Elementwise>()) {
    for (Value operand : op->getOperands())
      demandBroadcast(all, dimsOf(operand), dimsOf(op->getResult(0)));
    return all;
  }
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](MatmulOp product) { demandProduct(all, product); })
      .Case([&](ConvOp conv) {
        demandChannels(
            all, conv,
            affineDim(dimsOf(conv.getFilter())[1], conv.getGroup(), 0));
      })
      .Case([&](ConvTransposeOp conv) {
        demandChannels(all, conv, dimsOf(conv.getFilter())[0]);
      })
      .Case([&](LayerNormOp norm) {
        for (Value operand : norm->getOperands().drop_front())
          demandBroadcast(all, dimsOf(operand), dimsOf(norm.getResult()));
      })
      .Case([&](TopKOp top) {
        demandAtLeast(all, top.getInput(), top.getAxis(), top.getK());
      })
      .Case<ArgMaxOp, ArgMinOp>([&](auto arg) {
        demandAtLeast(all, arg.getInput(), arg.getAxis(), 1);
      })
      .Case([&](ResizeOp resize) { demandPixels(all, resize); })
      .Case([&](PadOp pad) { demandBorders(all, pad); })
      .Case([&](ConcatOp concat) { demandConcat(all, concat); })
      .Case([&](ReshapeOp reshape) { demandReshape(all, reshape); })
      .Case([&](BroadcastOp broadcast) {
        demandBroadcast(all, dimsOf(broadcast.getInput()),
                        dimsOf(broadcast.getResult()));
      })
      .Case([&](RecurrentOp recurrent) { demandRecurrent(all, recurrent); })
      .Case(
          [&](RecurrenceOp recurrence) { demandRecurrence(all, recurrence); });
  return all;
}
