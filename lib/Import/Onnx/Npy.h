//===- Npy.h - arrays of numpy ----------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares a reader of .npy, the format in which --const takes arrays
// and tenon-run its inputs.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_IMPORT_ONNX_NPY_H
#define TENON_LIB_IMPORT_ONNX_NPY_H

#include "lib/Import/Onnx/Mapping.h"
#include "llvm/ADT/SmallVector.h"

namespace tenon::onnximport {

/// What the header of a .npy file says.
struct Npy {
  std::string type; ///< `f4`, `i8`, `b1`...; little-endian
  llvm::SmallVector<int64_t> shape;
  uint64_t offset = 0; ///< of the elements, which are row-major, in the file
};

/// Reads a header. The error is a sentence without the file's name.
llvm::Expected<Npy> readNpy(llvm::StringRef bytes);

} // namespace tenon::onnximport

#endif // TENON_LIB_IMPORT_ONNX_NPY_H
