//===- Reshape.cpp - the same elements under another shape ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file resolves copied and inferred dimensions, symbols included.
//===----------------------------------------------------------------------===//
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

Lowered normalize::lowerReshape(NormalizeContext &ctx, const Node &node) {
  auto wanted = ctx.contents(node.operand(1));
  if (!wanted)
    return ctx.unsupported(kUnknownShape);
  Dims in = dimsOf(node.type(0)), out;
  bool zeroIsZero = node.flag("allowzero", false);
  Product whole, part;
  for (Attribute dim : in)
    whole.multiply(dim);
  std::optional<size_t> inferred;
  Attribute zero = sizeDim(node.context(), 0);
  for (auto [index, dim] : llvm::enumerate(*wanted)) {
    bool isNumber = !graph::isSymbolic(dim);
    int64_t size = isNumber ? sizeOf(dim) : 1;
    bool copies = size == 0 && !zeroIsZero;
    if (size < -1 || (size == -1 && inferred) || (copies && index >= in.size()))
      return ctx.unsupported("the shape operand is malformed");
    if (!isNumber && failed(ctx.demandAtLeast(dim, zero)))
      return failure();
    out.push_back(copies ? in[index] : size == -1 ? Attribute() : dim);
    if (size == -1)
      inferred = index;
    else
      part.multiply(out.back());
  }
  if (inferred) {
    Attribute missing = quotient(node.context(), whole, part);
    if (!missing)
      missing = graph::divideDims(dimOf(node.context(), whole),
                                  dimOf(node.context(), part));
    if (!missing && ctx.isStatic(node.operand(0)))
      return ctx.unsupported("the shape operand does not divide the input");
    if (!missing)
      return failure();
    out[*inferred] = missing;
  }
  return ctx.reshapeTo(node.operand(0),
                       typeFromDims(out, node.type(0).getElementType()));
}
