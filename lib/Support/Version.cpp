//===- Version.cpp - what --version prints --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Support/Version.h"

#include "tenon-c/Version.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

void tenon::setVersionOf(llvm::StringRef program) {
  llvm::cl::SetVersionPrinter([program](llvm::raw_ostream &os) {
    os << program << " " << TENON_VERSION_STRING << " (LLVM "
       << LLVM_VERSION_STRING << ")\n";
  });
}
