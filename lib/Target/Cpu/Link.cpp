//===- Link.cpp - objects to an image -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file drives lld as a library. lld keeps global state, so calls are
// serialised.
//===----------------------------------------------------------------------===//
#include "lib/Target/Cpu/Cpu.h"

#include "lib/Support/File.h"
#include "lib/Support/ScratchFolder.h"
#include "lld/Common/Driver.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include <mutex>

LLD_HAS_DRIVER(elf)

using namespace tenon;
using llvm::Error;
using llvm::Expected;

static Error runLld(llvm::ArrayRef<std::string> arguments) {
  static std::mutex guard;
  std::lock_guard<std::mutex> lock(guard);
  std::vector<const char *> argv = {"ld.lld"};
  for (const std::string &argument : arguments)
    argv.push_back(argument.c_str());
  std::string log;
  llvm::raw_string_ostream stream(log);
  lld::Result result =
      lld::lldMain(argv, stream, stream, {{lld::Gnu, &lld::elf::link}});
  if (result.retCode != 0 || !result.canRunAgain)
    return llvm::createStringError("linking the kernels failed: %s",
                                   stream.str().c_str());
  return Error::success();
}

static Expected<std::vector<std::string>>
writeObjects(const ScratchFolder &folder, llvm::ArrayRef<cpu::Object> objects) {
  std::vector<std::string> paths;
  for (size_t i = 0; i < objects.size(); ++i) {
    paths.push_back(folder.file(llvm::Twine(i) + ".o"));
    if (Error error =
            writeFile(paths.back(), {objects[i].data(), objects[i].size()}))
      return error;
  }
  return paths;
}

using ElfFile = llvm::object::ELF64LEObjectFile;

/// Copies the loadable segments to where they will be mapped.
static Expected<std::vector<char>> flatten(const ElfFile &file) {
  auto headers = file.getELFFile().program_headers();
  if (!headers)
    return headers.takeError();
  std::vector<char> bytes;
  for (const auto &header : *headers) {
    if (header.p_type != llvm::ELF::PT_LOAD)
      continue;
    if (bytes.size() < header.p_vaddr + header.p_memsz)
      bytes.resize(header.p_vaddr + header.p_memsz);
    std::copy_n(file.getData().data() + header.p_offset, header.p_filesz,
                bytes.begin() + header.p_vaddr);
  }
  return bytes;
}

/// The image is mapped read-only and never patched.
static Error checkSections(const ElfFile &file) {
  for (const auto &section : file.sections()) {
    auto name = section.getName();
    if (!name)
      return name.takeError();
    if (*name == ".data" || *name == ".bss" || name->starts_with(".rela"))
      if (section.getSize())
        return llvm::createStringError("kernels left a section '%s'",
                                       name->str().c_str());
  }
  return Error::success();
}

static Expected<std::vector<uint64_t>>
findEntries(const ElfFile &file, llvm::ArrayRef<std::string> symbols) {
  llvm::StringMap<uint64_t> addresses;
  for (const auto &symbol : file.getDynamicSymbolIterators()) {
    auto name = symbol.getName();
    auto address = symbol.getAddress();
    if (!name || !address)
      return llvm::joinErrors(name.takeError(), address.takeError());
    addresses[*name] = *address;
  }
  std::vector<uint64_t> entries;
  for (const std::string &symbol : symbols) {
    auto found = addresses.find(symbol);
    if (found == addresses.end())
      return llvm::createStringError("kernel '%s' is missing", symbol.c_str());
    entries.push_back(found->second);
  }
  return entries;
}

Expected<cpu::Image> cpu::linkImage(llvm::ArrayRef<Object> objects,
                                    llvm::ArrayRef<std::string> symbols) {
  if (symbols.empty())
    return Image();
  ScratchFolder folder;
  if (Error error = folder.create())
    return error;
  auto inputs = writeObjects(folder, objects);
  if (!inputs)
    return inputs.takeError();
  std::string output = folder.file("image.so");
  std::vector<std::string> arguments = {"-shared",
                                        "-Bsymbolic",
                                        "--no-undefined",
                                        "--build-id=none",
                                        "-z",
                                        "norelro",
                                        "-z",
                                        "rodynamic",
                                        "-z",
                                        "max-page-size=4096",
                                        "--threads=1",
                                        "-o",
                                        output};
  arguments.insert(arguments.end(), inputs->begin(), inputs->end());
  if (Error error = runLld(arguments))
    return error;
  auto buffer = llvm::MemoryBuffer::getFile(output);
  if (!buffer)
    return llvm::createStringError(buffer.getError(), "no linked image");
  auto file = ElfFile::create((*buffer)->getMemBufferRef());
  if (!file)
    return file.takeError();
  if (Error error = checkSections(*file))
    return error;
  auto bytes = flatten(*file);
  if (!bytes)
    return bytes.takeError();
  auto entries = findEntries(*file, symbols);
  if (!entries)
    return entries.takeError();
  return Image{std::move(*bytes), std::move(*entries)};
}

Error cpu::linkRelocatable(llvm::ArrayRef<Object> objects,
                           llvm::StringRef path) {
  ScratchFolder folder;
  if (Error error = folder.create())
    return error;
  auto inputs = writeObjects(folder, objects);
  if (!inputs)
    return inputs.takeError();
  std::vector<std::string> arguments = {"-r", "--threads=1", "-o", path.str()};
  arguments.insert(arguments.end(), inputs->begin(), inputs->end());
  return runLld(arguments);
}
