//===- DimExprText.cpp - dimensions as text -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file reads and writes dimensions:
//
//   dim    ::= `?` | sum
//   sum    ::= product ((`+` | `-`) product)*
//   product::= factor (`*` factor | (`floordiv` | `ceildiv` | `mod`) number)*
//   factor ::= number | `"` name `"` | `(` sum `)`
//===----------------------------------------------------------------------===//
#include "dialects/Graph/DimExpr.h"
#include "dialects/Graph/Graph.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;

//===-- Writing -----------------------------------------------------------===//

namespace {
/// Writes an expression, with parentheses where they are needed.
class DimWriter {
public:
  DimWriter(raw_ostream &os, ArrayRef<StringAttr> symbols,
            function_ref<void(StringRef)> name)
      : os(os), symbols(symbols), name(name) {}

  void write(AffineExpr expr);

private:
  void writeFactor(AffineExpr expr);
  void writeTerm(AffineExpr expr, int64_t factor);
  void writeProduct(AffineExpr expr);
  void writeQuotient(AffineBinaryOpExpr expr, StringRef sign);

  raw_ostream &os;
  ArrayRef<StringAttr> symbols;
  function_ref<void(StringRef)> name;
};
} // namespace

/// `expr` as a number times what is left of it.
static std::pair<AffineExpr, int64_t> takeFactor(AffineExpr expr) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (binary && binary.getKind() == AffineExprKind::Mul)
    if (auto number = dyn_cast<AffineConstantExpr>(binary.getRHS()))
      return {binary.getLHS(), number.getValue()};
  return {expr, 1};
}

void DimWriter::writeFactor(AffineExpr expr) {
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return name(symbols[symbol.getPosition()].getValue());
  auto constant = dyn_cast<AffineConstantExpr>(expr);
  bool standsAlone = constant && constant.getValue() >= 0;
  os << (standsAlone ? "" : "(");
  write(expr);
  os << (standsAlone ? "" : ")");
}

/// Of two or more factors, none of which is a number.
void DimWriter::writeProduct(AffineExpr expr) {
  if (expr.getKind() != AffineExprKind::Mul)
    return writeFactor(expr);
  auto binary = cast<AffineBinaryOpExpr>(expr);
  writeProduct(binary.getLHS());
  os << " * ";
  writeProduct(binary.getRHS());
}

void DimWriter::writeTerm(AffineExpr expr, int64_t factor) {
  if (factor != 1)
    os << factor << " * ";
  if (expr.getKind() == AffineExprKind::Mul)
    return writeProduct(expr);
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (binary && factor == 1 && binary.getKind() != AffineExprKind::Add)
    write(expr);
  else
    writeFactor(expr);
}

void DimWriter::writeQuotient(AffineBinaryOpExpr expr, StringRef sign) {
  writeFactor(expr.getLHS());
  os << ' ' << sign << ' ';
  writeFactor(expr.getRHS());
}

void DimWriter::write(AffineExpr expr) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    os << constant.getValue();
    return;
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return writeFactor(expr);
  switch (expr.getKind()) {
  case AffineExprKind::FloorDiv:
    return writeQuotient(binary, "floordiv");
  case AffineExprKind::CeilDiv:
    return writeQuotient(binary, "ceildiv");
  case AffineExprKind::Mod:
    return writeQuotient(binary, "mod");
  case AffineExprKind::Add:
    break;
  default: {
    auto [rest, factor] = takeFactor(expr);
    return writeTerm(rest, factor);
  }
  }
  write(binary.getLHS());
  auto [rest, factor] = takeFactor(binary.getRHS());
  if (auto constant = dyn_cast<AffineConstantExpr>(rest);
      constant && constant.getValue() < 0) {
    os << " - " << -uint64_t(constant.getValue());
    return;
  }
  bool isMinus = factor < 0 && factor != INT64_MIN;
  os << (isMinus ? " - " : " + ");
  writeTerm(rest, isMinus ? -factor : factor);
}

static void writeDim(raw_ostream &os, Attribute dim,
                     function_ref<void(StringRef)> name) {
  if (auto expr = dyn_cast_or_null<DimExprAttr>(dim))
    return DimWriter(os, expr.getSymbols(), name).write(expr.getExpr());
  if (auto symbol = dyn_cast_or_null<StringAttr>(dim))
    return name(symbol.getValue());
  if (auto size = dyn_cast_or_null<IntegerAttr>(dim))
    os << size.getInt();
  else
    os << '?';
}

