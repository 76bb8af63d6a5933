//===- Einsum.cpp - sums of products by index letters ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file turns an equation into transposes and one product per operand: of
// matrices where letters are summed, of elements where none is.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Contraction/Contraction.h"
#include "passes/Normalize/Contraction/EinsumEquation.h"

#include <map>

using namespace tenon;
using namespace tenon::normalize;

namespace {
/// A tensor whose dimensions are named by letters.
struct Term {
  Value value;
  std::string letters;

  bool has(char letter) const {
    return letters.find(letter) != std::string::npos;
  }
  Dims dims() const { return dimsOf(value); }
  mlir::Type element() const { return mlir::getElementTypeOrSelf(value); }
};

/// The letters of an operand by the role they play in a product.
struct Roles {
  std::string batch, left, right, summed;
};

/// How many elements the dimension of a letter has, of all operands.
using Sizes = std::map<char, mlir::Attribute>;
} // namespace

static Value reshaped(NormalizeContext &ctx, const Term &term,
                      ArrayRef<mlir::Attribute> dims) {
  return ctx.reshapeTo(term.value, typeFromDims(dims, term.element()));
}

/// Dimensions of one element repeat to meet others, those that may have one as
/// well.
static bool readSizes(NormalizeContext &ctx, ArrayRef<Term> terms,
                      Sizes &sizes) {
  for (const Term &term : terms)
    for (auto [letter, size] : llvm::zip(term.letters, term.dims())) {
      auto [found, isNew] = sizes.try_emplace(letter, size);
      auto both =
          graph::broadcastTypes({typeFromDims({found->second}, term.element()),
                                 typeFromDims({size}, term.element())},
                                term.element());
      if (failed(both))
        return succeeded(ctx.unsupported("the equation names dimensions of " +
                                         graph::dimText(found->second) +
                                         " and " + graph::dimText(size) +
                                         " alike"));
      found->second = dimsOf(*both).front();
    }
  return true;
}

/// Brings the dimensions into the order of `letters`, a permutation of them.
static void permute(NormalizeContext &ctx, Term &term, StringRef letters) {
  SmallVector<int64_t> permutation;
  for (char letter : letters)
    permutation.push_back(term.letters.find(letter));
  term.value = ctx.transpose(term.value, permutation);
  term.letters = letters.str();
}

static Value sliceDiagonal(NormalizeContext &ctx, Value flat,
                           const Dims &dims) {
  Dims starts(dims.size(), sizeDim(flat.getContext(), 0));
  SmallVector<int64_t> steps(dims.size(), 1);
  steps.front() = sizeOf(dims.front()) + 1;
  return ctx.slice(flat, starts, dims, steps);
}

static Value gatherDiagonal(NormalizeContext &ctx, Value flat,
                            mlir::Attribute size) {
  mlir::Attribute one = sizeDim(flat.getContext(), 1);
  Value index = ctx.create<graph::MulOp>(ctx.indices(ArrayRef(size), 0),
                                         ctx.sizes(graph::addDims(size, one)));
  return ctx.create<graph::GatherOp>(flat, index, 0);
}

/// Makes one dimension of the first two, which have the same letter: what lies
/// where both have the same position is every `size + 1`th of their elements.
static void takeDiagonal(NormalizeContext &ctx, Term &term) {
  Dims dims = term.dims();
  mlir::Attribute size = dims.front();
  dims.erase(dims.begin());
  dims.front() = graph::multiplyDims(size, size);
  Value flat = reshaped(ctx, term, dims);
  dims.front() = size;
  term.value = graph::isSymbolic(size) ? gatherDiagonal(ctx, flat, size)
                                       : sliceDiagonal(ctx, flat, dims);
  term.letters.erase(0, 1);
}

/// Leaves each letter of an operand once.
static bool takeDiagonals(NormalizeContext &ctx, Term &term) {
  for (size_t i = 0; i < term.letters.size(); ++i) {
    size_t next = term.letters.find(term.letters[i], i + 1);
    if (next == std::string::npos)
      continue;
    Dims dims = term.dims();
    if (!graph::mayBeEqual(dims[i], dims[next]))
      return succeeded(ctx.unsupported("the diagonal is not of a square"));
    // The run checks what symbols leave open.
    dims[next] = dims[i];
    term.value = reshaped(ctx, term, dims);
    SmallVector<int64_t> permutation{int64_t(i), int64_t(next)};
    std::string letters(2, term.letters[i]);
    for (size_t other = 0; other < term.letters.size(); ++other)
      if (other != i && other != next) {
        permutation.push_back(other);
        letters += term.letters[other];
      }
    term = {ctx.transpose(term.value, permutation), letters};
    takeDiagonal(ctx, term);
    if (!term.value)
      return false;
    i = size_t(-1); // what is in front has changed
  }
  return true;
}

