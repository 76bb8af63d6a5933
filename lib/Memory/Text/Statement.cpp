//===- Statement.cpp - one line of the program form -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Memory/Text/Statement.h"
#include "lib/Memory/Text/Words.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <cmath>

using namespace tenon::mem;
using llvm::StringRef;

Statement::Statement(StringRef text, size_t line) : line(line) {
  text = text.split('#').first;
  while (true) {
    text = text.ltrim();
    if (text.empty())
      return;
    words.push_back(text.take_until([](char c) { return llvm::isSpace(c); }));
    text = text.drop_front(words.back().size());
  }
}

void Statement::fail(StringRef why) {
  if (failure.empty())
    failure = why.str();
}

void Statement::fail(StringRef what, StringRef why) {
  fail("'" + what.str() + "' " + why.str());
}

llvm::Error Statement::finish() {
  if (at < words.size())
    fail(words[at], "is not expected here");
  return failed();
}

llvm::Error Statement::failed() const {
  if (failure.empty())
    return llvm::Error::success();
  return atLine(line, failure);
}

StringRef Statement::word() {
  if (at < words.size())
    return words[at++];
  fail("the line is too short");
  return "";
}

bool Statement::accept(StringRef text) {
  if (at == words.size() || words[at] != text)
    return false;
  ++at;
  return true;
}

void Statement::expect(StringRef text) {
  if (!accept(text))
    fail("'" + text.str() + "' is expected");
}

int64_t Statement::number(int64_t least, int64_t most) {
  StringRef text = word();
  if (!failure.empty())
    return least;
  int64_t value;
  if (text.getAsInteger(10, value))
    fail(text, "is not an integer");
  else if (value < least || value > most)
    fail(text, "is out of range");
  else
    return value;
  return least;
}

int64_t Statement::microseconds(StringRef text, int64_t units, int64_t most) {
  double value = 0;
  // Not a number compares false.
  if (!text.getAsDouble(value) && value >= 0 &&
      value * double(units) <= double(most))
    return std::llround(value * double(units));
  fail(text, "is not a time in microseconds");
  return 0;
}

unsigned Statement::reference(const llvm::StringMap<unsigned> &names,
                              const char *kind) {
  StringRef text = word();
  auto found = names.find(readName(text));
  if (found != names.end())
    return found->second;
  fail(text, "is not the name of a " + std::string(kind));
  return 0;
}

std::vector<unsigned>
Statement::references(const llvm::StringMap<unsigned> &names,
                      const char *kind) {
  std::vector<unsigned> result;
  while (at < words.size() && words[at] != "reads" && words[at] != "writes" &&
         words[at] != "joins" && words[at] != "guard" && failure.empty()) {
    unsigned index = reference(names, kind);
    if (failure.empty())
      result.push_back(index);
  }
  if (result.empty())
    fail("the line is too short");
  return result;
}

llvm::Expected<std::vector<Statement>>
tenon::mem::statementsOf(StringRef text) {
  std::vector<Statement> statements;
  for (size_t line = 1; !text.empty(); ++line) {
    auto [first, rest] = text.split('\n');
    statements.emplace_back(first, line);
    text = rest;
  }
  llvm::erase_if(statements, [](const Statement &s) { return s.empty(); });
  if (statements.empty())
    return atLine(1, "the text is empty");
  return statements;
}
