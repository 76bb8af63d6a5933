//===- Imports.cpp - what an object needs from elsewhere ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Target/Cpu/Machine.h"

#include "llvm/Object/ELFObjectFile.h"

using namespace tenon;
using llvm::Expected;
using llvm::object::ELF64LEObjectFile;

/// The linker's own, which position-independent code may mention.
static constexpr llvm::StringLiteral offsetTable = "_GLOBAL_OFFSET_TABLE_";

Expected<std::vector<std::string>> cpu::importsOf(const Object &object) {
  llvm::StringRef bytes(object.data(), object.size());
  auto file = ELF64LEObjectFile::create(llvm::MemoryBufferRef(bytes, "kernel"));
  if (!file)
    return file.takeError();
  std::vector<std::string> imports;
  for (const llvm::object::ELFSymbolRef &symbol : file->symbols()) {
    auto flags = symbol.getFlags();
    auto name = symbol.getName();
    if (!flags || !name)
      return llvm::joinErrors(flags.takeError(), name.takeError());
    if (*flags & llvm::object::SymbolRef::SF_Undefined && !name->empty() &&
        *name != offsetTable)
      imports.push_back(name->str());
  }
  llvm::sort(imports);
  return imports;
}
