//===- Infer.h - types and shapes of all values ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is private to the importer.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_IMPORT_ONNX_INFER_H
#define TENON_LIB_IMPORT_ONNX_INFER_H

#include "onnx/onnx_pb.h"
#include <map>
#include <string>

namespace tenon::onnximport {

/// Value name -> why its type is unknown.
using InferenceErrors = std::map<std::string, std::string>;

/// Infers the types of all values of the graph from its inputs, node by node
/// with onnx's own inference functions, and writes them to `value_info` and the
/// outputs; what was there is forgotten. Values of shapes and axes are followed
/// through the graph, but, unlike in onnx's own loop, only as long as they are
/// few: a vector of a billion elements would be followed element by element.
///
/// Where inference fails, the schema often still tells the element type. Throws
/// if a declared output contradicts what is inferred.
InferenceErrors inferTypes(::onnx::ModelProto &model);

} // namespace tenon::onnximport

#endif // TENON_LIB_IMPORT_ONNX_INFER_H
