//===- DerivedDims.cpp - symbols that are made of others ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Graph/DerivedDims.h"

#include "dialects/Graph/Instances.h"
#include "dialects/Graph/Shapes.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;

/// Takes a quoted name, 'it''s', off the text; its quotes are doubled inside.
static std::string takeQuoted(StringRef &text) {
  std::string name;
  text = text.drop_front();
  while (!text.empty()) {
    char c = text.front();
    text = text.drop_front();
    if (c == '\'' && !text.consume_front("'"))
      return name;
    name += c;
  }
  return name;
}

static std::string takePlain(StringRef &text) {
  StringRef name = text.take_while(
      [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; });
  text = text.drop_front(name.size());
  return name.str();
}

static void appendSymbol(std::string &to, StringRef name) {
  llvm::raw_string_ostream os(to);
  os << '"';
  llvm::printEscapedString(name, os);
  os << '"';
}

/// What dimText() wrote, as the parser of attributes reads it.
static std::string asAttribute(StringRef text) {
  std::string result = "#graph.dim<";
  while (!text.empty()) {
    char c = text.front();
    bool isWord = llvm::isAlpha(c) || c == '_' || c == '.';
    if (!isWord && c != '\'') {
      result += c;
      text = text.drop_front();
      continue;
    }
    std::string name = isWord ? takePlain(text) : takeQuoted(text);
    if (isWord && isDimKeyword(name))
      result += name;
    else
      appendSymbol(result, name);
  }
  return result + ">";
}

static Attribute readDim(StringRef text, MLIRContext *context) {
  // A name that only looks like a derived one is nobody's mistake.
  ScopedDiagnosticHandler quiet(context,
                                [](Diagnostic &) { return success(); });
  return parseAttribute(asAttribute(text), context);
}

/// Cuts at commas that stand in no name and in no parentheses.
static SmallVector<std::string> splitOperands(StringRef text) {
  SmallVector<std::string> parts(1);
  bool isQuoted = false;
  int depth = 0;
  for (char c : text) {
    isQuoted ^= c == '\'';
    depth += isQuoted ? 0 : c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c == ',' && !isQuoted && depth == 0)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

std::optional<DerivedDim> graph::derivationOf(StringAttr symbol) {
  StringRef text = symbol.getValue();
  auto [function, rest] = text.split('(');
  if ((function != "broadcast" && function != "min") || !rest.consume_back(")"))
    return std::nullopt;
  DerivedDim result{function.str(), {}};
  for (const std::string &part : splitOperands(rest))
    result.operands.push_back(
        readDim(StringRef(part).trim(), symbol.getContext()));
  if (result.operands.size() != 2 ||
      llvm::is_contained(result.operands, Attribute()))
    return std::nullopt;
  return result;
}

Attribute graph::minDims(Attribute a, Attribute b) {
  if (!a || !b)
    return {};
  Attribute difference = subtractDims(a, b);
  if (!isSymbolic(difference))
    return sizeOf(difference) <= 0 ? a : b;
  return derivedSymbol("min", {a, b});
}

Attribute graph::positivePart(Attribute dim) {
  return dim ? subtractDims(dim, minDims(dim, sizeDim(dim.getContext(), 0)))
             : Attribute();
}

/// Whether it is 1 for no values of its symbols.
static bool isNeverOne(Attribute dim) { return contentOf(dim).factor > 1; }

Attribute graph::broadcastSymbols(Attribute a, Attribute b) {
  if (isNeverOne(a) != isNeverOne(b))
    return isNeverOne(a) ? a : b;
  return derivedSymbol("broadcast", {a, b});
}

/// Of two dimensions that are equal, or one of them 1.
static Attribute broadcastOf(Attribute a, Attribute b) {
  if (a == b || sizeOf(a) == 1)
    return b;
  if (sizeOf(b) == 1 || !isSymbolic(a))
    return a;
  return isSymbolic(b) ? broadcastSymbols(a, b) : b;
}

Attribute graph::deriveAgain(const DerivedDim &derived, Attribute a,
                             Attribute b) {
  return derived.function == "min" ? minDims(a, b) : broadcastOf(a, b);
}

BoundSymbols::BoundSymbols(TypeRange inputs) {
  for (Type type : inputs)
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      for (Attribute dim : dimsOf(tensor))
        if (isa_and_nonnull<StringAttr>(dim))
          names.insert(dim);
}

bool BoundSymbols::determine(Attribute dim) const {
  return dim && llvm::all_of(symbolsOf(dim), [&](StringAttr symbol) {
           if (names.contains(symbol))
             return true;
           std::optional<DerivedDim> derived = derivationOf(symbol);
           return derived &&
                  llvm::all_of(derived->operands, [&](Attribute operand) {
                    return determine(operand);
                  });
         });
}
