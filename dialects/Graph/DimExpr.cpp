//===- DimExpr.cpp - sizes that are computed from symbols -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file implements the arithmetic: expressions become sums of products,
// whose parts are put in order before they become expressions again.
//===----------------------------------------------------------------------===//
#include "dialects/Graph/DimExpr.h"
#include "dialects/Graph/Shapes.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;

/// No number is larger, so that steps in between do not overflow.
static constexpr int64_t mostNumber = int64_t(1) << 62;

//===-- Sums --------------------------------------------------------------===//

/// An order of expressions over symbols that are numbered by name.
static int compare(AffineExpr a, AffineExpr b) {
  auto sign = [](int64_t x, int64_t y) { return x < y ? -1 : x > y; };
  if (a == b)
    return 0;
  if (a.getKind() != b.getKind())
    return a.getKind() == AffineExprKind::SymbolId ? -1
           : b.getKind() == AffineExprKind::SymbolId
               ? 1
               : sign(int64_t(a.getKind()), int64_t(b.getKind()));
  if (auto symbol = dyn_cast<AffineSymbolExpr>(a))
    return sign(symbol.getPosition(), cast<AffineSymbolExpr>(b).getPosition());
  if (auto constant = dyn_cast<AffineConstantExpr>(a))
    return sign(constant.getValue(), cast<AffineConstantExpr>(b).getValue());
  auto left = cast<AffineBinaryOpExpr>(a), right = cast<AffineBinaryOpExpr>(b);
  int first = compare(left.getLHS(), right.getLHS());
  return first ? first : compare(left.getRHS(), right.getRHS());
}

namespace {
/// constant + sum of factor * product. A product is of one or more atoms in
/// order, an atom is a symbol or a quotient of a sum in this form by a number;
/// products are sorted, factors are not zero.
struct Sum {
  int64_t constant = 0;
  SmallVector<std::pair<AffineExpr, int64_t>, 2> terms;
};

/// Sums over the symbols of some dimensions. Numbers that are too large leave
/// `overflows` behind.
class Arithmetic {
public:
  explicit Arithmetic(ArrayRef<Attribute> operands);

  Sum sumOf(Attribute dim);
  Attribute dimOf(const Sum &sum);
  void add(Sum &sum, const Sum &other, int64_t factor);
  Sum multiply(const Sum &a, const Sum &b);
  Sum floorDiv(const Sum &sum, int64_t divisor);
  std::optional<Sum> divideExactly(Sum sum, const Sum &divisor);

  bool overflows = false;

private:
  Sum sumOf(AffineExpr expr);
  Sum sumOfBinary(AffineBinaryOpExpr expr);
  void addTerm(Sum &sum, AffineExpr atom, int64_t factor);
  AffineExpr exprOf(const Sum &sum);
  int64_t multiplyAdd(int64_t a, int64_t b, int64_t c);

  MLIRContext *context;
  SmallVector<StringAttr> names; ///< sorted
};
} // namespace

static ArrayRef<StringAttr> symbolsOf(const Attribute &dim, StringAttr &one) {
  if (auto expr = dyn_cast<DimExprAttr>(dim))
    return expr.getSymbols();
  one = dyn_cast<StringAttr>(dim);
  return one ? ArrayRef<StringAttr>(one) : ArrayRef<StringAttr>();
}

Arithmetic::Arithmetic(ArrayRef<Attribute> operands)
    : context(operands.front().getContext()) {
  for (Attribute dim : operands) {
    StringAttr one;
    llvm::append_range(names, symbolsOf(dim, one));
  }
  llvm::sort(names, [](StringAttr a, StringAttr b) {
    return a.getValue() < b.getValue();
  });
  names.erase(llvm::unique(names), names.end());
}

/// a * b + c
int64_t Arithmetic::multiplyAdd(int64_t a, int64_t b, int64_t c) {
  int64_t product = 0, sum = 0;
  overflows |= llvm::MulOverflow(a, b, product) ||
               llvm::AddOverflow(product, c, sum) || sum > mostNumber ||
               sum < -mostNumber;
  return overflows ? 0 : sum;
}

void Arithmetic::addTerm(Sum &sum, AffineExpr atom, int64_t factor) {
  auto *at = llvm::lower_bound(sum.terms, atom, [](auto &term, AffineExpr key) {
    return compare(term.first, key) < 0;
  });
  if (at == sum.terms.end() || at->first != atom)
    at = sum.terms.insert(at, {atom, 0});
  at->second = multiplyAdd(factor, 1, at->second);
  if (at->second == 0)
    sum.terms.erase(at);
}

