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
