//===- File.cpp - writing whole files -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Support/File.h"

#include "llvm/Support/raw_ostream.h"

llvm::Error tenon::writeFile(llvm::StringRef path, llvm::StringRef content) {
  std::error_code code;
  llvm::raw_fd_ostream stream(path, code);
  if (!code) {
    stream << content;
    stream.close();
    code = stream.error();
    // An unread error would end the process when the stream is destroyed.
    stream.clear_error();
  }
  if (code)
    return llvm::createStringError(code, "cannot write '%s'",
                                   path.str().c_str());
  return llvm::Error::success();
}
