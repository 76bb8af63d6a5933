//===- EinsumEquation.cpp - the letters of an equation --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file reads and checks equations of Einsum. Whatever a model holds must
// end in an equation that fits its operands, or in a reason.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Contraction/EinsumEquation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

#include <algorithm>

using namespace tenon::normalize;
using llvm::ArrayRef;
using llvm::SmallVector;
using llvm::StringRef;
using llvm::Twine;

/// The characters for dimensions of "..." are those below the blank.
static constexpr int64_t kMaxHidden = 31;

static bool isHidden(char letter) { return letter <= kMaxHidden; }

/// The characters of the last `count` hidden dimensions.
static std::string hidden(int64_t count) {
  std::string result;
  for (int64_t i = count; i > 0; --i)
    result += char(i);
  return result;
}

/// What is wrong with a term before its operand is looked at.
static std::string checkTerm(StringRef term) {
  auto [before, after] = term.split("...");
  for (char c : llvm::concat<const char>(before, after)) {
    if (c == '.')
      return "has a '.' that is not part of one '...'";
    if (!llvm::isAlpha(c))
      return "has a character that is not a letter";
  }
  return "";
}

/// Names the dimensions of an operand.
static std::string spell(StringRef term, int64_t rank, std::string &letters) {
  if (std::string why = checkTerm(term); !why.empty())
    return why;
  auto [before, after] = term.split("...");
  int64_t named = before.size() + after.size();
  bool hasHidden = term.contains("...");
  if (hasHidden ? rank < named : rank != named)
    return ("does not fit an operand of rank " + Twine(rank)).str();
  if (rank - named > kMaxHidden)
    return "hides too many dimensions";
  letters = before.str() + hidden(rank - named) + after.str();
  return "";
}

/// The result's letters where the equation has no arrow.
static std::string implicitResult(ArrayRef<std::string> operands,
                                  int64_t numHidden) {
  std::string all, result = hidden(numHidden);
  for (const std::string &operand : operands)
    all += operand;
  llvm::sort(all);
  for (char letter : all)
    if (!isHidden(letter) && llvm::count(all, letter) == 1)
      result += letter;
  return result;
}

static std::string spellResult(StringRef term, int64_t numHidden,
                               EinsumEquation &equation) {
  if (std::string why = checkTerm(term); !why.empty())
    return why;
  auto [before, after] = term.split("...");
  equation.result = before.str();
  if (term.contains("..."))
    equation.result += hidden(numHidden);
  equation.result += after.str();
  for (auto [index, letter] : llvm::enumerate(equation.result)) {
    if (equation.result.find(letter) != index)
      return "names a dimension of the result twice";
    auto hasLetter = [c = letter](const std::string &operand) {
      return operand.find(c) != std::string::npos;
    };
    if (!isHidden(letter) && llvm::none_of(equation.operands, hasLetter))
      return "names a dimension of the result that no operand has";
  }
  return "";
}

std::string tenon::normalize::readEinsum(StringRef text,
                                         ArrayRef<int64_t> ranks,
                                         EinsumEquation &equation) {
  std::string dense = text.str();
  llvm::erase(dense, ' ');
  auto [left, right] = StringRef(dense).split("->");
  SmallVector<StringRef> terms;
  left.split(terms, ',');
  if (terms.size() != ranks.size())
    return "has " + std::to_string(terms.size()) + " terms for " +
           std::to_string(ranks.size()) + " operands";
  int64_t numHidden = 0;
  for (auto [term, rank] : llvm::zip(terms, ranks)) {
    std::string &letters = equation.operands.emplace_back();
    if (std::string why = spell(term, rank, letters); !why.empty())
      return why;
    numHidden = std::max<int64_t>(numHidden, llvm::count_if(letters, isHidden));
  }
  if (StringRef(dense).contains("->"))
    return spellResult(right, numHidden, equation);
  equation.result = implicitResult(equation.operands, numHidden);
  return "";
}
