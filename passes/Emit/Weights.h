//===- Weights.h - each constant once ---------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the weights section: constants whose bytes are equal, as
// they are stored, are one constant there, whatever their shapes, types and
// packs say, in all programs of an artifact.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_EMIT_WEIGHTS_H
#define TENON_PASSES_EMIT_WEIGHTS_H

#include "dialects/Memory/Memory.h"
#include "lib/Target/Artifact/Artifact.h"

#include "llvm/ADT/DenseMap.h"

namespace tenon::emit {

/// A constant as it is stored.
struct StoredConstant {
  mlir::ElementsAttr value;
  mlir::DictionaryAttr pack; ///< or null
  uint64_t size = 0;         ///< in bytes

  static StoredConstant of(memory::ConstantOp constant);

  /// Sends its bytes.
  llvm::Error stream(artifact::WeightSink sink) const;
  /// A number that does not depend on the order of elements and on zeros beside
  /// them: packs of equal elements have equal ones. It takes one look at each
  /// element, which a pack does not.
  uint64_t fingerprint() const;
  /// Whether the bytes of both are the same.
  bool equals(const StoredConstant &other) const;
};

/// Gathers the constants of a section.
class WeightPool {
public:
  /// The index of a constant among `weights`, to which it is added, with its
  /// place, when none of these is equal.
  size_t add(const StoredConstant &constant,
             std::vector<artifact::WeightDesc> &weights);

  /// The same for bytes that are made here, which the description then owns.
  static size_t addBytes(std::string bytes,
                         std::vector<artifact::WeightDesc> &weights);

private:
  /// Of the same size; fingerprints are made when there are two.
  struct Entry {
    size_t index;
    std::optional<uint64_t> fingerprint;
  };
  std::optional<size_t> findEqual(const StoredConstant &constant,
                                  std::optional<uint64_t> &fingerprint);

  using Key = std::tuple<mlir::Attribute, mlir::Attribute, uint64_t>;
  llvm::DenseMap<Key, size_t> known;
  llvm::DenseMap<uint64_t, llvm::SmallVector<Entry>> bySize;
  std::vector<StoredConstant> constants;
};

} // namespace tenon::emit

#endif // TENON_PASSES_EMIT_WEIGHTS_H
