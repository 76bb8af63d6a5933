//===- ExternalData.h - tensors in files beside the model -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the only door to files that a model names.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_IMPORT_ONNX_EXTERNALDATA_H
#define TENON_LIB_IMPORT_ONNX_EXTERNALDATA_H

#include "lib/Import/Onnx/Mapping.h"
#include <functional>
#include <map>
#include <optional>

namespace tenon::onnximport {

/// Opens what models refer to, never anything outside of the model's folder.
///
/// A location is a relative path of plain names. Refused: absolute paths, `..`,
/// symbolic links in any component, files with more than one hard link, and
/// everything that is not a regular file. Each component is opened relative to
/// the one before without following links, so that no check can be raced.
class ExternalData {
public:
  using Memory =
      std::function<std::optional<llvm::StringRef>(llvm::StringRef location)>;

  /// `folder` is the model's.
  explicit ExternalData(std::string folder) : folder(std::move(folder)) {}
  /// Of a model in memory, which reads no file; without `memory` all is
  /// refused.
  ExternalData(Memory memory, bool borrow)
      : memory(std::move(memory)), borrow(borrow) {}

  /// The bytes [offset, offset + length) of the file at `location`. The texts
  /// are the model's own; `length` may be empty and then means to the end.
  llvm::Expected<WeightSlice> slice(llvm::StringRef location,
                                    llvm::StringRef offset,
                                    llvm::StringRef length);

private:
  llvm::Expected<std::shared_ptr<Mapping>> file(llvm::StringRef location);

  llvm::Expected<std::shared_ptr<Mapping>> inMemory(llvm::StringRef location);

  std::optional<std::string> folder;
  Memory memory;
  bool borrow = false;
  std::map<std::string, std::shared_ptr<Mapping>> open;
};

} // namespace tenon::onnximport

#endif // TENON_LIB_IMPORT_ONNX_EXTERNALDATA_H
