//===- Errata.h - corrections of the standard -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is private to the importer.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_IMPORT_ONNX_ERRATA_H
#define TENON_LIB_IMPORT_ONNX_ERRATA_H

#include "onnx/onnx_pb.h"

namespace tenon::onnximport {

/// Corrects the function body of the operator of `node`, in the form that the
/// node needs. A release of onnx that has the corrections has other bodies,
/// which stay as they are.
void correctBody(const ::onnx::NodeProto &node, ::onnx::FunctionProto &body);

} // namespace tenon::onnximport

#endif // TENON_LIB_IMPORT_ONNX_ERRATA_H