void Arithmetic::add(Sum &sum, const Sum &other, int64_t factor) {
  sum.constant = multiplyAdd(other.constant, factor, sum.constant);
  for (auto [atom, count] : other.terms)
    addTerm(sum, atom, multiplyAdd(count, factor, 0));
}

//===-- Products ----------------------------------------------------------===//

static bool isProduct(AffineExpr expr) {
  return expr.getKind() == AffineExprKind::Mul;
}

using Atoms = SmallVector<AffineExpr, 4>;

static Atoms atomsOf(AffineExpr product) {
  if (!product)
    return {};
  if (!isProduct(product))
    return {product};
  auto binary = cast<AffineBinaryOpExpr>(product);
  Atoms atoms = atomsOf(binary.getLHS());
  atoms.append(atomsOf(binary.getRHS()));
  return atoms;
}

/// Null of no atoms.
static AffineExpr productOf(Atoms atoms) {
  llvm::sort(atoms,
             [](AffineExpr a, AffineExpr b) { return compare(a, b) < 0; });
  AffineExpr product;
  for (AffineExpr atom : atoms)
    product = product
                  ? getAffineBinaryOpExpr(AffineExprKind::Mul, product, atom)
                  : atom;
  return product;
}

static AffineExpr productOf(AffineExpr a, AffineExpr b) {
  Atoms atoms = atomsOf(a);
  atoms.append(atomsOf(b));
  return productOf(std::move(atoms));
}

Sum Arithmetic::multiply(const Sum &a, const Sum &b) {
  Sum result;
  add(result, a, b.constant);
  for (auto [product, factor] : b.terms) {
    addTerm(result, product, multiplyAdd(factor, a.constant, 0));
    for (auto [other, count] : a.terms)
      addTerm(result, productOf(product, other), multiplyAdd(factor, count, 0));
  }
  return result;
}

namespace {
/// A factor and its product, null for 1.
struct Term {
  AffineExpr product;
  int64_t factor = 0;
};
} // namespace

/// The term of the most atoms; of several, the last.
static Term leadingTerm(const Sum &sum) {
  Term leading{nullptr, sum.constant};
  for (auto [product, factor] : sum.terms)
    if (atomsOf(product).size() >= atomsOf(leading.product).size())
      leading = {product, factor};
  return leading;
}

static std::optional<Term> divide(Term term, Term divisor) {
  if (divisor.factor == 0 || term.factor % divisor.factor != 0)
    return std::nullopt;
  Atoms atoms = atomsOf(term.product);
  for (AffineExpr atom : atomsOf(divisor.product)) {
    auto *at = llvm::find(atoms, atom);
    if (at == atoms.end())
      return std::nullopt;
    atoms.erase(at);
  }
  return Term{productOf(std::move(atoms)), term.factor / divisor.factor};
}

/// Long division, leading terms first. Each step takes a leading term away, and
/// puts none in its place that is not smaller; a bound on the steps makes sure.
std::optional<Sum> Arithmetic::divideExactly(Sum sum, const Sum &divisor) {
  Sum result;
  Term leading = leadingTerm(divisor);
  for (unsigned steps = 0; steps < 64 && !overflows; ++steps) {
    if (sum.terms.empty() && sum.constant == 0)
      return result;
    std::optional<Term> term = divide(leadingTerm(sum), leading);
    if (!term)
      return std::nullopt;
    Sum quotient;
    if (term->product)
      addTerm(quotient, term->product, term->factor);
    else
      quotient.constant = term->factor;
    add(result, quotient, 1);
    add(sum, multiply(quotient, divisor), -1);
  }
  return std::nullopt;
}

//===-- Quotients ---------------------------------------------------------===//

/// The only quotient of a sum, if it is there once.
static AffineBinaryOpExpr onlyQuotient(const Sum &sum) {
  AffineBinaryOpExpr found = nullptr;
  for (auto [product, factor] : sum.terms) {
    auto quotient = dyn_cast<AffineBinaryOpExpr>(product);
    if (!quotient || isProduct(product))
      continue;
    if (found || factor != 1)
      return nullptr;
    found = quotient;
  }
  return found;
}

