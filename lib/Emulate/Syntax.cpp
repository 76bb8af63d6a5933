//===- Syntax.cpp - statements of PTX -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file scans PTX.
//===----------------------------------------------------------------------===//
#include "lib/Emulate/Syntax.h"

#include <bit>
#include <cstdlib>

using namespace tenon::emulate;

static bool isWord(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
         (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c == '%';
}
static bool isDigit(char c) { return c >= '0' && c <= '9'; }

void Scanner::fail(const std::string &what) {
  if (message.empty())
    message = "line " + std::to_string(lineNumber) + ": " + what;
  position = text.size();
}

void Scanner::skipSpace() {
  for (; position < text.size(); ++position) {
    char c = text[position];
    std::string_view rest = text.substr(position, 2);
    if (rest == "//") {
      position = std::min(text.find('\n', position), text.size()) - 1;
      continue;
    }
    if (rest == "/*") {
      size_t end = text.find("*/", position + 2);
      for (; position < std::min(end, text.size()); ++position)
        lineNumber += text[position] == '\n';
      ++position;
      continue;
    }
    if (c != ' ' && c != '\t' && c != '\n' && c != '\r')
      return;
    lineNumber += c == '\n';
  }
}

char Scanner::peek() {
  skipSpace();
  return position < text.size() ? text[position] : 0;
}

bool Scanner::accept(char wanted) {
  if (peek() != wanted)
    return false;
  ++position;
  return true;
}

bool Scanner::acceptWord(std::string_view wanted) {
  peek();
  if (text.substr(std::min(position, text.size()), wanted.size()) != wanted)
    return false;
  size_t end = position + wanted.size();
  if (end < text.size() && isWord(text[end]))
    return false;
  position = end;
  return true;
}

void Scanner::expect(char wanted) {
  if (accept(wanted))
    return;
  char c = peek();
  fail(std::string("expected '") + wanted + "', found " +
       (c ? std::string("'") + c + "'" : std::string("the end")));
}

std::string_view Scanner::word(bool dots) {
  peek();
  size_t begin = std::min(position, text.size());
  while (position < text.size() &&
         (isWord(text[position]) || (dots && text[position] == '.')))
    ++position;
  return text.substr(begin, position - begin);
}

int64_t Scanner::integer() {
  Operand result = number();
  if (result.kind != Operand::integer)
    fail("expected an integer");
  return result.value;
}

std::string_view Scanner::upTo(char end) {
  size_t begin = std::min(position, text.size());
  while (position < text.size() && text[position] != end)
    lineNumber += text[position++] == '\n';
  std::string_view taken = text.substr(begin, position - begin);
  expect(end);
  return taken;
}

void Scanner::restOfLine() {
  while (position < text.size() && text[position] != '\n')
    ++position;
}

void Scanner::skipBlock() {
  expect('{');
  for (unsigned open = 1; open != 0 && !atEnd(); ++position) {
    open += text[position] == '{';
    open -= text[position] == '}';
  }
}

std::string_view Scanner::label() {
  peek();
  size_t before = position;
  unsigned lineBefore = lineNumber;
  std::string_view name = word();
  if (!name.empty() && peek() == ':' && text.substr(position, 2) != "::") {
    ++position;
    return name;
  }
  position = before;
  lineNumber = lineBefore;
  return {};
}

/// Splits "mbarrier::complete_tx::bytes.x" at the dots.
static void splitOpcode(std::string_view word,
                        std::vector<std::string_view> &parts) {
  while (true) {
    size_t dot = word.find('.');
    parts.push_back(word.substr(0, dot));
    if (dot == std::string_view::npos)
      return;
    word.remove_prefix(dot + 1);
  }
}

Statement Scanner::statement() {
  Statement result;
  if (accept('@')) {
    result.guardNegated = accept('!');
    result.guard = word();
  }
  peek();
  result.line = lineNumber;
  size_t begin = std::min(position, text.size());
  while (position < text.size() &&
         (isWord(text[position]) || text[position] == '.' ||
          text[position] == ':'))
    ++position;
  splitOpcode(text.substr(begin, position - begin), result.opcode);
  if (result.opcode[0].empty())
    fail(std::string("expected an instruction, found '") + peek() + "'");
  operandList(';', result.operands);
  return result;
}

void Scanner::operandList(char end, std::vector<Operand> &parts) {
  if (accept(end))
    return;
  do
    parts.push_back(operand());
  while (accept(','));
  expect(end);
}

Operand Scanner::operand() {
  Operand result;
  if (++depth > 8)
    fail("operands are nested too deep");
  char c = peek();
  if (c == '[' || c == '{' || c == '(') {
    ++position;
    result.kind = c == '[' ? Operand::address : Operand::list;
    operandList(c == '[' ? ']' : c == '{' ? '}' : ')', result.parts);
    if (c == '[' && result.parts.empty())
      fail("an address is empty");
  } else if (c == '-' || isDigit(c))
    result = number();
  else
    result = named();
  --depth;
  if (depth != 0 || !accept('|'))
    return result;
  Operand both;
  both.kind = Operand::pair;
  both.parts = {result, operand()};
  return both;
}

Operand Scanner::named() {
  Operand result;
  result.negated = accept('!');
  result.text = word(/*dots=*/true);
  if (result.text.empty()) {
    fail(std::string("expected an operand, found '") + peek() + "'");
    return result;
  }
  if (result.text == "_")
    return result;
  result.kind = Operand::name;
  while (peek() == '+' || peek() == '-')
    if (accept('+'))
      result.value += integer();
    else
      result.value += integer(); // takes the sign itself
  return result;
}

Operand Scanner::real(std::string_view digits) {
  Operand result;
  result.kind = Operand::real;
  result.text = digits;
  if (digits.size() > 2 && digits[0] == '0' &&
      (digits[1] == 'f' || digits[1] == 'F' || digits[1] == 'd' ||
       digits[1] == 'D')) {
    bool isFloat = digits[1] == 'f' || digits[1] == 'F';
    result.bytes = isFloat ? 4 : 8;
    result.value = int64_t(
        std::strtoull(std::string(digits.substr(2)).c_str(), nullptr, 16));
    return result;
  }
  result.bytes = 8;
  result.value =
      std::bit_cast<int64_t>(std::strtod(std::string(digits).c_str(), nullptr));
  return result;
}

Operand Scanner::number() {
  bool negative = accept('-');
  peek();
  size_t begin = std::min(position, text.size());
  while (position < text.size() &&
         (isWord(text[position]) || text[position] == '.' ||
          ((text[position] == '+' || text[position] == '-') &&
           (text[position - 1] == 'e' || text[position - 1] == 'E') &&
           text[begin + 1] != 'x' && text[begin + 1] != 'f')))
    ++position;
  std::string digits(text.substr(begin, position - begin));
  if (digits.empty() || !isDigit(digits[0])) {
    fail("expected a number");
    return {};
  }
  bool isHex = digits.size() > 1 && (digits[1] == 'x' || digits[1] == 'X');
  if (!isHex && digits.find_first_of(".fFdDeE") != std::string::npos) {
    Operand result = real(text.substr(begin, position - begin));
    if (negative)
      result.value ^= result.bytes == 4 ? int64_t(1) << 31 : INT64_MIN;
    return result;
  }
  if (digits.back() == 'U')
    digits.pop_back();
  Operand result;
  result.kind = Operand::integer;
  char *end = nullptr;
  uint64_t value = std::strtoull(digits.c_str(), &end, 0);
  if (*end)
    fail("'" + digits + "' is no number");
  result.value = int64_t(negative ? 0 - value : value);
  return result;
}
