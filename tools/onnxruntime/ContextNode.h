//===- ContextNode.h - artifacts as nodes of a model --------------*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ONNX Runtime can write a model in which a node, EPContext, stands for each
// set that was compiled, and holds its artifact. Sessions of it compile
// nothing.
//===----------------------------------------------------------------------===//
#ifndef TENON_TOOLS_ONNXRUNTIME_CONTEXTNODE_H
#define TENON_TOOLS_ONNXRUNTIME_CONTEXTNODE_H

#include "tools/onnxruntime/Kernel.h"
#include "tools/onnxruntime/Sets.h"

namespace tenon::ort {

/// Makes the node that stands for `fused` and holds the artifact.
OrtStatus *createContextNode(const Api &api, const OrtNode *fused,
                             const Artifact &artifact, OrtNode *&made);

/// Whether a node is one of ours.
bool isContextNode(const Node &node);

/// Loads the artifact that such a node holds.
OrtStatus *loadContextNode(const Api &api, const Node &node,
                           Artifact &artifact);

} // namespace tenon::ort

#endif // TENON_TOOLS_ONNXRUNTIME_CONTEXTNODE_H
