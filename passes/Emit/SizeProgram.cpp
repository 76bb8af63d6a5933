//===- SizeProgram.cpp - dimensions as code -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Emit/SizeProgram.h"

#include "dialects/Graph/DerivedDims.h"
#include "dialects/Graph/Shapes.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::emit;
using artifact::SizeOp;

//===-- Instructions ------------------------------------------------------===//

/// What needs no instruction.
static std::optional<int64_t> fold(SizeOp op, int64_t a, int64_t b) {
  bool isZero = op == SizeOp::Add || op == SizeOp::Sub;
  bool isOne = op == SizeOp::Mul || op == SizeOp::FloorDiv;
  if ((isZero && b == 0) || (isOne && b == 1))
    return a;
  if ((op == SizeOp::Add && a == 0) || (op == SizeOp::Mul && a == 1))
    return b;
  bool areNumbers = a >= 0 && b >= 0;
  int64_t result = 0;
  switch (op) {
  case SizeOp::Add:
    return areNumbers && !llvm::AddOverflow(a, b, result)
               ? std::optional(result)
               : std::nullopt;
  case SizeOp::Mul:
    return areNumbers && !llvm::MulOverflow(a, b, result)
               ? std::optional(result)
               : std::nullopt;
  case SizeOp::FloorDiv:
    return areNumbers && b > 0 ? std::optional(a / b) : std::nullopt;
  case SizeOp::Max:
    return a == b       ? std::optional(a)
           : areNumbers ? std::optional(std::max(a, b))
                        : std::nullopt;
  default:
    return std::nullopt;
  }
}

void SizeProgram::setNode(StringRef nodes) {
  std::string first = nodes.split(';').first.str();
  node = first.empty() ? "" : "node '" + first + "'";
}

/// Whether a relation that has no order reads better with its operands swapped:
/// errors begin with an extent, of two that broadcast with the first.
static bool isReversed(SizeOp op, int64_t a, int64_t b) {
  if (op == SizeOp::CheckEqual)
    return a >= 0 && b < 0;
  return op == SizeOp::Broadcast && b < 0 && (a >= 0 || a < b);
}

int64_t SizeProgram::add(SizeOp op, int64_t a, int64_t b, StringRef text) {
  if (std::optional<int64_t> folded = fold(op, a, b))
    return *folded;
  if (isReversed(op, a, b))
    std::swap(a, b);
  auto [known, isNew] = results.try_emplace({op, a, b}, 0);
  if (!isNew)
    return known->second;
  program.push_back({op, a, b, text.empty() ? node : text.str()});
  return known->second = artifact::registerValue(registers++);
}

int64_t SizeProgram::roundUp(int64_t value, int64_t unit) {
  int64_t sum = add(SizeOp::Add, value, unit - 1);
  return add(SizeOp::Mul, add(SizeOp::FloorDiv, sum, unit), unit);
}

//===-- Inputs ------------------------------------------------------------===//

int64_t SizeProgram::extent(unsigned input, unsigned dim) const {
  int64_t size = inputTypes[input].getDimSize(dim);
  return ShapedType::isDynamic(size)
             ? artifact::registerValue(firstRegisters[input] + dim)
             : size;
}

static void demandRange(SizeProgram &program, int64_t value,
                        const graph::SymbolRange &range, StringRef text) {
  if (range.min > 0)
    program.add(SizeOp::CheckAtLeast, value, range.min, text);
  if (range.max != graph::SymbolRange().max)
    program.add(SizeOp::CheckAtMost, value, range.max, text);
  if (range.multipleOf > 1)
    program.add(SizeOp::CheckMultiple, value, range.multipleOf, text);
}

/// Names first: an expression may stand before the names that it is made of.
void SizeProgram::bind(ArrayRef<RankedTensorType> inputs,
                       const graph::ConstraintStore &constraints,
                       ArrayRef<Room> rooms) {
  SmallVector<std::pair<int64_t, Attribute>> others;
  for (RankedTensorType input : inputs) {
    firstRegisters.push_back(registers);
    inputTypes.push_back(input);
    for (Attribute dim : graph::dimsOf(input)) {
      int64_t value = artifact::registerValue(registers++);
      if (graph::isSymbolic(dim) &&
          !(isa<StringAttr>(dim) && known.try_emplace(dim, value).second))
        others.push_back({value, dim});
    }
  }
  for (const Room &room : rooms)
    capacities.emplace_back(room, artifact::registerValue(registers++));
  for (auto [value, dim] : others)
    add(SizeOp::CheckEqual, value, valueOf(dim), graph::dimText(dim));
  SmallVector<std::pair<StringRef, int64_t>> names;
  for (auto [dim, value] : known)
    if (auto name = dyn_cast<StringAttr>(dim))
      names.push_back({name.getValue(), value});
  llvm::sort(names);
  for (auto [name, value] : names)
    demandRange(*this, value, constraints.range(name), name);
}

