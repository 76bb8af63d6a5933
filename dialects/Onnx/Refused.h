//===- Refused.h - which nodes an error refuses -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares what errors about nodes say beside their text, for callers
// that act on it.
//===----------------------------------------------------------------------===//
#ifndef TENON_DIALECTS_ONNX_REFUSED_H
#define TENON_DIALECTS_ONNX_REFUSED_H

#include "mlir/IR/Diagnostics.h"

#include <string>
#include <vector>

namespace tenon::onnx {

struct RefusedNode {
  std::string name, op, reason;
};

/// Puts nodes into the metadata of a diagnostic.
void addRefused(mlir::Diagnostic &diagnostic, mlir::MLIRContext *context,
                llvm::ArrayRef<RefusedNode> nodes);

/// Those that are there.
std::vector<RefusedNode> refusedNodes(mlir::Diagnostic &diagnostic);

} // namespace tenon::onnx

#endif // TENON_DIALECTS_ONNX_REFUSED_H
