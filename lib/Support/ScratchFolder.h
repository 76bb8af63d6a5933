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
  /// Among the system's temporary files, or beside a file of an absolute path.
  /// Fails where there is no place for it.
  llvm::Error create(llvm::StringRef beside = "") {
    llvm::SmallString<128> name;
    if (std::error_code code = llvm::sys::fs::createUniqueDirectory(
            beside.empty() ? "tenon" : beside, name))
      return llvm::createStringError(code, "no temporary folder");
    path = name.str().str();
    return llvm::Error::success();
  }
  llvm::StringRef name() const { return path; }
  std::string file(const llvm::Twine &name) const {
    return (path + "/" + name).str();
  }

private:
  std::string path;
};

} // namespace tenon

#endif // TENON_LIB_SUPPORT_SCRATCHFOLDER_H
