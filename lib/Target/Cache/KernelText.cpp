//===- KernelText.cpp - what kernels are told apart by --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Target/Cache/KernelText.h"

#include "dialects/Kernel/Kernel.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"

using namespace mlir;

std::string tenon::hashOf(ArrayRef<StringRef> parts) {
  llvm::BLAKE3 hash;
  for (StringRef part : parts) {
    hash.update(part);
    hash.update(StringRef("", 1));
  }
  return llvm::toHex(hash.final<16>(), /*LowerCase=*/true);
}

std::string tenon::textOf(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream, OpPrintingFlags().enableDebugInfo(false));
  return text;
}

std::string tenon::nodesOf(Location location) {
  llvm::SetVector<StringRef> names;
  location->walk([&](Location part) {
    if (auto name = dyn_cast<NameLoc>(part))
      names.insert(name.getName());
    return WalkResult::advance();
  });
  return llvm::join(names, ", ");
}

std::string tenon::describeKernel(StringRef name, Location location) {
  std::string nodes = nodesOf(location);
  return ("kernel '" + name + "'" +
          (nodes.empty() ? Twine() : " of node '" + Twine(nodes) + "'"))
      .str();
}

void tenon::dropFacts(Operation *kernel) {
  for (NamedAttribute fact :
       SmallVector<NamedAttribute>(kernel->getDiscardableAttrs()))
    if (isa_and_nonnull<kernel::KernelDialect>(fact.getNameDialect()))
      kernel->removeDiscardableAttr(fact.getName());
}
