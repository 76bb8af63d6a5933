//===- GraphDialect.td - the tensor algebra dialect --------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TENON_GRAPH_DIALECT
#define TENON_GRAPH_DIALECT

include "mlir/IR/OpBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/TensorEncoding.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "dialects/Graph/GraphInterfaces.td"

def Graph_Dialect : Dialect {
  let name = "graph";
  let cppNamespace = "::tenon::graph";
  let summary = "Tensor algebra with symbolic dimensions";
  let description = [{
    The heart of the compiler: value semantics on ranked tensors whose unknown
    dimensions are named symbols (`#graph.dims` as tensor encoding). Element-wise
    operations broadcast like numpy. Every operation implements
    `TensorOpInterface`: iteration domain, access relations, reduction,
    cost, decomposition; its reference semantics are in `lib/Interpreter`.
  }];
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let hasOperationAttrVerify = 1;
}

//===-- Types -------------------------------------------------------------===//

def Graph_Float : AnyTypeOf<[F16, BF16, F32, F64]>;
def Graph_Int : AnyTypeOf<[I8, I16, I32, I64, UI8, UI16, UI32, UI64]>;
def Graph_Number : AnyTypeOf<[Graph_Float, Graph_Int]>;
// Elements that are only stored, moved and cast: a byte each in memory.
def Graph_StorageFloat : AnyTypeOf<[F8E4M3FN, F8E4M3FNUZ, F8E5M2, F8E5M2FNUZ,
  F8E8M0FNU, F4E2M1FN]>;
def Graph_StorageInt : AnyTypeOf<[I<2>, I<4>, UI<2>, UI<4>]>;
def Graph_Element : AnyTypeOf<[Graph_Float, Graph_Int, I1, Graph_StorageFloat,
  Graph_StorageInt]>;
def Graph_FloatTensor : RankedTensorOf<[Graph_Float]>;
def Graph_NumberTensor : RankedTensorOf<[Graph_Number]>;
def Graph_BoolTensor : RankedTensorOf<[I1]>;
def Graph_LogicTensor : RankedTensorOf<[Graph_Int, I1]>;
def Graph_IndexTensor : RankedTensorOf<[I32, I64]>;
def Graph_Tensor : RankedTensorOf<[Graph_Element]>;

//===-- Attributes --------------------------------------------------------===//

class Graph_Attr<string name, string attrMnemonic, list<Trait> traits = []>
    : AttrDef<Graph_Dialect, name, traits> {
  let mnemonic = attrMnemonic;
}

def Graph_DimExprAttr : Graph_Attr<"DimExpr", "dim"> {
  let summary = "A size that is computed from symbols";
  let description = [{
    A sum of symbols and of quotients by a number, `2 * "height" + 1`; names are
    sorted. Made by the functions in DimExpr.h only, so that equal sizes are
    equal attributes.
  }];
  let parameters = (ins "::mlir::AffineExpr":$expr,
    ArrayRefParameter<"::mlir::StringAttr">:$symbols);
  let hasCustomAssemblyFormat = 1;
}

def Graph_DimsAttr : Graph_Attr<"Dims", "dims",
    [DeclareAttrInterfaceMethods<VerifiableTensorEncoding>]> {
  let summary = "One entry per dimension: a size, the name of a symbol, or an "
    "expression";
  let description = [{
    The encoding of a tensor with symbolic dimensions, `tensor<?x128x?x?xf32,
    #graph.dims<["batch", 128, 2 * "height" + 1, ?]>>`. Two dimensions with one
    entry are equal, but for `?`, of which nothing is known: the unit attribute.
  }];
  let parameters = (ins "::mlir::ArrayAttr":$dims);
  let assemblyFormat = "`<` custom<DimList>($dims) `>`";
  let genVerifyDecl = 1;
}

class Graph_Enum<string enumName, string desc, list<I32EnumAttrCase> cases>
    : I32EnumAttr<enumName, desc, cases> {
  let cppNamespace = "::tenon::graph";
  let genSpecializedAttr = 0;
}

def Graph_LayoutEnum : Graph_Enum<"Layout", "where the channels of an image stand", [
  I32EnumAttrCase<"NCHW", 0, "nchw">, I32EnumAttrCase<"NHWC", 1, "nhwc">]>;
def Graph_LayoutAttr : EnumAttr<Graph_Dialect, Graph_LayoutEnum, "layout">;

def Graph_PadModeEnum : Graph_Enum<"PadMode", "what stands outside", [
  I32EnumAttrCase<"Constant", 0, "constant">, I32EnumAttrCase<"Reflect", 1, "reflect">,
  I32EnumAttrCase<"Edge", 2, "edge">, I32EnumAttrCase<"Wrap", 3, "wrap">]>;
def Graph_PadModeAttr : EnumAttr<Graph_Dialect, Graph_PadModeEnum, "pad_mode">;

def Graph_ResizeModeEnum : Graph_Enum<"ResizeMode", "interpolation", [
  I32EnumAttrCase<"Nearest", 0, "nearest">, I32EnumAttrCase<"Linear", 1, "linear">,
  I32EnumAttrCase<"Cubic", 2, "cubic">]>;
def Graph_ResizeModeAttr : EnumAttr<Graph_Dialect, Graph_ResizeModeEnum, "resize_mode">;

