//===- Memory.td - storage as IR ---------------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TENON_MEMORY
#define TENON_MEMORY

include "dialects/Memory/MemoryTypes.td"
include "dialects/Memory/Problem.td"

class Memory_Op<string mnemonic, list<Trait> traits = []>
    : Op<Memory_Dialect, mnemonic, traits>;

def Memory_AllocOp : Memory_Op<"alloc"> {
  let summary = "storage in the arena, from its first to its last use";
  let description = [{
    `offset` is absent until the planner has decided it.

    In a program whose sizes depend on symbols it is the one for typical sizes;
    what holds for all is an order: the allocation starts at the largest end of
    those that it lies `above`, or `in_place_of` another one. Allocations are
    numbered in program order.
  }];
  let arguments = (ins OptionalAttr<I64Attr>:$offset, DefaultValuedAttr<I64Attr, "64">:$alignment,
    OptionalAttr<DenseI64ArrayAttr>:$above, OptionalAttr<I64Attr>:$in_place_of);
  let results = (outs Memory_BufferType:$buffer);
  let assemblyFormat = "attr-dict `:` type($buffer)";
}

def Memory_InputOp : Memory_Op<"input", [Pure]> {
  let summary = "the caller's buffer for graph input `index`";
  let arguments = (ins ConfinedAttr<I64Attr, [IntNonNegative]>:$index);
  let results = (outs Memory_BufferType:$buffer);
  let assemblyFormat = "$index attr-dict `:` type($buffer)";
  let hasVerifier = 1;
}

def Memory_OutputOp : Memory_Op<"output", [Pure]> {
  let summary = "the caller's buffer for graph output `index`";
  let arguments = (ins ConfinedAttr<I64Attr, [IntNonNegative]>:$index);
  let results = (outs Memory_BufferType:$buffer);
  let assemblyFormat = "$index attr-dict `:` type($buffer)";
  let hasVerifier = 1;
}

def Memory_ConstantOp : Memory_Op<"constant", [Pure]> {
  let summary = "a constant in the weights section";
  let description = [{
    `pack`, when present, is the attribute dictionary of the `graph.pack` that is
    applied while the section is written.
  }];
  let arguments = (ins ElementsAttr:$value, OptionalAttr<DictionaryAttr>:$pack);
  let results = (outs Memory_BufferType:$buffer);
  let assemblyFormat = "$value attr-dict `:` type($buffer)";
}

def Memory_ViewOp : Memory_Op<"view", [Pure]> {
  let summary = "the same storage seen as another tensor";
  let description = [{
    The result's offset and strides count in its own elements from `byte_offset`
    bytes after the start of the operand's storage, which holds all of it.
  }];
  let arguments = (ins Memory_BufferType:$source, DefaultValuedAttr<I64Attr, "0">:$byte_offset);
  let results = (outs Memory_BufferType:$buffer);
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($buffer)";
  let hasVerifier = 1;
}

#endif // TENON_MEMORY
