//===- Polly.cpp - LLVM's passes without Polly ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "llvm/Plugins/PassPlugin.h"

llvm::PassPluginLibraryInfo getPollyPluginInfo();

llvm::PassPluginLibraryInfo getPollyPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "Polly", "", [](llvm::PassBuilder &) {}};
}
