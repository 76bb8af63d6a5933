//===- OptionWords.h - options as words -------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file reads options as the command line has them, for callers that are no
// programs: nothing is registered, printed, or ended.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_COMPILER_OPTIONWORDS_H
#define TENON_LIB_COMPILER_OPTIONWORDS_H

#include "lib/Compiler/Compiler.h"

namespace tenon {

/// Options, read one after the other.
class OptionWords {
public:
  CompileOptions options;

  /// Sets `name` (without dashes) to `value`, which is empty for options that
  /// take none. Returns why that is wrong, or nothing.
  std::string set(llvm::StringRef name, llvm::StringRef value);

  /// Sets what `words` say: `--name=value`, `--name value` or `--name`.
  std::string read(llvm::ArrayRef<llvm::StringRef> words);

  /// Why the options contradict each other, when all are set; nothing where
  /// they do not.
  std::string finish();

private:
  bool winogradGiven = false, train = false;
};

/// A number with K, M or G behind it, or nothing: powers of 1024.
std::optional<int64_t> parseBytes(llvm::StringRef text);

/// "auto", "off" or a number of images; none for anything else.
std::optional<MicroBatch> parseMicroBatch(llvm::StringRef value);

} // namespace tenon

#endif // TENON_LIB_COMPILER_OPTIONWORDS_H
