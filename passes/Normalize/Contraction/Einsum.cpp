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
  ArrayRef<int64_t> shape() const {
    return mlir::cast<RankedTensorType>(value.getType()).getShape();
  }
  int64_t size(char letter) const { return shape()[letters.find(letter)]; }
};

/// The letters of an operand by the role they play in a product.
struct Roles {
  std::string batch, left, right, summed;
};

/// How many elements the dimension of a letter has, of all operands.
using Sizes = std::map<char, int64_t>;
} // namespace

/// Dimensions of one element repeat to meet others.
static bool readSizes(NormalizeContext &ctx, ArrayRef<Term> terms,
                      Sizes &sizes) {
  for (const Term &term : terms)
    for (auto [letter, size] : llvm::zip(term.letters, term.shape())) {
      auto [found, isNew] = sizes.try_emplace(letter, size);
      if (!isNew && found->second != size && found->second != 1 && size != 1)
        return succeeded(ctx.unsupported("the equation names dimensions of " +
                                         llvm::Twine(found->second) + " and " +
                                         llvm::Twine(size) + " alike"));
      found->second = size == 1 ? found->second : size;
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

/// Makes one dimension of the first two, which have the same letter: what lies
/// where both have the same position is every `size + 1`th of their elements.
static void takeDiagonal(NormalizeContext &ctx, Term &term) {
  SmallVector<int64_t> shape(term.shape().drop_front());
  int64_t size = shape.front();
  shape.front() = size * size;
  Value flat = ctx.reshape(term.value, shape);
  SmallVector<int64_t> starts(shape.size(), 0), steps(shape.size(), 1);
  steps.front() = size + 1;
  shape.front() = size;
  term.value = ctx.create<graph::SliceOp>(flat, starts, shape, steps);
  term.letters.erase(0, 1);
}

/// Leaves each letter of an operand once.
static bool takeDiagonals(NormalizeContext &ctx, Term &term) {
  for (size_t i = 0; i < term.letters.size(); ++i) {
    size_t next = term.letters.find(term.letters[i], i + 1);
    if (next == std::string::npos)
      continue;
    if (term.shape()[i] != term.shape()[next])
      return succeeded(ctx.unsupported("the diagonal is not of a square"));
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
  SmallVector<int64_t> shape;
  std::string letters;
  for (auto [letter, size] : llvm::zip(term.letters, term.shape()))
    if (size == sizes.at(letter)) {
      shape.push_back(size);
      letters += letter;
    }
  term = {ctx.reshape(term.value, shape), letters};
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

static int64_t product(const Sizes &sizes, StringRef letters) {
  int64_t size = 1;
  for (char letter : letters)
    size *= sizes.at(letter);
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
  int64_t batch = product(sizes, roles.batch);
  int64_t summed = product(sizes, roles.summed);
  Value lhs = ctx.reshape(a.value, {batch, product(sizes, roles.left), summed});
  Value rhs =
      ctx.reshape(b.value, {batch, summed, product(sizes, roles.right)});
  Value result = roles.summed.empty()
                     ? ctx.create<graph::MulOp>(lhs, rhs)
                     : ctx.create<graph::MatmulOp>(lhs, rhs, false, false);
  SmallVector<int64_t> shape;
  std::string letters = roles.batch + roles.left + roles.right;
  for (char letter : letters)
    shape.push_back(sizes.at(letter));
  return {ctx.reshape(result, shape), letters};
}

static std::optional<SmallVector<Term>>
readTerms(NormalizeContext &ctx, const Node &node, EinsumEquation &equation) {
  SmallVector<int64_t> ranks;
  for (Value operand : node.allOperands()) {
    if (!ctx.isStatic(operand))
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