//===-- Dimensions --------------------------------------------------------===//

int64_t SizeProgram::valueOf(Attribute dim) {
  if (auto number = dyn_cast<IntegerAttr>(dim))
    return number.getInt();
  if (auto found = known.find(dim); found != known.end())
    return found->second;
  auto symbol = dyn_cast<StringAttr>(dim);
  auto expr = symbol ? graph::DimExprAttr() : cast<graph::DimExprAttr>(dim);
  int64_t value = symbol ? valueOfSymbol(symbol)
                         : valueOfExpr(expr.getExpr(), expr.getSymbols());
  return known[dim] = value;
}

/// A capacity of 0, or any that is too small, is that of a dense buffer.
int64_t SizeProgram::valueOfSymbol(StringAttr symbol) {
  for (auto &[room, capacity] : capacities)
    if (room.symbol == symbol) {
      int64_t extent = valueOf(room.extent);
      return add(SizeOp::Sub, max(capacity, extent), extent);
    }
  std::optional<graph::DerivedDim> derived = graph::derivationOf(symbol);
  // tenon-require-sizes lets no other symbol through: what is left is the name
  // of a size beyond 64 bits (multiplyDims), which is an error of the run.
  if (!derived)
    return add(SizeOp::Mul, INT64_MAX, 2);
  return add(derived->function == "min" ? SizeOp::Min : SizeOp::Broadcast,
             valueOf(derived->operands[0]), valueOf(derived->operands[1]));
}

namespace {
/// A term of a sum: what is added or subtracted.
struct SignedTerm {
  AffineExpr expr;
  bool isNegative;
};
} // namespace

static void collectTerms(AffineExpr expr, SmallVectorImpl<SignedTerm> &terms) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (binary && expr.getKind() == AffineExprKind::Add) {
    collectTerms(binary.getLHS(), terms);
    collectTerms(binary.getRHS(), terms);
    return;
  }
  auto constant = dyn_cast<AffineConstantExpr>(expr);
  if (binary && expr.getKind() == AffineExprKind::Mul)
    constant = dyn_cast<AffineConstantExpr>(binary.getRHS());
  bool isNegative = constant && constant.getValue() < 0;
  terms.push_back({isNegative ? -expr : expr, isNegative});
}

/// What is added first: registers hold any number, but a number in the code is
/// not negative.
int64_t SizeProgram::sum(AffineExpr expr, ArrayRef<StringAttr> symbols) {
  SmallVector<SignedTerm> terms;
  collectTerms(expr, terms);
  int64_t total = 0;
  for (auto [term, isNegative] : terms)
    if (!isNegative)
      total = add(SizeOp::Add, total, valueOfExpr(term, symbols));
  for (auto [term, isNegative] : terms)
    if (isNegative)
      total = add(SizeOp::Sub, total, valueOfExpr(term, symbols));
  return total;
}

int64_t SizeProgram::valueOfExpr(AffineExpr expr,
                                 ArrayRef<StringAttr> symbols) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue() >= 0 ? constant.getValue()
                                    : add(SizeOp::Sub, 0, -constant.getValue());
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return valueOf(symbols[symbol.getPosition()]);
  if (expr.getKind() == AffineExprKind::Add)
    return sum(expr, symbols);
  auto binary = cast<AffineBinaryOpExpr>(expr);
  int64_t left = valueOfExpr(binary.getLHS(), symbols);
  int64_t right = valueOfExpr(binary.getRHS(), symbols);
  switch (expr.getKind()) {
  case AffineExprKind::Mul:
    return add(SizeOp::Mul, left, right);
  case AffineExprKind::Mod:
    return add(SizeOp::Mod, left, right);
  case AffineExprKind::CeilDiv:
    left = add(SizeOp::Add, left, add(SizeOp::Sub, right, 1));
    [[fallthrough]];
  default:
    return add(SizeOp::FloorDiv, left, right);
  }
}
