//===- Einsum.cpp - sums of products by index letters ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file turns an equation into transposes and one matrix product per
// operand.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Contraction/Contraction.h"

#include "llvm/ADT/StringExtras.h"

using namespace tenon;
using namespace tenon::normalize;

namespace {
/// A tensor whose dimensions are named by letters, each letter once.
struct Term {
  Value value;
  std::string letters;

  bool has(char letter) const {
    return letters.find(letter) != std::string::npos;
  }
  int64_t size(char letter) const {
    return mlir::cast<RankedTensorType>(value.getType())
        .getDimSize(letters.find(letter));
  }
};

/// The letters of an operand by the role they play in a product.
struct Roles {
  std::string batch, left, right, summed;
};
} // namespace

/// Spells "..." by capital letters from the end of the alphabet that the
/// equation does not use; nothing if the ranks do not fit.
static std::optional<std::string> spell(StringRef text, int64_t rank) {
  auto [before, after] = text.split("...");
  if (!text.contains("..."))
    return int64_t(text.size()) == rank || rank < 0 ? std::optional(text.str())
                                                    : std::nullopt;
  int64_t hidden = rank - int64_t(before.size() + after.size());
  if (hidden < 0 || hidden > 8)
    return std::nullopt;
  std::string result = before.str();
  for (int64_t i = hidden; i > 0; --i)
    result += char('0' + i);
  return result + after.str();
}

static bool eachOnce(StringRef letters) {
  for (size_t i = 0; i < letters.size(); ++i)
    if (letters.substr(i + 1).contains(letters[i]))
      return false;
  return true;
}

/// Sums the letters of `term` that neither `other` nor the result has.
static bool sumOut(NormalizeContext &ctx, Term &term, StringRef kept) {
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
  return bool(term.value);
}

/// Brings the dimensions into the order of `letters`, a permutation of them.
static void permute(NormalizeContext &ctx, Term &term, StringRef letters) {
  SmallVector<int64_t> permutation;
  for (char letter : letters)
    permutation.push_back(term.letters.find(letter));
  term.value = ctx.transpose(term.value, permutation);
  term.letters = letters.str();
}

static int64_t product(const Term &term, StringRef letters) {
  int64_t size = 1;
  for (char letter : letters)
    size *= term.size(letter);
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
static std::optional<Term> multiply(NormalizeContext &ctx, Term a, Term b,
                                    StringRef kept) {
  if (!sumOut(ctx, a, kept.str() + b.letters) ||
      !sumOut(ctx, b, kept.str() + a.letters))
    return std::nullopt;
  for (char letter : a.letters)
    if (b.has(letter) && a.size(letter) != b.size(letter)) {
      (void)ctx.unsupported("an index that broadcasts is not supported");
      return std::nullopt;
    }
  Roles roles = rolesOf(a, b, kept);
  permute(ctx, a, roles.batch + roles.left + roles.summed);
  permute(ctx, b, roles.batch + roles.summed + roles.right);
  if (!a.value || !b.value)
    return std::nullopt;
  SmallVector<int64_t> shape;
  for (char letter : roles.batch + roles.left)
    shape.push_back(a.size(letter));
  for (char letter : roles.right)
    shape.push_back(b.size(letter));
  int64_t batch = product(a, roles.batch), summed = product(a, roles.summed);
  int64_t left = product(a, roles.left), right = product(b, roles.right);
  Value result = ctx.create<graph::MatmulOp>(
      ctx.reshape(a.value, {batch, left, summed}),
      ctx.reshape(b.value, {batch, summed, right}), false, false);
  return Term{ctx.reshape(result, shape),
              roles.batch + roles.left + roles.right};
}

/// The result's letters where the equation has no arrow: those that occur
/// once, in alphabetical order, behind the dimensions of "...".
static std::string implicitResult(ArrayRef<std::string> inputs) {
  std::string all, hidden, single;
  for (const std::string &input : inputs)
    all += input;
  llvm::sort(all);
  for (char letter : all) {
    if (llvm::isDigit(letter) && hidden.find(letter) == std::string::npos)
      hidden.insert(hidden.begin(), letter);
    else if (llvm::isAlpha(letter) && llvm::count(all, letter) == 1)
      single += letter;
  }
  return hidden + single;
}

/// Letters of all operands, then of the result; empty when it does not parse.
static SmallVector<std::string> parseEquation(const Node &node) {
  std::string text;
  for (char c : node.string("equation", ""))
    if (c != ' ')
      text += c;
  auto [left, right] = StringRef(text).split("->");
  SmallVector<StringRef> inputs;
  left.split(inputs, ',');
  SmallVector<std::string> result;
  if (inputs.size() != node.allOperands().size())
    return {};
  int64_t hidden = 0;
  for (auto [index, input] : llvm::enumerate(inputs)) {
    auto letters = spell(input, node.type(index).getRank());
    if (!letters || !eachOnce(*letters))
      return {};
    hidden = std::max<int64_t>(hidden, llvm::count_if(*letters, llvm::isDigit));
    result.push_back(*letters);
  }
  if (!StringRef(text).contains("->")) {
    result.push_back(implicitResult(result));
    return result;
  }
  bool hasHidden = right.contains("...");
  auto letters = spell(right, right.size() - (hasHidden ? 3 : 0) +
                                  (hasHidden ? hidden : 0));
  if (!letters || !eachOnce(*letters))
    return {};
  result.push_back(*letters);
  return result;
}

Lowered normalize::lowerEinsum(NormalizeContext &ctx, const Node &node) {
  SmallVector<std::string> letters = parseEquation(node);
  if (letters.empty())
    return ctx.unsupported("the equation is malformed, or takes a diagonal");
  for (Value operand : node.allOperands())
    if (!ctx.isStatic(operand))
      return mlir::failure();
  std::string result = letters.pop_back_val();
  Term term{node.operand(0), letters[0]};
  for (size_t i = 1; i < letters.size(); ++i) {
    std::string kept = result;
    for (size_t later = i + 1; later < letters.size(); ++later)
      kept += letters[later];
    auto next = multiply(ctx, term, {node.operand(i), letters[i]}, kept);
    if (!next || !next->value)
      return mlir::failure();
    term = *next;
  }
  if (!sumOut(ctx, term, result))
    return mlir::failure();
  if (term.letters.size() != result.size())
    return ctx.unsupported("the result has an index that no operand has");
  permute(ctx, term, result);
  return term.value;
}
