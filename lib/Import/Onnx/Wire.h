//===- Wire.h - taking the weights out of a serialised model --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares a filter over protobuf's wire format. The protobuf parser
// copies every byte field; for models of gigabytes that is one copy too many
// and more than its 2 GiB limit. So the large payloads of tensors are cut out
// first and only described: a tensor with a cut payload has one byte of
// `raw_data` (which keeps it well-formed for onnx's checker) and an
// `external_data` entry {sliceKey, index}, index into the list of ranges.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_IMPORT_ONNX_WIRE_H
#define TENON_LIB_IMPORT_ONNX_WIRE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace tenon::onnximport {

/// The key of the entry that marks a tensor whose bytes are in a WeightTable.
/// Entries with this key in the input are dropped.
inline constexpr llvm::StringLiteral sliceKey = "tenon.slice";

/// Payloads of at most this many bytes stay in the model, where shape
/// inference looks for the values of shapes and axes.
inline constexpr uint64_t inlineBytes = 1024;

struct ByteRange {
  uint64_t offset, size;
};

struct StrippedModel {
  std::string bytes;             ///< a serialised ModelProto
  std::vector<ByteRange> ranges; ///< of the input, by slice index
};

/// Strips the serialised ModelProto `model`. Fails on malformed wire data, on
/// nesting deeper than protobuf itself allows, and when more than `maxBytes`
/// remain. Linear in the size of what remains.
llvm::Expected<StrippedModel> stripWeights(llvm::StringRef model,
                                           uint64_t maxBytes);

} // namespace tenon::onnximport

#endif // TENON_LIB_IMPORT_ONNX_WIRE_H
