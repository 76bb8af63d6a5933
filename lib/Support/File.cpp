//===- File.cpp - writing whole files -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Support/File.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

/// Takes the error, for an unread one would end the process later.
static std::error_code takeError(llvm::raw_fd_ostream &stream) {
  std::error_code code = stream.error();
  stream.clear_error();
  return code;
}

static std::error_code writeTo(llvm::StringRef path, llvm::StringRef content) {
  // A stream of our own on "-" would close what llvm::outs() writes to.
  if (path == "-") {
    llvm::outs() << content;
    llvm::outs().flush();
    return takeError(llvm::outs());
  }
  std::error_code code;
  llvm::raw_fd_ostream stream(path, code);
  if (code)
    return code;
  stream << content;
  stream.close();
  return takeError(stream);
}

static llvm::Error cannotWrite(llvm::StringRef path, std::error_code code) {
  return llvm::createStringError(code, "cannot write '%s'", path.str().c_str());
}

llvm::Error tenon::writeFile(llvm::StringRef path, llvm::StringRef content) {
  if (std::error_code code = writeTo(path, content))
    return cannotWrite(path, code);
  return llvm::Error::success();
}

llvm::Error tenon::replaceFile(llvm::StringRef path, llvm::StringRef content) {
  auto temporary = llvm::sys::fs::TempFile::create(path + ".%%%%%%%%");
  if (!temporary)
    return cannotWrite(path, llvm::errorToErrorCode(temporary.takeError()));
  llvm::raw_fd_ostream stream(temporary->FD, /*shouldClose=*/false);
  stream << content;
  stream.flush();
  if (std::error_code code = takeError(stream)) {
    llvm::consumeError(temporary->discard());
    return cannotWrite(path, code);
  }
  if (llvm::Error error = temporary->keep(path))
    return cannotWrite(path, llvm::errorToErrorCode(std::move(error)));
  return llvm::Error::success();
}
