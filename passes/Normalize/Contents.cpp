//===- Contents.cpp - arithmetic on sizes ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file evaluates arithmetic on dimensions, and what moves elements on
// their numbers.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Contents.h"
#include "dialects/Graph/Bounds.h"
#include "lib/Interpreter/Elements.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::normalize;

namespace {
/// Arithmetic on single elements; null where the outcome is not known.
class Elements {
public:
  Elements(MLIRContext *context, const graph::ConstraintStore &symbols)
      : context(context), symbols(symbols) {}

  Attribute compute(Operation *op, ArrayRef<Attribute> operands);

private:
  Attribute number(int64_t value) { return sizeDim(context, value); }
  bool isAtLeast(Attribute a, Attribute b) {
    return graph::isAtLeast(a, b, symbols);
  }
  Attribute choose(Attribute low, Attribute high, bool larger);
  Attribute divide(Attribute a, Attribute b);
  Attribute remainder(graph::ModOp op, Attribute a, Attribute b);
  Attribute equal(Attribute a, Attribute b);
  /// a >= b, or whether the contrary holds.
  Attribute atLeast(Attribute a, Attribute b);
  Attribute negated(Attribute truth) {
    return truth ? number(sizeOf(truth) == 0) : Attribute();
  }
  Attribute absolute(Attribute a);
  Attribute cast(graph::CastOp op, Attribute a);

  MLIRContext *context;
  const graph::ConstraintStore &symbols;
};
} // namespace

Attribute Elements::choose(Attribute a, Attribute b, bool larger) {
  if (isAtLeast(a, b))
    return larger ? a : b;
  if (isAtLeast(b, a))
    return larger ? b : a;
  return {};
}

/// Division truncates, which is rounding down of what is not negative.
Attribute Elements::divide(Attribute a, Attribute b) {
  int64_t divisor = sizeOf(b);
  if (ShapedType::isDynamic(divisor) || divisor <= 0 ||
      !isAtLeast(a, number(0)))
    return {};
  return graph::floorDivDim(a, divisor);
}

Attribute Elements::remainder(graph::ModOp op, Attribute a, Attribute b) {
  int64_t divisor = sizeOf(b);
  if (ShapedType::isDynamic(divisor) || divisor <= 0 ||
      (op.getFmod() && !isAtLeast(a, number(0))))
    return {};
  return graph::modDim(a, divisor);
}

Attribute Elements::equal(Attribute a, Attribute b) {
  if (a == b)
    return number(1);
  bool isLess = isAtLeast(graph::affineDim(b, 1, -1), a);
  bool isMore = isAtLeast(graph::affineDim(a, 1, -1), b);
  return isLess || isMore ? number(0) : Attribute();
}

Attribute Elements::atLeast(Attribute a, Attribute b) {
  if (isAtLeast(a, b))
    return number(1);
  return isAtLeast(graph::affineDim(b, 1, -1), a) ? number(0) : Attribute();
}

Attribute Elements::absolute(Attribute a) {
  if (isAtLeast(a, number(0)))
    return a;
  return isAtLeast(number(0), a) ? graph::affineDim(a, -1, 0) : Attribute();
}

/// Sizes fit into 32 bits as they do into 64.
Attribute Elements::cast(graph::CastOp op, Attribute a) {
  Type to = op.getType().getElementType();
  if (to.isInteger(1))
    return negated(equal(a, number(0)));
  bool keeps = to.isSignlessInteger(64) || to.isSignlessInteger(32);
  return keeps ? a : Attribute();
}

Attribute Elements::compute(Operation *op, ArrayRef<Attribute> in) {
  return llvm::TypeSwitch<Operation *, Attribute>(op)
      .Case([&](graph::AddOp) { return graph::addDims(in[0], in[1]); })
      .Case([&](graph::SubOp) { return graph::subtractDims(in[0], in[1]); })
      .Case([&](graph::MulOp) { return graph::multiplyDims(in[0], in[1]); })
      .Case([&](graph::DivOp) { return divide(in[0], in[1]); })
      .Case([&](graph::ModOp mod) { return remainder(mod, in[0], in[1]); })
      .Case([&](graph::MinOp) { return choose(in[0], in[1], false); })
      .Case([&](graph::MaxOp) { return choose(in[0], in[1], true); })
      .Case([&](graph::NegOp) { return graph::affineDim(in[0], -1, 0); })
      .Case([&](graph::AbsOp) { return absolute(in[0]); })
      .Case([&](graph::ReluOp) { return choose(in[0], number(0), true); })
      .Case([&](graph::EqualOp) { return equal(in[0], in[1]); })
      .Case([&](graph::GreaterEqualOp) { return atLeast(in[0], in[1]); })
      .Case([&](graph::LessEqualOp) { return atLeast(in[1], in[0]); })
      .Case([&](graph::LessOp) { return negated(atLeast(in[0], in[1])); })
      .Case([&](graph::GreaterOp) { return negated(atLeast(in[1], in[0])); })
      .Case([&](graph::CastOp to) { return cast(to, in[0]); })
      .Case([&](graph::SelectOp) {
        bool isKnown = in[1] == in[2] || isa<IntegerAttr>(in[0]);
        return !isKnown ? Attribute() : sizeOf(in[0]) != 0 ? in[1] : in[2];
      })
      .Default([](Operation *) { return Attribute(); });
}

