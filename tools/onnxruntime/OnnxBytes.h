//===- OnnxBytes.h - nodes as the bytes of an ONNX model ----------*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Large constants stay where they are: the model calls them by the name of a
// file, which the compiler asks for.
//===----------------------------------------------------------------------===//
#ifndef TENON_TOOLS_ONNXRUNTIME_ONNXBYTES_H
#define TENON_TOOLS_ONNXRUNTIME_ONNXBYTES_H

#include "tools/onnxruntime/Sets.h"

#include "tenon-c/Compiler.h"

namespace tenon::ort {

struct OnnxModel {
  std::string bytes;
  /// The constants in files "0", "1", ...
  std::vector<const Constant *> files;

  /// A source that borrows the model.
  tenon_source source() const;
};

/// The model of `set`. Nodes are called by their names, which are made unique.
OnnxModel modelOf(const Graph &graph, const NodeSet &set);

/// The name of a node in the model, by which messages call it.
std::string uniqueName(const Graph &graph, int node);

} // namespace tenon::ort

#endif // TENON_TOOLS_ONNXRUNTIME_ONNXBYTES_H
