//===- Pack.h - executes graph.pack on bytes --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_EMIT_PACK_H
#define TENON_PASSES_EMIT_PACK_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

namespace tenon::emit {

/// Writes `source` (row-major, of type `type`) to `target` in the order that
/// the attributes of a `graph.pack` describe: `[batch..., ceil(N / panel), K,
/// panel]`, zeros beyond N or beyond each of its groups, in `type`'s elements
/// or those that the attributes name. `target` has exactly the packed size.
void pack(mlir::RankedTensorType type, mlir::DictionaryAttr attributes,
          llvm::ArrayRef<char> source, llvm::MutableArrayRef<char> target);

} // namespace tenon::emit

#endif // TENON_PASSES_EMIT_PACK_H
