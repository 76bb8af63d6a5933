//===- PartsContents.h - what a PartedModel holds ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is private to the importer.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_IMPORT_ONNX_PARTSCONTENTS_H
#define TENON_LIB_IMPORT_ONNX_PARTSCONTENTS_H

#include "lib/Import/Onnx/Parts.h"

#include "onnx/onnx_pb.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace tenon::onnximport {

struct PartedModel::Contents {
  ::onnx::ModelProto model;
  llvm::StringMap<::onnx::TypeProto> types;  ///< of values
  llvm::StringMap<int> inputs, initializers; ///< their numbers
  llvm::StringSet<> outputs;
};

/// Calls `change` for each dimension that the type of a tensor says; what is no
/// tensor stays so.
inline void forEachDim(
    ::onnx::ValueInfoProto &info,
    llvm::function_ref<void(::onnx::TensorShapeProto::Dimension &)> change) {
  if (!info.type().has_tensor_type() || !info.type().tensor_type().has_shape())
    return;
  for (auto &dim : *info.mutable_type()
                        ->mutable_tensor_type()
                        ->mutable_shape()
                        ->mutable_dim())
    change(dim);
}

} // namespace tenon::onnximport

#endif // TENON_LIB_IMPORT_ONNX_PARTSCONTENTS_H
