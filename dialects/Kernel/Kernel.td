//===- Kernel.td - groups that become kernels --------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TENON_KERNEL
#define TENON_KERNEL

include "mlir/IR/OpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "dialects/Memory/MemoryTypes.td"

def Kernel_Dialect : Dialect {
  let name = "kernel";
  let cppNamespace = "::tenon::kernel";
  let summary = "Groups of graph operations that become one kernel, and launches";
  let description = [{
    Decisions reified: what is fused (`kernel.group`), how it is tiled
    (`#kernel.plan`), in what order it runs (`stage`), and at the end which
    function runs it on which buffers (`kernel.launch`).
  }];
  let useDefaultAttributePrinterParser = 1;
  let dependentDialects = ["::tenon::memory::MemoryDialect"];
}

def Kernel_PlanAttr : AttrDef<Kernel_Dialect, "Plan"> {
  let mnemonic = "plan";
  let summary = "how a group is tiled: the planner's decision as text";
  let description = [{
    `strategy` names the code generator, `params` are its numbers, for example
    `#kernel.plan<gemm, {mr = 12, nv = 2, panel = 32}>`.
  }];
  let parameters = (ins StringRefParameter<>:$strategy, "::mlir::DictionaryAttr":$params);
  let assemblyFormat = "`<` $strategy `,` $params `>`";
  let extraClassDeclaration = [{
    /// The integer parameter `name`, or `otherwise` when the plan has none.
    int64_t getInt(::llvm::StringRef name, int64_t otherwise = 0) const;
  }];
}

def Kernel_GroupOp : Op<Kernel_Dialect, "group",
    [Pure, IsolatedFromAbove, SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "graph operations that become one kernel";
  let description = [{
    The region's arguments are the operands. How the group is computed is not its
    business: strategies are chosen when it is planned (`plan`). `buffers` holds,
    once buffers are assigned, the buffer type of each operand and then of each
    result.
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$operands_,
    OptionalAttr<I64Attr>:$stage, OptionalAttr<Kernel_PlanAttr>:$plan,
    OptionalAttr<TypeArrayAttr>:$buffers);
  let results = (outs Variadic<AnyRankedTensor>:$results_);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "`(` $operands_ `)` attr-dict `:` functional-type($operands_, $results_) $body";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Block &getBlock() { return getBody().front(); }
    /// The contraction, window or recurrence that the group is made around; null
    /// if there is none.
    ::mlir::Operation *getAnchor();
  }];
}

def Kernel_YieldOp : Op<Kernel_Dialect, "yield", [Pure, Terminator, ReturnLike]> {
  let summary = "the results of a group";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
  let builders = [OpBuilder<(ins), [{ build($_builder, $_state, ::mlir::ValueRange()); }]>];
}

def Kernel_LaunchOp : Op<Kernel_Dialect, "launch", [AttrSizedOperandSegments]> {
  let summary = "runs a kernel on buffers";
  let description = [{
    The kernel gets one pointer per operand, reads first, then writes, then
    scratch (dead after the launch). `flops` and `bytes` are for reports; `nodes`
    names the ONNX nodes it came from.

    With `steps`, step `s` runs the tiles `[s * tiles, (s + 1) * tiles)` after all
    of step `s - 1`: tiles are independent within a step. All operands live
    through all steps.

    `in_place` holds pairs of a read and a write, each numbered from 0, that may
    be the same storage: every element of the read is read before the one at its
    place is written, by whichever thread. One storage stands for one pair; all
    other operands must lie elsewhere.
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee, I64Attr:$tiles,
    Variadic<Memory_BufferType>:$reads, Variadic<Memory_BufferType>:$writes,
    Variadic<Memory_BufferType>:$scratch, I64Attr:$flops, I64Attr:$bytes, StrAttr:$nodes,
    OptionalAttr<DenseI64ArrayAttr>:$in_place, DefaultValuedAttr<I64Attr, "1">:$steps);
  let assemblyFormat = [{
    $callee `tiles` `(` $tiles `)` `reads` `(` ($reads^ `:` type($reads))? `)` `writes` `(`
    ($writes^ `:` type($writes))? `)` (`scratch` `(` $scratch^ `:` type($scratch) `)`)? attr-dict
  }];
  let hasVerifier = 1;
}

#endif // TENON_KERNEL
