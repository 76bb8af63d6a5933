//===- Mapping.cpp - read-only bytes of a file ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file maps regular files; anything else is refused.
//===----------------------------------------------------------------------===//
#include "lib/Import/Onnx/Mapping.h"
#include "llvm/Support/Errno.h"
#include <cerrno>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace tenon::onnximport;
using llvm::StringRef;

static llvm::Error systemError(StringRef what) {
  return llvm::createStringError(what + ": " + llvm::sys::StrError(errno));
}

llvm::Expected<std::shared_ptr<Mapping>> Mapping::open(StringRef path) {
  // O_NONBLOCK: opening a pipe must not wait for a writer.
  int descriptor =
      ::open(path.str().c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0)
    return systemError("cannot open");
  auto mapping = of(descriptor, "the model");
  ::close(descriptor);
  return mapping;
}

llvm::Expected<std::shared_ptr<Mapping>> Mapping::of(int descriptor,
                                                     StringRef name) {
  struct stat status;
  if (::fstat(descriptor, &status) != 0)
    return systemError("cannot read " + name.str());
  if (!S_ISREG(status.st_mode))
    return llvm::createStringError(name + " is not a regular file");
  std::shared_ptr<Mapping> mapping(new Mapping);
  if (status.st_size == 0)
    return mapping;
  size_t size = status.st_size;
  void *data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
  if (data == MAP_FAILED)
    return systemError("cannot map " + name.str());
  mapping->mapped = data;
  mapping->contents = StringRef(static_cast<char *>(data), size);
  return mapping;
}

std::shared_ptr<Mapping> Mapping::copyOf(std::string bytes) {
  std::shared_ptr<Mapping> mapping(new Mapping);
  mapping->owned = std::move(bytes);
  mapping->contents = mapping->owned;
  return mapping;
}

std::shared_ptr<Mapping> Mapping::over(StringRef bytes, bool borrow) {
  if (!borrow)
    return copyOf(bytes.str());
  std::shared_ptr<Mapping> mapping(new Mapping);
  mapping->contents = bytes;
  return mapping;
}

Mapping::~Mapping() {
  if (mapped)
    ::munmap(mapped, contents.size());
}