/// For each element of a shape, that of a tensor which is broadcast to it.
static Dims broadcasted(const Dims &dims, ArrayRef<int64_t> from,
                        ArrayRef<int64_t> to) {
  int64_t count = 1;
  for (int64_t size : to)
    count *= size;
  size_t lead = to.size() - from.size();
  Dims result;
  for (int64_t position = 0; position < count; ++position) {
    int64_t rest = position, index = 0, stride = 1;
    for (size_t dim = to.size(); dim-- > lead; rest /= to[dim]) {
      int64_t extent = from[dim - lead];
      index += extent == 1 ? 0 : rest % to[dim] * stride;
      stride *= extent;
    }
    result.push_back(dims[index]);
  }
  return result;
}

static RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

static std::optional<Dims>
evaluateElementwise(Operation *op, ArrayRef<Dims> operands,
                    const graph::ConstraintStore &symbols) {
  ArrayRef<int64_t> shape = typeOf(op->getResult(0)).getShape();
  SmallVector<Dims> wide;
  for (auto [dims, operand] : llvm::zip(operands, op->getOperands()))
    wide.push_back(broadcasted(dims, typeOf(operand).getShape(), shape));
  Elements elements(op->getContext(), symbols);
  Dims result;
  for (int64_t i = 0, e = typeOf(op->getResult(0)).getNumElements(); i < e;
       ++i) {
    SmallVector<Attribute> in;
    for (const Dims &dims : wide)
      in.push_back(dims[i]);
    result.push_back(elements.compute(op, in));
    if (!result.back())
      return std::nullopt;
  }
  return result;
}

/// A product or a sum of all elements.
static std::optional<Dims> reduceAll(Operation *op, const Dims &dims) {
  if (typeOf(op->getOperand(0)).getRank() != 1)
    return std::nullopt;
  bool multiplies = isa<graph::ReduceProdOp>(op);
  Attribute result = sizeDim(op->getContext(), multiplies);
  for (Attribute dim : dims)
    result = multiplies ? graph::multiplyDims(result, dim)
                        : graph::addDims(result, dim);
  return Dims{result};
}

/// Whether `operand` holds elements that the operation moves, not indices.
static bool isMoved(Operation *op, unsigned operand) {
  return !isa<graph::GatherOp, graph::GatherElementsOp>(op) || operand == 0;
}

/// Moves the numbers of elements in place of them.
static std::optional<Dims> evaluateMovement(Operation *op,
                                            ArrayRef<Dims> operands) {
  Dims all;
  SmallVector<interp::Tensor> values;
  for (auto [index, dims] : llvm::enumerate(operands)) {
    auto type = typeOf(op->getOperand(index));
    SmallVector<APInt> numbers;
    for (Attribute dim : dims) {
      if (!isMoved(op, index) && !isa<IntegerAttr>(dim))
        return std::nullopt;
      int64_t number = isMoved(op, index) ? int64_t(all.size()) : sizeOf(dim);
      numbers.push_back(APInt(type.getElementTypeBitWidth(), uint64_t(number),
                              /*isSigned=*/true, /*implicitTrunc=*/true));
      if (isMoved(op, index))
        all.push_back(dim);
    }
    auto value =
        interp::Tensor::fromElements(DenseElementsAttr::get(type, numbers));
    if (failed(value))
      return std::nullopt;
    values.push_back(*value);
  }
  auto moved = interp::evaluate(op, values);
  if (failed(moved))
    return std::nullopt;
  Dims result;
  for (int64_t number : interp::loadAll<int64_t>((*moved)[0]))
    result.push_back(all[number]);
  return result;
}

static bool movesElements(Operation *op) {
  if (auto pad = dyn_cast<graph::PadOp>(op))
    return bool(pad.getValue());
  return isa<graph::ReshapeOp, graph::BroadcastOp, graph::TransposeOp,
             graph::SliceOp, graph::ConcatOp, graph::GatherOp,
             graph::GatherElementsOp>(op);
}

/// Whether a tensor may hold numbers that are computed from symbols.
static bool isIndex(Value value) {
  Type element = typeOf(value).getElementType();
  return element.isSignlessInteger(64) || element.isSignlessInteger(32) ||
         element.isInteger(1);
}

std::optional<Dims> normalize::moveContents(Operation *op,
                                            ArrayRef<Dims> operands) {
  if (op->getNumResults() != 1 || !isIndex(op->getResult(0)) ||
      getElementTypeOrSelf(op->getResult(0)).isInteger(1) || !movesElements(op))
    return std::nullopt;
  return evaluateMovement(op, operands);
}

std::optional<Dims>
normalize::evaluateContents(Operation *op, ArrayRef<Dims> operands,
                            const graph::ConstraintStore &symbols) {
  if (!isIndex(op->getResult(0)))
    return std::nullopt;
  if (movesElements(op))
    return evaluateMovement(op, operands);
  if (isa<graph::ReduceProdOp, graph::ReduceSumOp>(op))
    return reduceAll(op, operands[0]);
  if (op->hasTrait<graph::Elementwise>())
    return evaluateElementwise(op, operands, symbols);
  return std::nullopt;
}
