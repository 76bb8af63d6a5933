//===- Pack.h - executes graph.pack on bytes --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_EMIT_PACK_H
#define TENON_PASSES_EMIT_PACK_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

namespace tenon::emit {

/// Takes the next bytes of what is written in pieces.
using ByteSink = llvm::function_ref<void(llvm::ArrayRef<char>)>;

/// Sends `source` (row-major, of type `type`, at any address) to `sink` in the
/// order that the attributes of a `graph.pack` describe: `[batch..., ceil(N /
/// panel), K, panel]`, zeros beyond N or beyond each of its groups, in `type`'s
/// elements or those that the attributes name. A source of one element stands
/// for a tensor of equal ones.
void pack(mlir::RankedTensorType type, mlir::DictionaryAttr attributes,
          llvm::ArrayRef<char> source, ByteSink sink);

} // namespace tenon::emit

#endif // TENON_PASSES_EMIT_PACK_H
