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

/// Whom nodes are handed to.
class NodeReceiver {
public:
  virtual ~NodeReceiver() = default;

  /// A node that calls no function, reads values by names that are unique in
  /// the model, and belongs into `target`. `opset` is the version of its domain
  /// where it was written.
  virtual mlir::LogicalResult add(::onnx::NodeProto node, int64_t opset,
                                  ::onnx::GraphProto &target) = 0;
  /// A subgraph of `node`, whose inputs have their names by now, before its
  /// nodes come.
  virtual void enter(const ::onnx::NodeProto &node,
                     ::onnx::GraphProto &graph) = 0;
  /// What is known by now of a value; null: nothing.
  virtual const ::onnx::TypeProto *typeOf(const std::string &value) const = 0;
};

/// Hands the nodes of the model's graph to `receiver`, in order, with `target`
/// for those that are in no subgraph. A call of a function becomes the nodes of
/// its body: attributes that the body refers to have the value that the call or
/// else the function gives, absent operands stay absent, and the opsets are
/// those of the function. So do operators beside If, Loop and Scan that take a
/// graph, by the bodies that ONNX defines them with. The nodes must be ordered.
mlir::LogicalResult inlineFunctions(Session &session, NameSource &names,
                                    ::onnx::GraphProto &target,
                                    NodeReceiver &receiver);

/// The function body by which ONNX defines `node`, which takes a graph, from
/// the types of its operands. An error where there is none.
mlir::FailureOr<::onnx::FunctionProto>
defineByFunction(Session &session, const ::onnx::NodeProto &node, int64_t opset,
                 const NodeReceiver &types);

} // namespace tenon::onnximport

#endif // TENON_LIB_IMPORT_ONNX_INLINE_H