/// Drops dimensions of one element that repeat to meet another operand's.
static void dropUnits(NormalizeContext &ctx, Term &term, const Sizes &sizes) {
  Dims dims, all;
  std::string letters;
  for (auto [letter, size] : llvm::zip(term.letters, term.dims())) {
    mlir::Attribute whole = sizes.at(letter);
    bool isUnit = size != whole && sizeOf(size) == 1;
    all.push_back(isUnit ? size : whole);
    if (!isUnit) {
      dims.push_back(whole);
      letters += letter;
    }
  }
  term.value = ctx.broadcastTo(term.value, typeFromDims(all, term.element()));
  term = {reshaped(ctx, term, dims), letters};
}

/// Sums the letters of `term` that are not among those `kept`.
static void sumOut(NormalizeContext &ctx, Term &term, StringRef kept) {
  SmallVector<int64_t> axes;
  std::string left;
  for (auto [index, letter] : llvm::enumerate(term.letters))
    if (kept.contains(letter))
      left += letter;
    else
      axes.push_back(index);
  if (!axes.empty())
    term.value = ctx.create<graph::ReduceSumOp>(term.value, axes, false);
  term.letters = left;
}

static mlir::Attribute product(NormalizeContext &ctx, const Sizes &sizes,
                               StringRef letters) {
  mlir::Attribute size = sizeDim(ctx.builder().getContext(), 1);
  for (char letter : letters)
    size = graph::multiplyDims(size, sizes.at(letter));
  return size;
}

static Roles rolesOf(const Term &a, const Term &b, StringRef kept) {
  Roles roles;
  for (char letter : a.letters)
    (!b.has(letter)          ? roles.left
     : kept.contains(letter) ? roles.batch
                             : roles.summed) += letter;
  for (char letter : b.letters)
    if (!a.has(letter))
      roles.right += letter;
  return roles;
}

/// [batch, left, summed] x [batch, summed, right], each role one dimension.
static Term multiply(NormalizeContext &ctx, Term a, Term b, StringRef kept,
                     const Sizes &sizes) {
  sumOut(ctx, a, kept.str() + b.letters);
  sumOut(ctx, b, kept.str() + a.letters);
  Roles roles = rolesOf(a, b, kept);
  permute(ctx, a, roles.batch + roles.left + roles.summed);
  permute(ctx, b, roles.batch + roles.summed + roles.right);
  auto size = [&](StringRef letters) { return product(ctx, sizes, letters); };
  mlir::Attribute batch = size(roles.batch), summed = size(roles.summed);
  Value lhs = reshaped(ctx, a, {batch, size(roles.left), summed});
  Value rhs = reshaped(ctx, b, {batch, summed, size(roles.right)});
  Value result = roles.summed.empty()
                     ? ctx.create<graph::MulOp>(lhs, rhs)
                     : ctx.create<graph::MatmulOp>(lhs, rhs, false, false);
  Dims dims;
  std::string letters = roles.batch + roles.left + roles.right;
  for (char letter : letters)
    dims.push_back(sizes.at(letter));
  return {ctx.reshapeTo(result, typeFromDims(dims, a.element())), letters};
}

static std::optional<SmallVector<Term>>
readTerms(NormalizeContext &ctx, const Node &node, EinsumEquation &equation) {
  SmallVector<int64_t> ranks;
  for (Value operand : node.allOperands()) {
    if (!ctx.hasDims(operand))
      return std::nullopt;
    ranks.push_back(mlir::cast<RankedTensorType>(operand.getType()).getRank());
  }
  std::string why = readEinsum(node.string("equation", ""), ranks, equation);
  if (!why.empty()) {
    (void)ctx.unsupported("the equation " + why);
    return std::nullopt;
  }
  SmallVector<Term> terms;
  for (auto [value, letters] : llvm::zip(node.allOperands(), equation.operands))
    terms.push_back({value, letters});
  return terms;
}

Lowered normalize::lowerEinsum(NormalizeContext &ctx, const Node &node) {
  EinsumEquation equation;
  Sizes sizes;
  auto terms = readTerms(ctx, node, equation);
  if (!terms)
    return mlir::failure();
  for (Term &term : *terms)
    if (!takeDiagonals(ctx, term))
      return mlir::failure();
  if (!readSizes(ctx, *terms, sizes))
    return mlir::failure();
  for (Term &term : *terms)
    dropUnits(ctx, term, sizes);
  Term result = terms->front();
  for (size_t i = 1; i < terms->size(); ++i) {
    std::string kept = equation.result;
    for (const Term &later : ArrayRef(*terms).drop_front(i + 1))
      kept += later.letters;
    result = multiply(ctx, result, (*terms)[i], kept, sizes);
  }
  sumOut(ctx, result, equation.result);
  permute(ctx, result, equation.result);
  return result.value;
}
