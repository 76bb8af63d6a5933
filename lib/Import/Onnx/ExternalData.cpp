//===- ExternalData.cpp - tensors in files beside the model ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is the only door to files that a model names; see the header for
// what it refuses.
//===----------------------------------------------------------------------===//
#include "lib/Import/Onnx/ExternalData.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Errno.h"
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace tenon::onnximport;
using llvm::createStringError;
using llvm::StringRef;

namespace {
/// An open file descriptor, closed at the end of its life.
class Descriptor {
public:
  explicit Descriptor(int number) : number(number) {}
  ~Descriptor() {
    if (number >= 0)
      ::close(number);
  }
  Descriptor(const Descriptor &) = delete;
  Descriptor &operator=(const Descriptor &) = delete;
  void reset(int other) {
    if (number >= 0)
      ::close(number);
    number = other;
  }
  int get() const { return number; }
  bool valid() const { return number >= 0; }

private:
  int number;
};
} // namespace

static llvm::Error quoted(StringRef location, const llvm::Twine &problem) {
  return createStringError("external data '" + location + "' " + problem);
}

/// The components of `location`, all of them plain names.
static llvm::Expected<llvm::SmallVector<StringRef>>
components(StringRef location) {
  llvm::SmallVector<StringRef> parts;
  if (location.empty())
    return createStringError("external data has no location");
  if (location.contains('\0'))
    return createStringError("external data has a NUL in its location");
  if (location.starts_with("/"))
    return quoted(location, "is an absolute path");
  location.split(parts, '/');
  llvm::erase_if(parts, [](StringRef part) { return part == "."; });
  for (StringRef part : parts)
    if (part.empty() || part == "..")
      return quoted(location, "is not a plain path below the model's folder");
  if (parts.empty())
    return quoted(location, "names no file");
  return parts;
}

static llvm::Error openError(StringRef location) {
  if (errno == ELOOP || errno == ENOTDIR)
    return quoted(location, "leads through a symbolic link or a non-folder");
  return quoted(location, "cannot be opened: " + llvm::sys::StrError(errno));
}

static llvm::Error checkFile(int descriptor, StringRef location) {
  struct stat status;
  if (::fstat(descriptor, &status) != 0)
    return openError(location);
  if (!S_ISREG(status.st_mode))
    return quoted(location, "is not a regular file");
  if (status.st_nlink > 1)
    return quoted(location, "has several hard links");
  return llvm::Error::success();
}

llvm::Expected<std::shared_ptr<Mapping>>
ExternalData::inMemory(StringRef location) {
  if (!memory)
    return quoted(location, "cannot be read: the model is not a file");
  auto bytes = memory(location);
  if (!bytes)
    return quoted(location, "was not given");
  return open[location.str()] = Mapping::over(*bytes, borrow);
}

llvm::Expected<std::shared_ptr<Mapping>>
ExternalData::file(StringRef location) {
  auto found = open.find(location.str());
  if (found != open.end())
    return found->second;
  if (!folder)
    return inMemory(location);
  auto parts = components(location);
  if (!parts)
    return parts.takeError();
  Descriptor here(::open(folder->c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  for (auto [index, part] : llvm::enumerate(*parts)) {
    if (!here.valid())
      return openError(location);
    bool last = index + 1 == parts->size();
    int flags =
        O_RDONLY | O_NOFOLLOW | O_CLOEXEC | (last ? O_NONBLOCK : O_DIRECTORY);
    here.reset(::openat(here.get(), part.str().c_str(), flags));
  }
  if (!here.valid())
    return openError(location);
  if (llvm::Error error = checkFile(here.get(), location))
    return error;
  auto mapping = Mapping::of(here.get(), "external data");
  if (mapping)
    open[location.str()] = *mapping;
  return mapping;
}

/// A plain non-negative decimal number.
static llvm::Expected<uint64_t> number(StringRef location, StringRef text) {
  uint64_t value;
  if (text.empty() ||
      !llvm::all_of(text, [](char c) { return c >= '0' && c <= '9'; }) ||
      text.getAsInteger(10, value))
    return quoted(location, "has '" + text + "' as offset or length");
  return value;
}

llvm::Expected<WeightSlice>
ExternalData::slice(StringRef location, StringRef offset, StringRef length) {
  auto mapping = file(location);
  if (!mapping)
    return mapping.takeError();
  auto begin = number(location, offset.empty() ? "0" : offset);
  if (!begin)
    return begin.takeError();
  uint64_t total = (*mapping)->bytes().size();
  if (*begin > total)
    return quoted(location, "has " + llvm::Twine(total) +
                                " bytes, but a tensor begins at " + offset);
  uint64_t size = total - *begin;
  if (!length.empty()) {
    auto wanted = number(location, length);
    if (!wanted)
      return wanted.takeError();
    if (*wanted > size)
      return quoted(location, "has " + llvm::Twine(total) +
                                  " bytes, but a tensor takes " + length +
                                  " from " + (offset.empty() ? "0" : offset));
    size = *wanted;
  }
  return WeightSlice{*mapping, *begin, size};
}