/// What the divisor divides leaves the quotient; then both are divided by what
/// they have in common; then a quotient inside is merged:
/// ((m + 5) / 2 + n) / 3 is (m + 2 n + 5) / 6.
Sum Arithmetic::floorDiv(const Sum &sum, int64_t divisor) {
  Sum whole, rest;
  int64_t common = divisor;
  for (auto [atom, factor] : sum.terms) {
    int64_t outside = llvm::divideFloorSigned(factor, divisor);
    addTerm(whole, atom, outside);
    addTerm(rest, atom, factor - outside * divisor);
    common = std::gcd(common, factor);
  }
  whole.constant = llvm::divideFloorSigned(sum.constant, divisor);
  rest.constant = sum.constant - whole.constant * divisor;
  if (rest.terms.empty() || overflows)
    return whole;
  for (auto &[atom, factor] : rest.terms)
    factor /= common;
  rest.constant /= common;
  divisor /= common;
  if (auto quotient = onlyQuotient(rest)) {
    int64_t by = cast<AffineConstantExpr>(quotient.getRHS()).getValue();
    Sum merged = sumOf(quotient.getLHS());
    addTerm(rest, quotient, -1);
    add(merged, rest, by);
    int64_t product = multiplyAdd(by, divisor, 0);
    if (!overflows)
      add(whole, floorDiv(merged, product), 1);
    return whole;
  }
  addTerm(whole, exprOf(rest).floorDiv(divisor), 1);
  return whole;
}

Sum Arithmetic::sumOfBinary(AffineBinaryOpExpr expr) {
  Sum left = sumOf(expr.getLHS()), right = sumOf(expr.getRHS());
  if (expr.getKind() == AffineExprKind::Add) {
    add(left, right, 1);
    return left;
  }
  if (expr.getKind() == AffineExprKind::Mul)
    return multiply(left, right);
  // The right-hand side of all others is a number.
  int64_t number = right.constant;
  if (expr.getKind() == AffineExprKind::CeilDiv)
    left.constant = multiplyAdd(1, number - 1, left.constant);
  Sum quotient = floorDiv(left, number);
  if (expr.getKind() != AffineExprKind::Mod)
    return quotient;
  add(left, quotient, -number);
  return left;
}

Sum Arithmetic::sumOf(AffineExpr expr) {
  Sum sum;
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    sum.constant = constant.getValue();
  else if (isa<AffineSymbolExpr>(expr))
    sum.terms.push_back({expr, 1});
  else
    return sumOfBinary(cast<AffineBinaryOpExpr>(expr));
  return sum;
}

Sum Arithmetic::sumOf(Attribute dim) {
  Sum sum;
  if (auto size = dyn_cast<IntegerAttr>(dim)) {
    sum.constant = multiplyAdd(size.getInt(), 1, 0);
    return sum;
  }
  StringAttr one;
  SmallVector<AffineExpr> numbered;
  for (StringAttr name : symbolsOf(dim, one))
    numbered.push_back(
        getAffineSymbolExpr(llvm::find(names, name) - names.begin(), context));
  auto expr = dyn_cast<DimExprAttr>(dim);
  return sumOf(expr ? expr.getExpr().replaceSymbols(numbered) : numbered[0]);
}

AffineExpr Arithmetic::exprOf(const Sum &sum) {
  AffineExpr expr;
  for (auto [atom, factor] : sum.terms)
    expr = expr ? expr + atom * factor : atom * factor;
  if (!expr)
    return getAffineConstantExpr(sum.constant, context);
  return sum.constant ? expr + sum.constant : expr;
}

/// Only the symbols that are left over.
Attribute Arithmetic::dimOf(const Sum &sum) {
  if (sum.terms.empty())
    return IntegerAttr::get(IntegerType::get(context, 64), sum.constant);
  AffineExpr expr = exprOf(sum);
  SmallVector<StringAttr> used;
  SmallVector<AffineExpr> numbered;
  for (auto [position, name] : llvm::enumerate(names)) {
    numbered.push_back(getAffineSymbolExpr(used.size(), context));
    if (expr.isFunctionOfSymbol(unsigned(position)))
      used.push_back(name);
  }
  if (sum.constant == 0 && sum.terms.size() == 1 && sum.terms[0].second == 1 &&
      isa<AffineSymbolExpr>(expr))
    return used[0];
  return DimExprAttr::get(context, expr.replaceSymbols(numbered), used);
}

//===-- Arithmetic --------------------------------------------------------===//

