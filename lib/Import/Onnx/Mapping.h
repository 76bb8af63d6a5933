//===- Mapping.h - read-only bytes of a file ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the one way in which the importer reads files.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_IMPORT_ONNX_MAPPING_H
#define TENON_LIB_IMPORT_ONNX_MAPPING_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>

namespace tenon::onnximport {

/// Immutable bytes: a private read-only mapping of a regular file, or memory.
/// Shared by all weights that lie in it.
class Mapping {
public:
  /// Maps the regular file `path`.
  static llvm::Expected<std::shared_ptr<Mapping>> open(llvm::StringRef path);
  /// Maps the open file `descriptor`, which stays the caller's; `name` is for
  /// messages.
  static llvm::Expected<std::shared_ptr<Mapping>> of(int descriptor,
                                                     llvm::StringRef name);
  static std::shared_ptr<Mapping> copyOf(std::string bytes);
  /// A copy, or the bytes themselves, which then outlive it.
  static std::shared_ptr<Mapping> over(llvm::StringRef bytes, bool borrow);

  ~Mapping();
  Mapping(const Mapping &) = delete;
  Mapping &operator=(const Mapping &) = delete;

  llvm::StringRef bytes() const { return contents; }

private:
  Mapping() = default;
  std::string owned;
  void *mapped = nullptr;
  llvm::StringRef contents;
};

/// Where the bytes of one tensor are.
struct WeightSlice {
  std::shared_ptr<Mapping> file;
  uint64_t offset = 0;
  uint64_t size = 0;

  llvm::StringRef bytes() const { return file->bytes().substr(offset, size); }
};

/// Slices by their index, which is how a tensor refers to its bytes.
using WeightTable = std::vector<WeightSlice>;

} // namespace tenon::onnximport

#endif // TENON_LIB_IMPORT_ONNX_MAPPING_H
