//===- Words.h - lines, names and numbers of text forms ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file has what the readers and writers of text forms share. A name is
// one word: characters that mean something else are written as %XX, so any
// name survives.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_MEMORY_TEXT_WORDS_H
#define TENON_LIB_MEMORY_TEXT_WORDS_H

#include "lib/Memory/Problem.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

namespace tenon::mem {

/// A name as one word, and back. `readName` never fails: what is no %XX stays.
std::string nameText(llvm::StringRef name);
std::string readName(llvm::StringRef word);

/// An integer of units, of which `decimals` digits make one, with as many
/// decimals as needed.
std::string decimalText(int64_t units, unsigned decimals);

/// "line 3: why".
llvm::Error atLine(size_t line, llvm::StringRef why);

/// "line 3: 'what' why".
llvm::Error atLine(size_t line, llvm::StringRef what, llvm::StringRef why);

/// An integer that fills the whole word and lies in [least, most].
llvm::Expected<int64_t> readInteger(llvm::StringRef word, size_t line,
                                    int64_t least = INT64_MIN,
                                    int64_t most = INT64_MAX);

/// `3`, or with several streams `0:3`.
llvm::Expected<Clock> readClock(llvm::StringRef word, size_t line);
std::string clockText(const Clock &clock);

/// Where things were defined: turns the rules' errors, which name things, into
/// errors at their lines.
class Lines {
public:
  void define(llvm::StringRef name, bool node, size_t line);

  /// The error with the line of the first name that it quotes.
  llvm::Error locate(llvm::Error error) const;

private:
  llvm::StringMap<size_t> tensors, nodes;
  size_t first = 1;
};

/// The arenas that given offsets need: ends of buffers and their guards.
std::vector<int64_t> arenasOf(const Problem &problem,
                              llvm::ArrayRef<int64_t> offsets);

} // namespace tenon::mem

#endif // TENON_LIB_MEMORY_TEXT_WORDS_H
