//===- Text.cpp - plans as text -------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Tile/Contraction.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace tenon::tile;

std::string tenon::tile::toText(const ContractionPlan &plan) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::ListSeparator separator(" ");
  visitFields(plan, [&](llvm::StringRef name, auto field) {
    stream << separator << name << '=' << int64_t(field);
  });
  return text;
}

static bool assign(ContractionPlan &plan, llvm::StringRef name, int64_t value) {
  bool known = false;
  visitFields(plan, [&](llvm::StringRef candidate, auto &field) {
    if (candidate != name)
      return;
    field = std::decay_t<decltype(field)>(value);
    known = true;
  });
  return known;
}

llvm::Expected<ContractionPlan> tenon::tile::parsePlan(llvm::StringRef text) {
  ContractionPlan plan;
  llvm::SmallVector<llvm::StringRef> words;
  llvm::SplitString(text, words);
  for (llvm::StringRef word : words) {
    auto [name, number] = word.split('=');
    int64_t value;
    if (number.getAsInteger(10, value))
      return llvm::createStringError("'" + word + "' is not name=number");
    if (!assign(plan, name, value))
      return llvm::createStringError("a plan has no field '" + name + "'");
  }
  return plan;
}
