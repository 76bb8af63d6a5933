//===- Input.h - files that solvers read ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_TOOLS_TENON_SOLVE_INPUT_H
#define TENON_TOOLS_TENON_SOLVE_INPUT_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

namespace tenon {

/// "line 3: why" of a reader as `file:3: why`.
llvm::Error inFile(llvm::StringRef file, llvm::Error error);

/// The text of a file, or of standard input for `-`.
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readText(llvm::StringRef file);

/// What a reader makes of the text of a file; its errors name the file.
template <typename T>
llvm::Expected<T> readAs(llvm::StringRef file,
                         llvm::Expected<T> (*read)(llvm::StringRef text)) {
  auto buffer = readText(file);
  if (!buffer)
    return buffer.takeError();
  llvm::Expected<T> made = read((*buffer)->getBuffer());
  if (!made)
    return inFile(file, made.takeError());
  return made;
}

} // namespace tenon

#endif // TENON_TOOLS_TENON_SOLVE_INPUT_H
