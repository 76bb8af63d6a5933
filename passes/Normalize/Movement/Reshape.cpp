//===- Reshape.cpp - the same elements under another shape ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file resolves copied and inferred dimensions, symbols included.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Extents.h"
#include "passes/Normalize/Movement/Movement.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::normalize;

namespace {
/// A product of dimensions: a number and what has symbols in it.
struct Product {
  int64_t number = 1;
  SmallVector<Attribute> symbols;
  bool isKnown = true; ///< false after an anonymous dimension or an overflow

  void multiply(Attribute dim) {
    isKnown &= bool(dim);
    if (!isKnown)
      return;
    auto [factor, rest] = graph::contentOf(dim);
    if (graph::isSymbolic(rest))
      symbols.push_back(rest);
    else
      factor = sizeOf(dim);
    isKnown &= !llvm::MulOverflow(number, factor, number);
  }
};
} // namespace

/// Null if it is not known.
static Attribute dimOf(MLIRContext *context, const Product &factors) {
  Attribute result = sizeDim(context, factors.number);
  for (Attribute symbol : factors.symbols)
    result = graph::multiplyDims(result, symbol);
  return factors.isKnown ? result : Attribute();
}

/// The one dimension by which `part` falls short of `whole`; null if there is
/// none.
static Attribute quotient(MLIRContext *context, Product whole, Product part) {
  for (Attribute symbol : part.symbols) {
    auto *found = llvm::find(whole.symbols, symbol);
    if (found == whole.symbols.end())
      return {};
    whole.symbols.erase(found);
  }
  if (!whole.isKnown || !part.isKnown || part.number == 0 ||
      (whole.symbols.empty() && whole.number % part.number != 0))
    return {};
  int64_t number = whole.number;
  whole.number = 1;
  return graph::affineDim(dimOf(context, whole), number, 0, part.number);
}

namespace {
/// Makes the dimensions of the result of one node.
class Target {
public:
  Target(NormalizeContext &ctx, const Node &node)
      : ctx(ctx), node(node), in(dimsOf(node.type(0))),
        zeroIsZero(node.flag("allowzero", false)) {}

  bool read();
  bool infer();

  Dims out;

private:
  bool isCopied(size_t index) const;
  bool readKnown();
  bool readData();
  Value valueOf(size_t index);
  void fill(SmallVector<Value> &numbers);

  NormalizeContext &ctx;
  const Node &node;
  Dims in;
  bool zeroIsZero;
  SmallVector<Element> wanted;
  std::optional<size_t> inferred; ///< where the shape has -1
};
} // namespace

static Product productOf(const Dims &dims) {
  Product product;
  for (Attribute dim : dims)
    product.multiply(dim);
  return product;
}

bool Target::isCopied(size_t index) const {
  Attribute dim = index < wanted.size() ? wanted[index].dim : Attribute();
  return !zeroIsZero && dim && !graph::isSymbolic(dim) && sizeOf(dim) == 0;
}

bool Target::readKnown() {
  for (auto [index, element] : llvm::enumerate(wanted)) {
    Attribute dim = element.dim;
    bool isNumber = dim && !graph::isSymbolic(dim);
    int64_t size = isNumber ? sizeOf(dim) : 1;
    bool copies = isCopied(index);
    if (size < -1 || (size == -1 && inferred) || (copies && index >= in.size()))
      return succeeded(ctx.unsupported("the shape operand is malformed"));
    out.push_back(copies ? in[index] : size == -1 ? Attribute() : dim);
    if (size == -1)
      inferred = index;
  }
  return true;
}

/// What data, or symbols that might be negative, say for a dimension.
Value Target::valueOf(size_t index) {
  Value value = numberOf(ctx, wanted[index]);
  if (zeroIsZero || wanted[index].isKnown())
    return value;
  Value zero = numberOf(ctx, int64_t(0));
  Value copied = index < in.size() ? numberOf(ctx, in[index]) : zero;
  return ctx.create<graph::SelectOp>(ctx.create<graph::EqualOp>(value, zero),
                                     copied, value);
}

/// Puts in place of -1 what the others leave of the input.
void Target::fill(SmallVector<Value> &numbers) {
  Value one = numberOf(ctx, int64_t(1)), none = numberOf(ctx, int64_t(-1));
  Value rest = one;
  SmallVector<Value> isOpen;
  for (Value number : numbers) {
    isOpen.push_back(ctx.create<graph::EqualOp>(number, none));
    rest = ctx.create<graph::MulOp>(
        rest, ctx.create<graph::SelectOp>(isOpen.back(), one, number));
  }
  Value whole = numberOf(ctx, dimOf(node.context(), productOf(in)));
  Value filled = ctx.create<graph::DivOp>(whole, rest);
  for (auto [open, number] : llvm::zip(isOpen, numbers))
    number = ctx.create<graph::SelectOp>(open, filled, number);
}

bool Target::readData() {
  bool hasData =
      llvm::any_of(wanted, [](const Element &e) { return !e.isKnown(); });
  SmallVector<Value> numbers;
  for (size_t index = 0; index < wanted.size(); ++index)
    numbers.push_back(index == inferred         ? numberOf(ctx, int64_t(0))
                      : wanted[index].isKnown() ? numberOf(ctx, out[index])
                                                : valueOf(index));
  if (hasData && !inferred)
    fill(numbers);
  auto dims = extents(ctx, numbers);
  if (!dims)
    return false;
  for (auto [index, dim] : llvm::enumerate(*dims))
    out[index] = index == inferred ? Attribute() : dim;
  return true;
}

bool Target::read() {
  auto elements = elementsOf(ctx, node.operand(1), "shape");
  if (!elements)
    return false;
  wanted = *elements;
  if (!readKnown())
    return false;
  bool isPlain = llvm::all_of(wanted, [](const Element &element) {
    return element.dim && !graph::isSymbolic(element.dim);
  });
  return isPlain || readData();
}

bool Target::infer() {
  if (!inferred)
    return true;
  MLIRContext *context = node.context();
  // What is copied may be 0, and leaves as much of the others as it does else.
  Product whole, part;
  for (auto [index, dim] : llvm::enumerate(in))
    if (!isCopied(index))
      whole.multiply(dim);
  for (auto [index, dim] : llvm::enumerate(out))
    if (index != inferred && !isCopied(index))
      part.multiply(dim);
  Attribute &missing = out[*inferred];
  missing = quotient(context, whole, part);
  if (!missing)
    missing = graph::divideDims(dimOf(context, whole), dimOf(context, part));
  if (missing)
    return true;
  if (!whole.isKnown || !part.isKnown)
    return succeeded(ctx.unsupported(kUnknownShape));
  if (whole.symbols.empty() && part.symbols.empty())
    return succeeded(
        ctx.unsupported("the shape operand does not divide the input"));
  auto dims = extents(
      ctx, ctx.create<graph::DivOp>(numberOf(ctx, dimOf(context, whole)),
                                    numberOf(ctx, dimOf(context, part))));
  if (dims)
    missing = dims->front();
  return bool(dims);
}

Lowered normalize::lowerReshape(NormalizeContext &ctx, const Node &node) {
  Target target(ctx, node);
  if (!target.read() || !target.infer())
    return failure();
  return ctx.reshapeTo(node.operand(0),
                       typeFromDims(target.out, node.type(0).getElementType()));
}
