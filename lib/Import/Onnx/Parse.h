//===- Parse.h - models as messages -----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is private to the importer.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_IMPORT_ONNX_PARSE_H
#define TENON_LIB_IMPORT_ONNX_PARSE_H

#include "onnx/onnx_pb.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace tenon::onnximport {

/// The textual syntax, as the binary model that it stands for.
llvm::Expected<std::string> parseText(llvm::StringRef text);

/// Parses without protobuf's own messages on stderr.
bool parseQuietly(::onnx::ModelProto &model, const std::string &bytes);

/// The model in a file, `.onnx` or `.onnxtxt`. External data stay outside.
llvm::Expected<::onnx::ModelProto> readWhole(llvm::StringRef path);

class ExternalData;

/// Puts the bytes of an external file into the tensor.
llvm::Error takeInside(::onnx::TensorProto &tensor, ExternalData &external);

} // namespace tenon::onnximport

#endif // TENON_LIB_IMPORT_ONNX_PARSE_H
