//===- Export.h - a model with other weights --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares how a model is written that has been trained. No onnx,
// protobuf or exception crosses it.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_IMPORT_ONNX_EXPORT_H
#define TENON_LIB_IMPORT_ONNX_EXPORT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace tenon::onnximport {

/// What an initialiser is to be: elements in ONNX's raw layout.
struct NewValue {
  std::string name;
  std::string type; ///< as safetensors has it: "F32", "F64"
  std::vector<int64_t> shape;
  llvm::StringRef bytes;
};

/// The model at `path` as a binary ModelProto, with these values for its
/// initialisers, and as it evaluates: no node trains. Values that no
/// initialiser has are an error unless they are an optimiser's (`w.mean` of
/// `w`, `step`); so is a value of another type or shape, but one of f32 is
/// rounded for an initialiser of 16 bits. External data comes inside.
llvm::Expected<std::string> withValues(llvm::StringRef path,
                                       llvm::ArrayRef<NewValue> values);

} // namespace tenon::onnximport

#endif // TENON_LIB_IMPORT_ONNX_EXPORT_H
