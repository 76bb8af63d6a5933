//===- MemoryTypes.td - the memory dialect and its types ---*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TENON_MEMORY_TYPES
#define TENON_MEMORY_TYPES

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Memory_Dialect : Dialect {
  let name = "memory";
  let cppNamespace = "::tenon::memory";
  let summary = "Buffers, their layout and their place";
  let description = [{
    After code generation a program is a list of `kernel.launch` on buffers. A
    buffer's type says how the tensor lies in it; `memory.alloc` gets its arena
    offset from the planner as an attribute.
  }];
  let useDefaultTypePrinterParser = 1;
  let hasOperationAttrVerify = 1;
  // Facts about a program, on its function.
  let discardableAttrs = (ins
    // The signature, once arguments are buffers: an array of
    // `{name = "x", type = tensor<...>}` each.
    "::mlir::ArrayAttr":$inputs,
    "::mlir::ArrayAttr":$outputs,
    // The plan: the arena's size, what no plan can do without, and the solver
    // that found it.
    "::mlir::IntegerAttr":$arena_bytes,
    "::mlir::IntegerAttr":$arena_lower_bound_bytes,
    "::mlir::StringAttr":$arena_solver,
    // Which end of each buffer touches a guard page, "above" or "below".
    "::mlir::StringAttr":$arena_guard
  );
}

def Memory_BufferType : TypeDef<Memory_Dialect, "Buffer"> {
  let mnemonic = "buffer";
  let summary = "a strided tensor in a piece of memory";
  let description = [{
    Element `(i0, i1, ...)` of the tensor lies at element `offset + sum(i_k *
    strides[k])` of `bytes` bytes of storage. Pitches (a stride larger than
    needed) and halos (an offset and free space around) are expressed so.

    Numbers that depend on symbols are expressions, `[64 * "seq", 64, 1], 0,
    256 * "seq"`. In C++ they are kDynamic here, and `sizes` has all of them as
    dimensions: strides, offset, bytes (dialects/Kernel/Buffers.h).
  }];
  let parameters = (ins "::mlir::RankedTensorType":$tensor,
    ArrayRefParameter<"int64_t">:$strides, "int64_t":$offset, "int64_t":$bytes,
    "::mlir::ArrayAttr":$sizes);
  let builders = [TypeBuilder<(ins "::mlir::RankedTensorType":$tensor,
    "::llvm::ArrayRef<int64_t>":$strides, "int64_t":$offset, "int64_t":$bytes), [{
      return $_get($_ctxt, tensor, strides, offset, bytes, ::mlir::ArrayAttr());
    }]>];
  let skipDefaultBuilders = 0;
  let assemblyFormat = "`<` $tensor `,` custom<Place>($strides, $offset, $bytes, $sizes) `>`";
  let extraClassDeclaration = [{
    /// Row-major and dense: no pitch, no halo.
    static BufferType getDense(::mlir::RankedTensorType tensor);
    /// With numbers that are dimensions, strides, then offset, then bytes.
    static BufferType getSized(::mlir::RankedTensorType tensor,
                               ::llvm::ArrayRef<::mlir::Attribute> sizes);
    /// Whether the tensor lies row-major without gaps at offset 0.
    bool isDense();
    ::mlir::Type getElementType() { return getTensor().getElementType(); }
    ::llvm::ArrayRef<int64_t> getShape() { return getTensor().getShape(); }
  }];
}

#endif // TENON_MEMORY_TYPES
