//===- Syntax.h - statements of PTX -----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file reads the text of PTX as words, numbers and statements. What they
// mean is decided elsewhere.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_EMULATE_SYNTAX_H
#define TENON_LIB_EMULATE_SYNTAX_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::emulate {

/// What an instruction is given.
struct Operand {
  enum Kind : uint8_t {
    sink,    ///< _
    name,    ///< %r1, label, variable + 8
    integer, ///< 12, 0xff
    real,    ///< 0f3F800000, 0d..., 1.5: bits of a number of `bytes` bytes
    address, ///< [parts[0]] or [parts[0], parts[1], ...]
    list,    ///< {parts} or (parts)
    pair,    ///< parts[0] | parts[1]
  };
  Kind kind = sink;
  bool negated = false; ///< !%p1
  uint8_t bytes = 0;
  std::string_view text;
  int64_t value = 0; ///< of a number; what is added to a name
  std::vector<Operand> parts;
};

/// An instruction: "@!%p1 add.s32 %r1, %r2, 3".
struct Statement {
  unsigned line = 0;
  std::string_view guard;
  bool guardNegated = false;
  std::vector<std::string_view> opcode; ///< "add", "s32"
  std::vector<Operand> operands;
};

/// Goes through a text from left to right. After an error it stands at the
/// end, so that callers may test for errors late.
class Scanner {
public:
  explicit Scanner(std::string_view text) : text(text) {}

  bool atEnd() { return peek() == 0; }
  unsigned line() const { return lineNumber; }
  const std::string &error() const { return message; }
  void fail(const std::string &what);

  /// The next character that is no space and in no comment; 0 at the end.
  char peek();
  bool accept(char wanted);
  /// Whether `word` comes next; takes it if so. Words end where no letter,
  /// digit or '_' follows.
  bool acceptWord(std::string_view word);
  void expect(char wanted);
  /// Letters, digits, '_', '$', '%', and '.' if `dots`. Empty if none follow.
  std::string_view word(bool dots = false);
  int64_t integer();
  /// Takes all characters up to `end`, and `end`.
  std::string_view upTo(char end);
  void restOfLine();
  /// Takes a block in braces.
  void skipBlock();

  /// The label that starts here, if one does; takes it and its colon.
  std::string_view label();
  Statement statement();
  Operand operand();

private:
  void skipSpace();
  Operand number();
  Operand real(std::string_view digits);
  Operand named();
  void operandList(char end, std::vector<Operand> &parts);

  std::string_view text;
  size_t position = 0;
  unsigned lineNumber = 1;
  unsigned depth = 0; ///< of operands in operands
  std::string message;
};

} // namespace tenon::emulate

#endif // TENON_LIB_EMULATE_SYNTAX_H
