//===- Elements.cpp - numbers that are computed one by one ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file takes tensors of integers apart and computes with what they hold.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Contents.h"
#include "passes/Normalize/Extents.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::normalize;

/// Sizes, starts and their kin are no longer than that.
static constexpr int64_t kMaxElements = 64;

//===-- Numbers -----------------------------------------------------------===//

Value normalize::numberOf(NormalizeContext &ctx, int64_t number) {
  return ctx.vector(number);
}

Value normalize::numberOf(NormalizeContext &ctx, Attribute dim) {
  return ctx.sizes(dim);
}

Value normalize::onlyElement(NormalizeContext &ctx, Value tensor) {
  auto type = tensor ? cast<RankedTensorType>(tensor.getType()) : nullptr;
  if (type && type.hasStaticShape() && type.getNumElements() == 1)
    return ctx.reshape(tensor, {1});
  (void)ctx.unsupported("an operand is not a scalar");
  return {};
}

Value normalize::numberOf(NormalizeContext &ctx, const Element &element) {
  if (element.isKnown())
    return numberOf(ctx, element.dim);
  int64_t count =
      cast<RankedTensorType>(element.source.getType()).getNumElements();
  Value flat = ctx.cast(ctx.reshape(element.source, {count}),
                        ctx.builder().getI64Type());
  return ctx.slice(flat, 0, element.position, 1);
}

Value normalize::clampNumber(NormalizeContext &ctx, Value number, Value low,
                             Value high) {
  return ctx.create<graph::MaxOp>(ctx.create<graph::MinOp>(number, high), low);
}

Value normalize::countSteps(NormalizeContext &ctx, Value distance,
                            int64_t divisor) {
  // From 0 up, where a division that truncates rounds down.
  Value most = ctx.create<graph::MaxOp>(distance, numberOf(ctx, int64_t(0)));
  if (divisor == 1)
    return most;
  Value step = numberOf(ctx, divisor);
  Value last = ctx.create<graph::AddOp>(most, numberOf(ctx, divisor - 1));
  return ctx.create<graph::DivOp>(last, step);
}

Value normalize::heldTo(NormalizeContext &ctx, Value value,
                        ArrayRef<Attribute> dims) {
  if (!value)
    return {};
  SmallVector<Value> numbers, checks;
  for (auto [dim, own] : llvm::zip(dims, dimsOf(value))) {
    numbers.push_back(numberOf(ctx, dim));
    Attribute more = graph::subtractDims(dim, own);
    if (!graph::isSymbolic(more) && sizeOf(more) == 0)
      continue;
    checks.push_back(numberOf(ctx, more));
    checks.push_back(numberOf(ctx, graph::affineDim(more, -1, 0)));
  }
  auto held = extents(ctx, numbers, checks);
  if (!held)
    return {};
  Type element = getElementTypeOrSelf(value);
  return ctx.reshapeTo(ctx.reshapeTo(value, typeFromDims(*held, element)),
                       typeFromDims(dims, element));
}

Attribute normalize::quotientOf(NormalizeContext &ctx, Attribute dim,
                                Attribute divisor) {
  if (!graph::isSymbolic(divisor) && sizeOf(divisor) > 0)
    return graph::floorDivDim(dim, sizeOf(divisor));
  if (Attribute exact = graph::divideDims(dim, divisor))
    return exact;
  Value least = ctx.create<graph::MaxOp>(numberOf(ctx, divisor),
                                         numberOf(ctx, int64_t(1)));
  auto dims = extents(ctx, ctx.create<graph::DivOp>(numberOf(ctx, dim), least));
  return dims ? dims->front() : Attribute();
}

//===-- Elements ----------------------------------------------------------===//

namespace {
/// Follows the elements of a tensor to where they come from.
class Tracer {
public:
  explicit Tracer(NormalizeContext &ctx) : ctx(ctx) {}

  Dims trace(Value tensor, unsigned depth = 0);
  Element elementOf(Attribute dim) const;

private:
  Dims places(Value tensor);

  NormalizeContext &ctx;
  SmallVector<Element> data;
  DenseMap<Attribute, size_t> numbers; ///< of stand-ins for data
};
} // namespace

/// Chains that are longer end in the middle.
static constexpr unsigned kMaxTrace = 64;

/// Stands in for elements that nothing is known of: no symbol has such a name.
Dims Tracer::places(Value tensor) {
  Dims dims;
  int64_t count = cast<RankedTensorType>(tensor.getType()).getNumElements();
  for (int64_t i = 0; i < count; ++i) {
    Attribute place =
        ctx.builder().getStringAttr("\"" + Twine(data.size()) + "\"");
    numbers[place] = data.size();
    data.push_back({Attribute(), tensor, i});
    dims.push_back(place);
  }
  return dims;
}

static bool isShort(Value tensor) {
  auto type = cast<RankedTensorType>(tensor.getType());
  return type.hasStaticShape() && type.getNumElements() <= kMaxElements;
}

Dims Tracer::trace(Value tensor, unsigned depth) {
  if (auto known = ctx.contents(tensor))
    return *known;
  Operation *op = tensor.getDefiningOp();
  if (!op || depth == kMaxTrace || !llvm::all_of(op->getOperands(), isShort))
    return places(tensor);
  size_t numData = data.size();
  SmallVector<Dims> operands;
  for (Value operand : op->getOperands())
    operands.push_back(trace(operand, depth + 1));
  if (auto moved = moveContents(op, operands))
    return *moved;
  data.truncate(numData);
  return places(tensor);
}

Element Tracer::elementOf(Attribute dim) const {
  auto found = numbers.find(dim);
  return found == numbers.end() ? Element{dim, Value()} : data[found->second];
}

std::optional<SmallVector<Element>>
normalize::elementsOf(NormalizeContext &ctx, Value tensor, StringRef name) {
  if (!tensor)
    return std::nullopt;
  auto type = cast<RankedTensorType>(tensor.getType());
  if (!ctx.isStatic(tensor))
    return std::nullopt;
  if (!isa<IntegerType>(type.getElementType()) || !isShort(tensor)) {
    (void)ctx.unsupported("'" + name + "' holds more than " +
                          Twine(kMaxElements) + " numbers, or others");
    return std::nullopt;
  }
  Tracer tracer(ctx);
  return llvm::map_to_vector<6>(tracer.trace(tensor), [&](Attribute dim) {
    return tracer.elementOf(dim);
  });
}

bool normalize::isData(const NormalizeContext &ctx, Value value) {
  return value && !ctx.contents(value);
}
