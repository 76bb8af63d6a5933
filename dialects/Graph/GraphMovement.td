//===- GraphMovement.td - constants, views and data movement -*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TENON_GRAPH_MOVEMENT
#define TENON_GRAPH_MOVEMENT

include "dialects/Graph/GraphDialect.td"

def Graph_ConstantOp : Graph_Op<"constant", [ConstantLike]> {
  let summary = "a tensor known at compile time";
  let arguments = (ins ElementsAttr:$value);
  let results = (outs Graph_Tensor:$result);
  let hasFolder = 1;
  let hasVerifier = 1;
  let assemblyFormat = "attr-dict custom<ConstantValue>($value, type($result))";
}

def Graph_IotaOp : Graph_Op<"iota"> {
  let summary = "start + step * index along one axis";
  let arguments = (ins I64Attr:$axis, F64Attr:$start, F64Attr:$step);
  let results = (outs Graph_NumberTensor:$result);
}

def Graph_SizesOp : Graph_Op<"sizes"> {
  let summary = "numbers that are computed from symbols";
  let description = [{
    The elements in row-major order, each a dimension as in `#graph.dims`; here one
    may also be negative. What shape arithmetic becomes where a model reads it as data.
  }];
  let arguments = (ins Graph_DimsAttr:$dims);
  let results = (outs Graph_IndexTensor:$result);
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Graph_ReshapeOp : Graph_Op<"reshape"> {
  let summary = "the same elements in row-major order under another shape";
  let arguments = (ins Graph_Tensor:$input);
  let results = (outs Graph_Tensor:$result);
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Graph_BroadcastOp : Graph_Op<"broadcast"> {
  let summary = "numpy broadcast to the result's shape";
  let arguments = (ins Graph_Tensor:$input);
  let results = (outs Graph_Tensor:$result);
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Graph_TransposeOp : Graph_InferredOp<"transpose"> {
  let summary = "result dimension i is input dimension permutation[i]";
  let arguments = (ins Graph_Tensor:$input, DenseI64ArrayAttr:$permutation);
  let results = (outs Graph_Tensor:$result);
  let hasFolder = 1;
}

def Graph_SliceOp : Graph_InferredOp<"slice"> {
  let summary = "result[i] = input[start + i * step], per dimension";
  let description = [{
    One start, size and step per dimension; steps may be negative, never zero. A
    start or size with symbols is `kDynamic` in the array and stands in `start_dims`
    or `size_dims`, which has one entry per dimension; without `size_dims` a size
    of `kDynamic` is that of the whole dimension.
  }];
  let arguments = (ins Graph_Tensor:$input, DenseI64ArrayAttr:$starts,
    DenseI64ArrayAttr:$sizes, DenseI64ArrayAttr:$steps,
    OptionalAttr<Graph_DimsAttr>:$start_dims, OptionalAttr<Graph_DimsAttr>:$size_dims);
  let results = (outs Graph_Tensor:$result);
  let builders = [
    OpBuilder<(ins "::mlir::Value":$input, "::llvm::ArrayRef<int64_t>":$starts,
        "::llvm::ArrayRef<int64_t>":$sizes, "::llvm::ArrayRef<int64_t>":$steps),
      [{ build($_builder, $_state, input, starts, sizes, steps, ::tenon::graph::DimsAttr(), ::tenon::graph::DimsAttr()); }]>,
    OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$input,
        "::llvm::ArrayRef<int64_t>":$starts, "::llvm::ArrayRef<int64_t>":$sizes,
        "::llvm::ArrayRef<int64_t>":$steps),
      [{ build($_builder, $_state, result, input, starts, sizes, steps, ::tenon::graph::DimsAttr(), ::tenon::graph::DimsAttr()); }]>];
  let extraClassDeclaration = [{
    /// Starts and sizes as dimensions; the size of a whole dimension is that.
    ::llvm::SmallVector<::mlir::Attribute> startDims();
    ::llvm::SmallVector<::mlir::Attribute> sizeDims();
  }];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Graph_ConcatOp : Graph_InferredOp<"concat"> {
  let summary = "operands one after the other along an axis";
  let arguments = (ins Variadic<Graph_Tensor>:$inputs, I64Attr:$axis);
  let results = (outs Graph_Tensor:$result);
  let hasFolder = 1;
}

def Graph_PadOp : Graph_InferredOp<"pad"> {
  let summary = "adds a border; negative widths crop";
  let description = [{
    `value` is a scalar operand (rank 0), used in constant mode. A width with symbols
    is `kDynamic` in the array and stands in `low_dims` or `high_dims`.
  }];
  let arguments = (ins Graph_Tensor:$input, Optional<Graph_Tensor>:$value,
    DenseI64ArrayAttr:$low, DenseI64ArrayAttr:$high,
    DefaultValuedAttr<Graph_PadModeAttr, "::tenon::graph::PadMode::Constant">:$mode,
    OptionalAttr<Graph_DimsAttr>:$low_dims, OptionalAttr<Graph_DimsAttr>:$high_dims);
  let results = (outs Graph_Tensor:$result);
  let builders = [
    OpBuilder<(ins "::mlir::Value":$input, "::mlir::Value":$value,
        "::llvm::ArrayRef<int64_t>":$low, "::llvm::ArrayRef<int64_t>":$high,
        CArg<"::tenon::graph::PadMode", "::tenon::graph::PadMode::Constant">:$mode),
      [{ build($_builder, $_state, input, value, low, high, mode, ::tenon::graph::DimsAttr(), ::tenon::graph::DimsAttr()); }]>,
    OpBuilder<(ins "::mlir::Type":$result, "::mlir::Value":$input, "::mlir::Value":$value,
        "::llvm::ArrayRef<int64_t>":$low, "::llvm::ArrayRef<int64_t>":$high,
        CArg<"::tenon::graph::PadMode", "::tenon::graph::PadMode::Constant">:$mode),
      [{ build($_builder, $_state, result, input, value, low, high, mode, ::tenon::graph::DimsAttr(), ::tenon::graph::DimsAttr()); }]>];
  let extraClassDeclaration = [{
    /// The widths as dimensions.
    ::llvm::SmallVector<::mlir::Attribute> lowDims();
    ::llvm::SmallVector<::mlir::Attribute> highDims();
  }];
  let hasFolder = 1;
}

def Graph_GatherOp : Graph_InferredOp<"gather"> {
  let summary = "result[o..., i..., r...] = input[o..., indices[i...], r...]";
  let description = [{Negative indices count from the end.}];
  let arguments = (ins Graph_Tensor:$input, Graph_IndexTensor:$indices, I64Attr:$axis);
  let results = (outs Graph_Tensor:$result);
}

def Graph_GatherElementsOp : Graph_InferredOp<"gather_elements"> {
  let summary = "result[i...] = input[i... with dimension axis replaced by indices[i...]]";
  let arguments = (ins Graph_Tensor:$input, Graph_IndexTensor:$indices, I64Attr:$axis);
  let results = (outs Graph_Tensor:$result);
}

def Graph_ScatterOp : Graph_ReducingOp<"scatter"> {
  let summary = "rows of a tensor replaced by, or combined with, updates";
  let description = [{
    `input` is [n, r...], `indices` [m], `updates` [m, r...]. The result is `input`
    after result[indices[i], r...] = kind(result[indices[i], r...], updates[i, r...])
    for i = 0, 1, ... in this order. Negative indices count from the end.
  }];
  let arguments = (ins Graph_Tensor:$input, Graph_IndexTensor:$indices, Graph_Tensor:$updates,
    DefaultValuedAttr<Graph_ScatterKindAttr, "::tenon::graph::ScatterKind::Replace">:$kind);
  let results = (outs Graph_Tensor:$result);
}

def Graph_BitcastOp : Graph_Op<"bitcast"> {
  let summary = "the same bits under an element type of the same width";
  let arguments = (ins Graph_Tensor:$input);
  let results = (outs Graph_Tensor:$result);
  let hasVerifier = 1;
}

def Graph_ResizeOp : Graph_Op<"resize"> {
  let summary = "interpolation to the result's shape";
  let description = [{
    `scales` holds one factor per dimension as ONNX gives or derives it (it enters
    the coordinate transformation and may differ from out / in); 0 stands for out / in
    where that is only known when the program runs. `roi` (starts, then
    ends) only with tf_crop_and_resize. `axes` of ONNX are already expanded.
  }];
  let arguments = (ins Graph_NumberTensor:$input, DenseF32ArrayAttr:$scales,
    Graph_ResizeModeAttr:$mode, Graph_CoordinateModeAttr:$coordinate_mode,
    Graph_NearestModeAttr:$nearest_mode,
    DefaultValuedAttr<F32Attr, "-0.75f">:$cubic_coeff_a,
    DefaultValuedAttr<BoolAttr, "false">:$exclude_outside,
    DefaultValuedAttr<F32Attr, "0.0f">:$extrapolation_value,
    DefaultValuedAttr<BoolAttr, "false">:$antialias,
    DefaultValuedAttr<DenseF32ArrayAttr, "{}">:$roi);
  let results = (outs Graph_NumberTensor:$result);
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// How often each dimension repeats its elements, where result[i] is
    /// input[i / repeats] everywhere; none otherwise, or if a shape is dynamic.
    ::llvm::SmallVector<int64_t> getRepeats();
  }];
}

#endif // TENON_GRAPH_MOVEMENT
