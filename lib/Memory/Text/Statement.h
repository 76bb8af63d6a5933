//===- Statement.h - one line of the program form ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_MEMORY_TEXT_STATEMENT_H
#define TENON_LIB_MEMORY_TEXT_STATEMENT_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>
#include <vector>

namespace tenon::mem {

/// The words of a line, read from left to right. The first thing that is wrong
/// is kept and everything after it reads as zero, so that callers check once.
class Statement {
public:
  Statement(llvm::StringRef text, size_t line);

  llvm::StringRef keyword() const { return words.front(); }
  size_t lineNumber() const { return line; }
  bool empty() const { return words.empty(); }
  bool atEnd() const { return at >= words.size(); }
  bool hasFailed() const { return !failure.empty(); }

  /// The next word, which must be there.
  llvm::StringRef word();
  /// Whether the next word is `text`; then it is passed.
  bool accept(llvm::StringRef text);
  void expect(llvm::StringRef text);
  int64_t number(int64_t least, int64_t most);
  /// A time in microseconds, as so many units for each, rounded.
  int64_t microseconds(int64_t units, int64_t most) {
    return microseconds(word(), units, most);
  }
  int64_t microseconds(llvm::StringRef text, int64_t units, int64_t most);
  /// The index that a name stands for in `names`.
  unsigned reference(const llvm::StringMap<unsigned> &names, const char *kind);
  /// As many names as there are before a reserved word or the end.
  std::vector<unsigned> references(const llvm::StringMap<unsigned> &names,
                                   const char *kind);

  void fail(llvm::StringRef why);
  void fail(llvm::StringRef what, llvm::StringRef why);
  /// The first failure.
  llvm::Error failed() const;
  /// The first failure, or that words are left.
  llvm::Error finish();

private:
  size_t line, at = 1;
  llvm::SmallVector<llvm::StringRef> words;
  std::string failure;
};

/// The lines of a text that have words; an error if none has.
llvm::Expected<std::vector<Statement>> statementsOf(llvm::StringRef text);

} // namespace tenon::mem

#endif // TENON_LIB_MEMORY_TEXT_STATEMENT_H
