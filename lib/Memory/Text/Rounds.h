//===- Rounds.h - statements that may come in any order ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file reads the statements of a text form in rounds: what is referred to
// before what refers to it, wherever they stand.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_MEMORY_TEXT_ROUNDS_H
#define TENON_LIB_MEMORY_TEXT_ROUNDS_H

#include "lib/Memory/Text/Statement.h"
#include "lib/Memory/Text/Words.h"

namespace tenon::mem {

/// In which round a member of `Reader` takes a kind of statement; without one
/// there is no such statement.
template <typename Reader> struct Form {
  int round = 0;
  void (Reader::*handler)(Statement &) = nullptr;
};

/// Has the reader take the statements of a round. `formOf`: from a keyword to
/// its form. Fails at the line of the first that is wrong or unknown.
template <typename Reader, typename FormOf>
llvm::Error readRound(Reader &reader, std::vector<Statement> &statements,
                      int round, FormOf formOf) {
  for (Statement &statement : statements) {
    Form<Reader> form = formOf(statement.keyword());
    if (!form.handler)
      return atLine(statement.lineNumber(), statement.keyword(),
                    "is not a statement");
    if (form.round != round)
      continue;
    (reader.*form.handler)(statement);
    if (llvm::Error error = statement.finish())
      return error;
  }
  return llvm::Error::success();
}

} // namespace tenon::mem

#endif // TENON_LIB_MEMORY_TEXT_ROUNDS_H