def Graph_CoordinateModeEnum : Graph_Enum<"CoordinateMode", "output to input coordinate", [
  I32EnumAttrCase<"HalfPixel", 0, "half_pixel">,
  I32EnumAttrCase<"HalfPixelSymmetric", 1, "half_pixel_symmetric">,
  I32EnumAttrCase<"PytorchHalfPixel", 2, "pytorch_half_pixel">,
  I32EnumAttrCase<"AlignCorners", 3, "align_corners">,
  I32EnumAttrCase<"Asymmetric", 4, "asymmetric">,
  I32EnumAttrCase<"TfCropAndResize", 5, "tf_crop_and_resize">]>;
def Graph_CoordinateModeAttr : EnumAttr<Graph_Dialect, Graph_CoordinateModeEnum, "coordinate_mode">;

def Graph_NearestModeEnum : Graph_Enum<"NearestMode", "how a coordinate is rounded", [
  I32EnumAttrCase<"RoundPreferFloor", 0, "round_prefer_floor">,
  I32EnumAttrCase<"RoundPreferCeil", 1, "round_prefer_ceil">,
  I32EnumAttrCase<"Floor", 2, "floor">, I32EnumAttrCase<"Ceil", 3, "ceil">]>;
def Graph_NearestModeAttr : EnumAttr<Graph_Dialect, Graph_NearestModeEnum, "nearest_mode">;

def Graph_RoundModeEnum : Graph_Enum<"RoundMode", "of a conversion to a narrower float", [
  I32EnumAttrCase<"Nearest", 0, "nearest">, I32EnumAttrCase<"Up", 1, "up">,
  I32EnumAttrCase<"Down", 2, "down">]>;
def Graph_RoundModeAttr : EnumAttr<Graph_Dialect, Graph_RoundModeEnum, "round_mode">;

def Graph_ScatterKindEnum : Graph_Enum<"ScatterKind", "how an update meets what is there", [
  I32EnumAttrCase<"Replace", 0, "replace">, I32EnumAttrCase<"Add", 1, "add">,
  I32EnumAttrCase<"Mul", 2, "mul">, I32EnumAttrCase<"Max", 3, "max">,
  I32EnumAttrCase<"Min", 4, "min">]>;
def Graph_ScatterKindAttr : EnumAttr<Graph_Dialect, Graph_ScatterKindEnum, "scatter_kind">;

def Graph_DirectionEnum : Graph_Enum<"Direction", "of a recurrent layer", [
  I32EnumAttrCase<"Forward", 0, "forward">, I32EnumAttrCase<"Reverse", 1, "reverse">,
  I32EnumAttrCase<"Bidirectional", 2, "bidirectional">]>;
def Graph_DirectionAttr : EnumAttr<Graph_Dialect, Graph_DirectionEnum, "direction">;

def Graph_CellEnum : Graph_Enum<"Cell", "of a recurrence", [
  I32EnumAttrCase<"Rnn", 0, "rnn">, I32EnumAttrCase<"Gru", 1, "gru">,
  I32EnumAttrCase<"Lstm", 2, "lstm">]>;
def Graph_CellAttr : EnumAttr<Graph_Dialect, Graph_CellEnum, "cell">;

//===-- Operation bases ---------------------------------------------------===//

class Graph_Op<string mnemonic, list<Trait> traits = [], list<string> methods = []>
    : Op<Graph_Dialect, mnemonic, !listconcat([Pure,
        DeclareOpInterfaceMethods<TensorOpInterface, methods>], traits)> {
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}

// The result types follow from operands and attributes (the shape function).
class Graph_InferredOp<string mnemonic, list<Trait> traits = [], list<string> methods = []>
    : Graph_Op<mnemonic, !listconcat([InferTypeOpInterface,
        DeclareOpInterfaceMethods<InferTypeOpInterface, ["inferReturnTypes"]>], traits), methods>;

// An inferred operation with reduction dimensions.
class Graph_ReducingOp<string mnemonic, list<Trait> traits = []>
    : Graph_InferredOp<mnemonic, traits, ["getReduction"]>;

// An inferred operation that decomposes into others.
class Graph_CompositeOp<string mnemonic, list<Trait> traits = [], list<string> methods = []>
    : Graph_InferredOp<mnemonic, traits, !listconcat(["decompose"], methods)>;

// One result, whose shape is the broadcast of the operands' shapes. `infer` is
// the function in GraphDetail.h that also checks the element types.
class Graph_ElementwiseOp<string mnemonic, string infer, list<Trait> traits = []>
    : Graph_InferredOp<mnemonic, !listconcat([ElementwiseTrait], traits)> {
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::inferReturnTypes(::mlir::MLIRContext *,
        ::std::optional<::mlir::Location> loc, ::mlir::ValueRange operands,
        ::mlir::DictionaryAttr, ::mlir::OpaqueProperties, ::mlir::RegionRange,
        ::llvm::SmallVectorImpl<::mlir::Type> &results) {
      return ::tenon::graph::detail::}] # infer # [{(loc, operands, results);
    }
    ::tenon::graph::IterationDomain $cppClass::getIterationDomain() {
      return ::tenon::graph::detail::parallelDomain(getType());
    }
    ::llvm::SmallVector<::tenon::graph::Access> $cppClass::getAccesses() {
      return ::tenon::graph::detail::elementwiseAccesses(getOperation());
    }
    ::tenon::graph::Cost $cppClass::getCost() {
      return ::tenon::graph::detail::elementwiseCost(getOperation());
    }
  }];
}

#endif // TENON_GRAPH_DIALECT
