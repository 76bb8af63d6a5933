//===- KernelCache.cpp - compiled kernels in a folder ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An entry is a checksum and the object. LLVM's localCache is not used: it has
// no checksum, and ends the process when the disk is full.
//===----------------------------------------------------------------------===//
#include "lib/Target/Cache/KernelCache.h"

#include "lib/Support/File.h"
#include "llvm/Support/CachePruning.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

using namespace tenon;
using llvm::Error;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

/// The key is a part of it: a file under another's name is damaged too.
static std::string checksumOf(StringRef key, StringRef object) {
  uint64_t parts[] = {llvm::xxh3_64bits(key), llvm::xxh3_64bits(object)};
  uint64_t sum = llvm::xxh3_64bits(
      {reinterpret_cast<const uint8_t *>(parts), sizeof parts});
  std::string bytes(sizeof sum, '\0');
  llvm::support::endian::write64le(bytes.data(), sum);
  return bytes;
}

std::string KernelCache::pathOf(StringRef key) const {
  llvm::SmallString<128> path(folder);
  // The prefix that pruneCache looks for.
  llvm::sys::path::append(path, "llvmcache-" + key);
  return path.str().str();
}

std::optional<CodeBytes> KernelCache::find(StringRef key) const {
  std::string path = pathOf(key);
  llvm::Expected<fs::file_t> file = fs::openNativeFileForRead(path);
  if (!file) {
    llvm::consumeError(file.takeError());
    return std::nullopt;
  }
  auto content = llvm::MemoryBuffer::getOpenFile(
      *file, path, /*FileSize=*/-1, /*RequiresNullTerminator=*/false,
      /*IsVolatile=*/true);
  // Systems do not keep the time of reading by themselves.
  (void)fs::setLastAccessAndModificationTime(*file,
                                             std::chrono::system_clock::now());
  fs::closeFile(*file);
  if (!content)
    return std::nullopt;
  StringRef bytes = (*content)->getBuffer();
  StringRef sum = bytes.take_front(sizeof(uint64_t));
  StringRef object = bytes.drop_front(sum.size());
  if (sum != checksumOf(key, object))
    return std::nullopt;
  return CodeBytes(object.begin(), object.end());
}

/// Another process that makes room may remove a file before it has its name.
static Error unlessRemoved(Error error) {
  return llvm::handleErrors(
      std::move(error), [](std::unique_ptr<llvm::ErrorInfoBase> info) -> Error {
        if (info->convertToErrorCode() == std::errc::no_such_file_or_directory)
          return Error::success();
        return Error(std::move(info));
      });
}

Error KernelCache::store(StringRef key, const CodeBytes &object) const {
  if (std::error_code code = fs::create_directories(folder))
    return llvm::createStringError(code, "cannot create '%s': %s",
                                   folder.c_str(), code.message().c_str());
  std::string path = pathOf(key);
  StringRef bytes(object.data(), object.size());
  return unlessRemoved(replaceFile(path, checksumOf(key, bytes) + bytes.str()));
}

void KernelCache::prune() const {
  if (!maxBytes)
    return;
  llvm::CachePruningPolicy policy;
  policy.Interval = std::chrono::seconds(0);
  policy.Expiration = std::chrono::seconds(0);
  policy.MaxSizePercentageOfAvailableSpace = 100;
  policy.MaxSizeBytes = maxBytes;
  llvm::pruneCache(folder, policy);
}
