//===- Codes.cpp - kinds of errors by number ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Support/Codes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Regex.h"

using namespace tenon;
using llvm::StringRef;

/// docs/errors.md.
extern const char *const tenonErrorsPage;

/// A line without what is quoted: names are the model's, and may say anything.
static std::string withoutQuotes(StringRef line) {
  std::string result;
  while (!line.empty()) {
    auto [text, rest] = line.split('\'');
    result += text;
    bool opens = text.empty() || !llvm::isAlnum(text.back());
    size_t end = opens ? rest.find('\'') : StringRef::npos;
    line = end == StringRef::npos ? rest : rest.drop_front(end + 1);
  }
  return result;
}

static unsigned numberOfLine(StringRef line) {
  std::string text = withoutQuotes(line);
  for (const CodePhrase &entry : codePhrases())
    if (StringRef(text).contains(entry.phrase))
      return entry.number;
  return internalError;
}

unsigned tenon::numberOf(StringRef message) {
  while (!message.empty()) {
    auto [line, rest] = message.split('\n');
    if (unsigned number = numberOfLine(line); number != internalError)
      return number;
    message = rest;
  }
  return internalError;
}

bool tenon::isAboutSizes(StringRef message) {
  return llvm::is_contained({302u, 305u, 309u, 310u}, numberOf(message));
}

std::string tenon::codeText(unsigned number) {
  std::string digits = std::to_string(number);
  return "TN" + std::string(4 - std::min<size_t>(digits.size(), 4), '0') +
         digits;
}

std::string tenon::withCode(StringRef message) {
  auto [line, rest] = message.split('\n');
  // What a child has said has one.
  if (llvm::Regex("\\[TN[0-9]{4}\\]$").match(line))
    return message.str();
  std::string text = line.str() + " [" + codeText(numberOf(message)) + "]";
  return message.contains('\n') ? text + "\n" + rest.str() : text;
}

/// From a heading of the page to the next one.
static StringRef sectionOf(StringRef code) {
  StringRef page = tenonErrorsPage;
  size_t begin = page.find(("\n### " + code + " ").str());
  if (begin == StringRef::npos)
    return "";
  StringRef section = page.drop_front(begin + 1);
  return section.take_front(section.find("\n##")).rtrim();
}

std::string tenon::explain(StringRef text) {
  if (text == "all")
    return StringRef(tenonErrorsPage).rtrim().str();
  StringRef digits = text;
  (void)digits.consume_front_insensitive("TN");
  if (llvm::all_of(digits, llvm::isDigit))
    return sectionOf("TN" + digits.str()).str();
  return sectionOf(codeText(numberOf(text))).str();
}
