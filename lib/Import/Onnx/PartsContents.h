//===- PartsContents.h - what a PartedModel holds ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is private to the importer.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_IMPORT_ONNX_PARTSCONTENTS_H
#define TENON_LIB_IMPORT_ONNX_PARTSCONTENTS_H

#include "lib/Import/Onnx/Parts.h"

#include "onnx/onnx_pb.h"

namespace tenon::onnximport {

struct PartedModel::Contents {
  ::onnx::ModelProto model;
  llvm::StringMap<::onnx::TypeProto> types;   ///< of values
  llvm::StringMap<::onnx::TensorProto> known; ///< what values are
  llvm::StringMap<int> inputs, initializers;  ///< their numbers
  llvm::StringSet<> outputs;
};

} // namespace tenon::onnximport

#endif // TENON_LIB_IMPORT_ONNX_PARTSCONTENTS_H
