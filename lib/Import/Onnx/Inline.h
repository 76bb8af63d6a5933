//===- Inline.h - functions replaced by their nodes -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is private to the importer.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_IMPORT_ONNX_INLINE_H
#define TENON_LIB_IMPORT_ONNX_INLINE_H

#include "lib/Import/Onnx/Nodes.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/StringMap.h"

namespace tenon::onnximport {

struct Session;

/// Names that are in use, and new ones.
class NameSource {
public:
  void take(llvm::StringRef name) { next.try_emplace(name, 1); }
  /// `base`, or with a number behind it if it is taken; taken from now on.
  std::string unique(const std::string &base);

private:
  llvm::StringMap<unsigned> next; ///< name -> the number to try behind it
};

/// Receives a node that calls no function, reads values by names that are
/// unique in the model, and belongs into `target`. `opset` is the version of
/// its domain where it was written.
using NodeSink = llvm::function_ref<mlir::LogicalResult(
    ::onnx::NodeProto node, int64_t opset, ::onnx::GraphProto &target)>;

/// Hands the nodes of the model's graph to `sink`, in order, with `target` for
/// those that are in no branch. A call of a function becomes the nodes of its
/// body: attributes that the body refers to have the value that the call or
/// else the function gives, absent operands stay absent, and the opsets are
/// those of the function. The nodes must be ordered.
mlir::LogicalResult inlineFunctions(Session &session, NameSource &names,
                                    ::onnx::GraphProto &target, NodeSink sink);

} // namespace tenon::onnximport

#endif // TENON_LIB_IMPORT_ONNX_INLINE_H
