//===- BuildId.cpp - which compiler this is -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file reads the notes of the loaded program and libraries: they change
// with every byte of code, as a version number does not.
//===----------------------------------------------------------------------===//
#include "lib/Target/Cache/BuildId.h"

#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVMPass.h"
#include "llvm-c/Core.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MathExtras.h"

#include <link.h>

using llvm::StringRef;

namespace {
/// The id of the object that `address` lies in.
struct Search {
  uintptr_t address;
  std::string id = {};
};
} // namespace

static bool contains(const dl_phdr_info &object, uintptr_t address) {
  for (size_t i = 0; i < object.dlpi_phnum; ++i) {
    const auto &header = object.dlpi_phdr[i];
    uintptr_t start = object.dlpi_addr + header.p_vaddr;
    if (header.p_type == PT_LOAD && address >= start &&
        address - start < header.p_memsz)
      return true;
  }
  return false;
}

static std::string findId(StringRef notes) {
  ElfW(Nhdr) note;
  while (notes.size() >= sizeof note) {
    memcpy(&note, notes.data(), sizeof note);
    notes = notes.drop_front(sizeof note);
    StringRef name = notes.take_front(note.n_namesz);
    notes = notes.drop_front(
        std::min<size_t>(notes.size(), llvm::alignTo(note.n_namesz, 4)));
    if (note.n_type == NT_GNU_BUILD_ID && name == StringRef("GNU", 4))
      return notes.take_front(note.n_descsz).str();
    notes = notes.drop_front(
        std::min<size_t>(notes.size(), llvm::alignTo(note.n_descsz, 4)));
  }
  return "";
}

static int visit(dl_phdr_info *object, size_t, void *data) {
  auto &search = *static_cast<Search *>(data);
  if (!contains(*object, search.address))
    return 0;
  for (size_t i = 0; i < object->dlpi_phnum && search.id.empty(); ++i) {
    const auto &header = object->dlpi_phdr[i];
    if (header.p_type == PT_NOTE)
      search.id = findId(
          {reinterpret_cast<const char *>(object->dlpi_addr + header.p_vaddr),
           size_t(header.p_memsz)});
  }
  return 1;
}

std::string tenon::compilerId() {
  auto functions = {reinterpret_cast<uintptr_t>(&compilerId),
                    reinterpret_cast<uintptr_t>(&LLVMGetVersion),
                    reinterpret_cast<uintptr_t>(
                        static_cast<std::unique_ptr<mlir::Pass> (*)()>(
                            &mlir::createConvertFuncToLLVMPass))};
  std::string ids;
  for (uintptr_t function : functions) {
    Search search{function};
    dl_iterate_phdr(visit, &search);
    if (search.id.empty())
      return "";
    ids += search.id;
  }
  return ids;
}
