//===- GradientRequest.h - a gradient that a model asks for -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares what stands for ONNX's Gradient until operations that can
// be differentiated stand for all nodes: a conversion that is none
// (`builtin.unrealized_conversion_cast`), with an attribute of this name. Its
// operands are tensors for `xs` and `zs`, then the tensors of these names, then
// `y`; its results are the derivatives by the first of them.
//===----------------------------------------------------------------------===//
#ifndef TENON_DIALECTS_GRAPH_GRADIENTREQUEST_H
#define TENON_DIALECTS_GRAPH_GRADIENTREQUEST_H

#include "llvm/ADT/StringRef.h"

namespace tenon::graph {

inline constexpr llvm::StringLiteral kGradientRequest = "tenon.gradient";

} // namespace tenon::graph

#endif // TENON_DIALECTS_GRAPH_GRADIENTREQUEST_H
