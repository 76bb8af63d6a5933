//===- ScratchFolder.h - a folder of temporary files ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_SUPPORT_SCRATCHFOLDER_H
#define TENON_LIB_SUPPORT_SCRATCHFOLDER_H

#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"

namespace tenon {

/// A folder of temporary files, removed with its contents.
class ScratchFolder {
public:
  ~ScratchFolder() {
    if (!path.empty())
      llvm::sys::fs::remove_directories(path);
  }
  /// Fails where the system has no place for it.
  llvm::Error create() {
    llvm::SmallString<128> name;
    if (std::error_code code =
            llvm::sys::fs::createUniqueDirectory("tenon", name))
      return llvm::createStringError(code, "no temporary folder");
    path = name.str().str();
    return llvm::Error::success();
  }
  std::string file(const llvm::Twine &name) const {
    return (path + "/" + name).str();
  }

private:
  std::string path;
};

} // namespace tenon

#endif // TENON_LIB_SUPPORT_SCRATCHFOLDER_H
