//===- Version.cpp - what --version prints --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Support/Version.h"

#include "tenon-c/Version.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

void tenon::setVersionOf(llvm::StringRef program, std::string buildId) {
  // As many digits as tell builds apart.
  std::string id = llvm::toHex(llvm::StringRef(buildId).take_front(8), true);
  llvm::cl::SetVersionPrinter([program, id](llvm::raw_ostream &os) {
    os << program << " " << TENON_VERSION_STRING << " (LLVM "
       << LLVM_VERSION_STRING << (id.empty() ? "" : ", build ") << id << ")\n";
  });
}
