//===- Kernel.td - groups that become kernels --------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TENON_KERNEL
#define TENON_KERNEL

include "mlir/IR/OpBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "dialects/Kernel/KernelDialect.td"
include "dialects/Memory/MemoryTypes.td"

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

def Kernel_HalosAttr : TypedArrayAttrBase<DenseI64ArrayAttr,
    "one array of halo widths per operand">;

def Kernel_PacksAttr : TypedArrayAttrBase<
    AnyAttrOf<[DictionaryAttr, UnitAttr], "pack or unit">, "one pack or unit per operand">;

def Kernel_BuffersAttr : TypedArrayAttrBase<TypeAttrOf<Memory_BufferType>,
    "one buffer type per operand and result">;

def Kernel_SizeAttr : Attr<CPred<"::tenon::kernel::isSize($_self)">,
    "a dimension that is known when the program runs"> {
  let storageType = "::mlir::Attribute";
  let returnType = "::mlir::Attribute";
  let convertFromStorage = "$_self";
}

def Kernel_TimeAttr : ConfinedAttr<I64Attr, [IntNonNegative]>; // nanoseconds

def Kernel_SizesAttr : TypedArrayAttrBase<Kernel_SizeAttr, "dimensions">;

def Kernel_TileAttr : AttrDef<Kernel_Dialect, "Tile"> {
  let mnemonic = "tile";
  let summary = "how the results of a group of stages are cut into tiles";
  let description = [{
    `#kernel.tile<dims = [1, 2], sizes = [8, 14]>` computes 8 by 14 elements of
    dimensions 1 and 2 at a time, and all of the others. Tiles follow each other
    row by row; the last one along a dimension may be smaller. Without
    dimensions there is one tile.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$dims,
    ArrayRefParameter<"int64_t">:$sizes);
  let assemblyFormat = "`<` `dims` `=` custom<Numbers>($dims) `,` `sizes` `=` custom<Numbers>($sizes) `>`";
}

def Kernel_LevelEnum : I32EnumAttr<"Level", "where a stage leaves its result", [
  I32EnumAttrCase<"Register", 0, "register">, I32EnumAttrCase<"Scratch", 1, "scratch">,
  I32EnumAttrCase<"Shared", 2, "shared">, I32EnumAttrCase<"Memory", 3, "memory">]> {
  let cppNamespace = "::tenon::kernel";
  let genSpecializedAttr = 0;
}
def Kernel_LevelAttr : EnumAttr<Kernel_Dialect, Kernel_LevelEnum, "level">;

def Kernel_MapAttr : AttrDef<Kernel_Dialect, "Map"> {
  let mnemonic = "map";
  let summary = "how copies by boxes address an operand on a device";
  let description = [{
    A tensor map of CUDA: copies of a `box` from `operand`, a number among those of
    the launch, seen as a tensor of `dims`, innermost first, that starts at byte
    `offset`. `strides` are those of dimensions 1 and on, in bytes, `steps` the
    distance of elements that a box takes, in elements. What lies outside reads as
    zero. In shared memory rows of the box lie as `swizzle` says, in bytes (0:
    none).
  }];
  let parameters = (ins "int64_t":$operand, "::mlir::Type":$element, ArrayRefParameter<"int64_t">:$dims,
    ArrayRefParameter<"int64_t">:$strides, ArrayRefParameter<"int64_t">:$box,
    ArrayRefParameter<"int64_t">:$steps, "int64_t":$swizzle, "int64_t":$offset);
  let assemblyFormat = [{
    `<` `operand` `=` $operand `,` `element` `=` $element `,` `dims` `=` custom<Numbers>($dims) `,`
    `strides` `=` custom<Numbers>($strides) `,` `box` `=` custom<Numbers>($box) `,`
    `steps` `=` custom<Numbers>($steps) `,` `swizzle` `=` $swizzle `,` `offset` `=` $offset `>`
  }];
}

def Kernel_DeviceAttr : AttrDef<Kernel_Dialect, "Device"> {
  let mnemonic = "device";
  let summary = "how a launch runs on a device";
  let description = [{
    On a device a tile of a launch is a block of `threads` threads, and there are
    `tiles` x `grid` of them: `grid` is along y and z. Blocks have `shared` bytes of
    dynamic shared memory; so many that follow each other along x form a `cluster`.
    `cooperative` blocks run all at once. A `programmatic` launch may begin while
    those before it end: it waits itself for what it reads. The kernel gets the
    `maps` (#kernel.map), then a pointer for each operand of the launch, then its
    `sizes`, then, where the launch has `steps`, the first tile of the step.
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$grid, "int64_t":$threads,
    "int64_t":$shared, "int64_t":$cluster, "bool":$cooperative, "bool":$programmatic,
    "::mlir::ArrayAttr":$maps);
  let assemblyFormat = [{
    `<` `grid` `=` custom<Numbers>($grid) `,` `threads` `=` $threads `,` `shared` `=` $shared `,`
    `cluster` `=` $cluster `,` `cooperative` `=` $cooperative `,` `programmatic` `=` $programmatic `,`
    `maps` `=` $maps `>`
  }];
}

def Kernel_StageOp : Op<Kernel_Dialect, "stage",
    [Pure, IsolatedFromAbove, HasParent<"GroupOp">, SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "what one strategy computes of a tile";
  let description = [{
    The region's arguments are the operands: those of the group, or results of
    stages before. With zeros where its users read beyond the tensor, a result
    lies `in` one of these levels between stages:

    | level | whose |
    |---|---|
    | `register` | of the threads that compute it; nobody else can read it |
    | `scratch` | of the thread that runs the tile |
    | `shared` | of the block that runs the tile |
    | `memory` | of all: that of a result which the group yields, and no other |

    Who forms a group says it, for the device that computes it so; a group
    without levels is computed by whichever can. Planning adds `plan`, and
    `scratch`, the bytes of each buffer that it asks for.
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$inputs, OptionalAttr<Kernel_LevelAttr>:$level,
    OptionalAttr<Kernel_PlanAttr>:$plan, OptionalAttr<DenseI64ArrayAttr>:$scratch);
  let results = (outs AnyRankedTensor:$result);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "`(` $inputs `)` (`in` `` $level^)? attr-dict `:` functional-type($inputs, $result) $body";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Block &getBlock() { return getBody().front(); }
  }];
}

def Kernel_GroupOp : Op<Kernel_Dialect, "group",
    [Pure, IsolatedFromAbove, SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "graph operations that become one kernel";
  let description = [{
    The region's arguments are the operands. How the group is computed is not its
    business: strategies are chosen when it is planned. A group is one stage, or
    a program of them (`kernel.stage`), which is run for one `tile` of its results
    after the other. All results that no stage reads are cut in the same way; of
    others a tile stores what lies at its place (`StageFootprint::owned`).

    Planning adds `plan` and the nanoseconds that it is expected to take, `time`;
    those of each strategy that could compute the group by name, `costs`; and what
    the plan asks for: `halos`, for each operand the elements that must be readable before it in each dimension and
    then after it (empty: none), `packs`, for each operand the attributes of the
    `graph.pack` that its constant goes through (unit: none), `scratch`, the
    bytes of each buffer that is dead after the launch, and `thread_scratch`, the
    bytes that each thread needs for itself. With `checked` the last
    one is the fault word, zero before a launch: a kernel that meets an index
    outside of the rows it may pick from stores their number plus one there, and
    picks another.

    `fusion` is what its maker knows of it, for reports (Facts.h): `bytes_before`,
    read and written if each operation were a kernel, and `bytes` now, `work`,
    operations executed over those of the program, bytes of `scratch`, predicted
    `nanoseconds`.

    With `each` the plan is for one index of a leading dimension whose extent is a
    symbol, and is run for all of them.

    Buffer assignment adds `buffers`, the buffer type of each operand and then of
    each result, `offsets`, where each of them starts in its storage, in bytes
    (absent: all at 0), and `in_place`, the operands of the movement in the group
    that lie in its result already, in ascending order.
  }];
  let arguments = (ins Variadic<AnyRankedTensor>:$operands_,
    OptionalAttr<Kernel_PlanAttr>:$plan,
    OptionalAttr<Kernel_TimeAttr>:$time, OptionalAttr<DictionaryAttr>:$costs,
    OptionalAttr<Kernel_HalosAttr>:$halos,
    OptionalAttr<Kernel_PacksAttr>:$packs, OptionalAttr<DenseI64ArrayAttr>:$scratch,
    UnitAttr:$checked, OptionalAttr<Kernel_BuffersAttr>:$buffers,
    OptionalAttr<DenseI64ArrayAttr>:$offsets, OptionalAttr<DenseI64ArrayAttr>:$in_place,
    OptionalAttr<I64Attr>:$thread_scratch, OptionalAttr<Kernel_TileAttr>:$tile,
    UnitAttr:$each, OptionalAttr<DictionaryAttr>:$fusion);
  let results = (outs Variadic<AnyRankedTensor>:$results_);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "`(` $operands_ `)` attr-dict `:` functional-type($operands_, $results_) $body";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::Block &getBlock() { return getBody().front(); }
    /// The halo of an operand: lows then highs, empty for none.
    ::llvm::ArrayRef<int64_t> getHalo(unsigned operand);
    /// The pack of an operand, or null.
    ::mlir::DictionaryAttr getPack(unsigned operand);
    /// The byte at which the buffer of an operand or, after them, of a result
    /// starts in its storage.
    int64_t getByteOffset(unsigned buffer);
    /// Whether operand `index` of the movement in the group lies in its result.
    bool isInPlace(unsigned index);
    /// Whether it is made of `kernel.stage`s.
    bool isStaged() { return !getBlock().getOps<StageOp>().empty(); }
    /// Whether the attributes fit the operands and results.
    ::mlir::LogicalResult verifyAttributes();
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
    scratch that all tiles share (dead after the launch), and `thread_scratch`
    bytes that belong to the thread that runs. `flops` and `bytes` are for
    reports; `nodes` names the ONNX nodes it came from; `time`, `costs`,
    `fusion` and `tile` are the group's, and `operators` its operations: `kind`, ONNX `nodes`,
    the numbers of earlier ones that are its `operands`, `stage` and `strategy`.

    `tiles` and `sizes` are dimensions (dialects/Graph/DimExpr.h): how many tiles
    there are, and the numbers that the kernel gets as `sizes` of its calls, known
    when the program has its inputs.

    With `steps`, step `s` runs the tiles `[s * tiles, (s + 1) * tiles)` after all
    of step `s - 1`: tiles are independent within a step. All operands live
    through all steps. Their number is a dimension, too.

    `in_place` holds pairs of a read and a write, each numbered from 0, that may
    be the same storage: every element of the read is read before the one at its
    place is written, by whichever thread. One storage stands for one pair; all
    other operands must lie elsewhere.

    Launches of one `stream` run one after the other (absent: stream 0), streams
    at the same time. A launch also `waits` for others: numbers of launches before
    it in the program.

    Neighbours with one `wave` run as one launch over the tiles of all, in any order
    (on devices once tenon-form-waves made one of them): none reads or writes bytes
    that another writes. A wave's number is larger than those of waves before it.
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee, Kernel_SizeAttr:$tiles,
    Variadic<Memory_BufferType>:$reads, Variadic<Memory_BufferType>:$writes,
    Variadic<Memory_BufferType>:$scratch, I64Attr:$flops, I64Attr:$bytes, StrAttr:$nodes,
    OptionalAttr<DenseI64ArrayAttr>:$in_place, OptionalAttr<Kernel_TimeAttr>:$time,
    OptionalAttr<DictionaryAttr>:$costs, OptionalAttr<Kernel_SizeAttr>:$steps,
    DefaultValuedAttr<I64Attr, "0">:$thread_scratch,
    OptionalAttr<Kernel_SizesAttr>:$sizes, OptionalAttr<DictionaryAttr>:$fusion,
    OptionalAttr<ArrayAttr>:$operators, OptionalAttr<Kernel_TileAttr>:$tile,
    OptionalAttr<Kernel_DeviceAttr>:$device,
    OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative, IntMaxValue<1023>]>>:$stream,
    OptionalAttr<DenseI64ArrayAttr>:$waits,
    OptionalAttr<ConfinedAttr<I64Attr, [IntNonNegative]>>:$wave);
  let assemblyFormat = [{
    $callee `tiles` `(` custom<Size>($tiles) `)` `reads` `(` ($reads^ `:` type($reads))? `)` `writes` `(`
    ($writes^ `:` type($writes))? `)` (`scratch` `(` $scratch^ `:` type($scratch) `)`)? attr-dict
  }];
  let hasVerifier = 1;
}

def Kernel_CheckOp : Op<Kernel_Dialect, "check"> {
  let summary = "what the shapes of the inputs must fulfil";
  let description = [{
    Before anything runs: two dimensions must be equal or, with `broadcasts`, one
    of them may be 1; with `at_least`, the first must not be less. `nodes` names
    the ONNX node that asks for it.
  }];
  let arguments = (ins Kernel_SizeAttr:$lhs, Kernel_SizeAttr:$rhs, StrAttr:$nodes,
    UnitAttr:$broadcasts, UnitAttr:$at_least);
  let assemblyFormat = "custom<Size>($lhs) `,` custom<Size>($rhs) attr-dict";
}

#endif // TENON_KERNEL