bool graph::isDimKeyword(StringRef word) {
  return word == "floordiv" || word == "ceildiv" || word == "mod";
}

/// A name that could be taken for something else is quoted, so that different
/// dimensions have different texts.
static void writePlainName(raw_ostream &os, StringRef name) {
  auto isPlain = [](char c) {
    return llvm::isAlnum(c) || c == '_' || c == '.';
  };
  if (!name.empty() && !llvm::isDigit(name[0]) && !isDimKeyword(name) &&
      llvm::all_of(name, isPlain)) {
    os << name;
    return;
  }
  os << '\'';
  for (char c : name) {
    os << c;
    if (c == '\'')
      os << c;
  }
  os << '\'';
}

std::string graph::dimText(Attribute dim) {
  std::string text;
  llvm::raw_string_ostream os(text);
  writeDim(os, dim, [&](StringRef name) { writePlainName(os, name); });
  return text;
}

void graph::printDim(AsmPrinter &printer, Attribute dim) {
  std::string text;
  llvm::raw_string_ostream os(text);
  writeDim(os, dim, [&](StringRef name) {
    os << '"';
    llvm::printEscapedString(name, os);
    os << '"';
  });
  printer << text;
}

//===-- Reading -----------------------------------------------------------===//

static ParseResult parseSum(AsmParser &parser, Attribute &dim);

static ParseResult parseFactor(AsmParser &parser, Attribute &dim) {
  SMLoc at = parser.getCurrentLocation();
  MLIRContext *context = parser.getContext();
  std::string name;
  if (succeeded(parser.parseOptionalString(&name))) {
    dim = StringAttr::get(context, name);
    return name.empty() ? parser.emitError(at, "a symbol needs a name")
                        : ParseResult(success());
  }
  if (succeeded(parser.parseOptionalLParen()))
    return failure(parseSum(parser, dim) || parser.parseRParen());
  int64_t number = 0;
  OptionalParseResult parsed = parser.parseOptionalInteger(number);
  if (!parsed.has_value())
    return parser.emitError(at, "a dimension is a size, a name, an expression "
                                "of these, or ?");
  dim = IntegerAttr::get(IntegerType::get(context, 64), number);
  return *parsed;
}

/// What follows `floordiv`, `ceildiv` or `mod`.
static ParseResult parseDivision(AsmParser &parser, StringRef sign,
                                 Attribute &dim) {
  int64_t divisor = 0;
  SMLoc at = parser.getCurrentLocation();
  if (parser.parseInteger(divisor))
    return failure();
  if (divisor < 1)
    return parser.emitError(at, "a divisor must be positive");
  dim = sign == "mod"       ? modDim(dim, divisor)
        : sign == "ceildiv" ? affineDim(dim, 1, divisor - 1, divisor)
                            : floorDivDim(dim, divisor);
  return success();
}

static ParseResult parseProduct(AsmParser &parser, Attribute &dim) {
  if (parseFactor(parser, dim))
    return failure();
  while (true) {
    StringRef sign;
    if (succeeded(parser.parseOptionalStar())) {
      Attribute other;
      if (parseFactor(parser, other))
        return failure();
      dim = multiplyDims(dim, other);
    } else if (succeeded(parser.parseOptionalKeyword(
                   &sign, {"floordiv", "ceildiv", "mod"}))) {
      if (parseDivision(parser, sign, dim))
        return failure();
    } else {
      return success();
    }
  }
}

static ParseResult parseSum(AsmParser &parser, Attribute &dim) {
  if (parseProduct(parser, dim))
    return failure();
  while (true) {
    bool adds = succeeded(parser.parseOptionalPlus());
    if (!adds && failed(parser.parseOptionalMinus()))
      return success();
    Attribute other;
    if (parseProduct(parser, other))
      return failure();
    dim = adds ? addDims(dim, other) : subtractDims(dim, other);
  }
}

ParseResult graph::parseDim(AsmParser &parser, Attribute &dim) {
  if (succeeded(parser.parseOptionalQuestion())) {
    dim = {};
    return success();
  }
  return parseSum(parser, dim);
}
