//===- Parts.h - models made of some nodes of another -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares how tools take a model apart. No onnx, protobuf or
// exception crosses it.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_IMPORT_ONNX_PARTS_H
#define TENON_LIB_IMPORT_ONNX_PARTS_H

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tenon::onnximport {

/// A node of the model's graph. It reads what its subgraphs read, too.
struct Part {
  std::string name; ///< or that of its first output
  std::string op;
  std::vector<std::string> reads, makes; ///< values
};

/// A model in memory, its external data inside.
class PartedModel {
public:
  /// Reads `.onnx` or `.onnxtxt`, of less than 2 GiB.
  static llvm::Expected<PartedModel> read(llvm::StringRef path);
  PartedModel(PartedModel &&);
  PartedModel &operator=(PartedModel &&);
  ~PartedModel();

  const std::vector<Part> &parts() const { return nodes; }

  /// Gives the dimensions of inputs that have this name a size.
  void fixDim(llvm::StringRef name, int64_t size);
  /// Gives each node a name that no other has.
  void nameNodes();
  /// Writes what is now in memory.
  std::string bytes() const;

  struct Taking {
    llvm::StringSet<> shown = {}; ///< values that are outputs as well
  };

  /// The model of these nodes. What others make becomes an input; what nobody
  /// reads, and the model's outputs, are outputs. Nothing where the type of an
  /// input is not known, or there is no output.
  std::optional<std::string> take(const llvm::BitVector &kept,
                                  const Taking &taking) const;
  std::optional<std::string> take(const llvm::BitVector &kept) const {
    return take(kept, Taking());
  }

  /// Something smaller with the same nodes: less of an attribute, a smaller
  /// size. Numbers count from 0 to smallerCount().
  size_t smallerCount() const;
  std::string smaller(size_t number) const;

  /// A note in the model's metadata; "": none.
  std::string note(llvm::StringRef key) const;
  void setNote(llvm::StringRef key, llvm::StringRef text);

private:
  struct Contents;
  explicit PartedModel(std::unique_ptr<Contents> contents);
  void inspect();

  std::unique_ptr<Contents> contents;
  std::vector<Part> nodes;
};

} // namespace tenon::onnximport

#endif // TENON_LIB_IMPORT_ONNX_PARTS_H