static Attribute sumOfBoth(StringRef function, Attribute a, Attribute b,
                           int64_t factor) {
  if (!a || !b)
    return {};
  Arithmetic arithmetic({a, b});
  Sum sum = arithmetic.sumOf(a);
  arithmetic.add(sum, arithmetic.sumOf(b), factor);
  Attribute result = arithmetic.dimOf(sum);
  return arithmetic.overflows ? derivedSymbol(function, {a, b}) : result;
}

Attribute graph::addDims(Attribute a, Attribute b) {
  return sumOfBoth("sum", a, b, 1);
}

Attribute graph::subtractDims(Attribute a, Attribute b) {
  return sumOfBoth("difference", a, b, -1);
}

Attribute graph::affineDim(Attribute dim, int64_t factor, int64_t offset,
                           int64_t divisor) {
  if (!dim)
    return {};
  Arithmetic arithmetic({dim});
  Sum sum;
  sum.constant = offset;
  arithmetic.add(sum, arithmetic.sumOf(dim), factor);
  Attribute result = arithmetic.dimOf(arithmetic.floorDiv(sum, divisor));
  if (!arithmetic.overflows)
    return result;
  std::string text = "(" + std::to_string(factor) + ", " +
                     std::to_string(offset) + ", " + std::to_string(divisor) +
                     ")";
  return derivedSymbol("affine" + text, dim);
}

Attribute graph::floorDivDim(Attribute dim, int64_t divisor) {
  return affineDim(dim, 1, 0, divisor);
}

Attribute graph::modDim(Attribute dim, int64_t divisor) {
  Attribute quotient = floorDivDim(dim, divisor);
  return subtractDims(dim, affineDim(quotient, divisor, 0));
}

DimContent graph::contentOf(Attribute dim) {
  Arithmetic arithmetic({dim});
  Sum sum = arithmetic.sumOf(dim);
  int64_t factor = sum.constant;
  for (auto [atom, count] : sum.terms)
    factor = std::gcd(factor, count);
  if (factor <= 1)
    return {1, dim};
  return {factor, floorDivDim(dim, factor)};
}

Attribute graph::multiplyDims(Attribute a, Attribute b) {
  if (!a || !b)
    return {};
  Arithmetic arithmetic({a, b});
  Sum product = arithmetic.multiply(arithmetic.sumOf(a), arithmetic.sumOf(b));
  Attribute result = arithmetic.dimOf(product);
  return arithmetic.overflows ? derivedSymbol("product", {a, b}) : result;
}

Attribute graph::divideDims(Attribute dim, Attribute divisor) {
  if (!dim || !divisor)
    return {};
  Arithmetic arithmetic({dim, divisor});
  std::optional<Sum> quotient = arithmetic.divideExactly(
      arithmetic.sumOf(dim), arithmetic.sumOf(divisor));
  return quotient && !arithmetic.overflows ? arithmetic.dimOf(*quotient)
                                           : Attribute();
}

//===-- Symbols -----------------------------------------------------------===//

Attribute graph::derivedSymbol(StringRef function,
                               ArrayRef<Attribute> operands) {
  auto texts = llvm::map_to_vector(operands, dimText);
  llvm::sort(texts);
  std::string name = function.str() + "(" + llvm::join(texts, ", ") + ")";
  return StringAttr::get(operands.front().getContext(), name);
}

/// The symbols in the types of a function.
static llvm::StringSet<> symbolsIn(Operation *function) {
  llvm::StringSet<> names;
  auto add = [&](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor)
      return;
    for (Attribute dim : dimsOf(tensor)) {
      StringAttr one;
      if (dim)
        for (StringAttr name : symbolsOf(dim, one))
          names.insert(name.getValue());
    }
  };
  function->walk([&](Block *block) {
    llvm::for_each(block->getArgumentTypes(), add);
    for (Operation &op : *block)
      llvm::for_each(op.getResultTypes(), add);
  });
  return names;
}

Attribute graph::freshDim(Operation *op) {
  Operation *function = op->getParentOfType<FunctionOpInterface>();
  llvm::StringSet<> taken = symbolsIn(function ? function : op);
  auto node = op->getLoc()->findInstanceOf<NameLoc>();
  std::string stem =
      node ? node.getName().str() : op->getName().stripDialect().str();
  std::string name = stem;
  for (unsigned count = 2; taken.contains(name); ++count)
    name = stem + "." + std::to_string(count);
  return StringAttr::get(op->getContext(), name);
}
