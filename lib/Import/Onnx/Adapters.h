//===- Adapters.h - the version converter, corrected ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is private to the importer.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_IMPORT_ONNX_ADAPTERS_H
#define TENON_LIB_IMPORT_ONNX_ADAPTERS_H

#include "onnx/onnx_pb.h"

namespace tenon::onnximport {

/// `model` in `opset` of the default domain by onnx's converter, with the
/// adapters replaced that lose meaning (see Adapters.cpp). Throws like onnx.
::onnx::ModelProto convertToOpset(const ::onnx::ModelProto &model, int opset);

} // namespace tenon::onnximport

#endif // TENON_LIB_IMPORT_ONNX_ADAPTERS_H
