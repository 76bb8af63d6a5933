//===- Input.cpp - files that solvers read --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Input.h"

using namespace tenon;

llvm::Error tenon::inFile(llvm::StringRef file, llvm::Error error) {
  std::string text = llvm::toString(std::move(error));
  llvm::StringRef why = text, number;
  if (why.consume_front("line ")) {
    std::tie(number, why) = why.split(": ");
    return llvm::createStringError("%s:%s: %s", file.str().c_str(),
                                   number.str().c_str(), why.str().c_str());
  }
  return llvm::createStringError("%s: %s", file.str().c_str(), text.c_str());
}

llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
tenon::readText(llvm::StringRef file) {
  auto buffer = llvm::MemoryBuffer::getFileOrSTDIN(file, /*IsText=*/true);
  if (!buffer)
    return llvm::createStringError("cannot read '%s': %s", file.str().c_str(),
                                   buffer.getError().message().c_str());
  return std::move(*buffer);
}
