//===- GraphContraction.td - products and convolutions -----*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TENON_GRAPH_CONTRACTION
#define TENON_GRAPH_CONTRACTION

include "dialects/Graph/GraphDialect.td"

def Graph_MatmulOp : Graph_ReducingOp<"matmul"> {
  let summary = "batched matrix product";
  let description = [{
    `[..., M, K] x [..., K, N] -> [..., M, N]`, both of rank 2 or more, leading
    dimensions broadcast. `transpose_lhs`: the left operand is `[..., K, M]`;
    `transpose_rhs`: the right one `[..., N, K]`.
  }];
  let arguments = (ins Graph_NumberTensor:$lhs, Graph_NumberTensor:$rhs,
    UnitAttr:$transpose_lhs, UnitAttr:$transpose_rhs);
  let results = (outs Graph_NumberTensor:$result);
}

def Graph_ConvOp : Graph_ReducingOp<"conv"> {
  let summary = "convolution over one to three spatial dimensions";
  let description = [{
    Input `[N, C, spatial...]` (or `[N, spatial..., C]` with layout nhwc), filter
    always `[O, C / group, spatial...]`, result in the input's layout. `pads` holds
    all begins, then all ends; padding is zero.
  }];
  let arguments = (ins Graph_NumberTensor:$input, Graph_NumberTensor:$filter,
    DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$pads, DenseI64ArrayAttr:$dilations,
    DefaultValuedAttr<I64Attr, "1">:$group,
    DefaultValuedAttr<Graph_LayoutAttr, "::tenon::graph::Layout::NCHW">:$layout);
  let results = (outs Graph_NumberTensor:$result);
}

def Graph_ConvTransposeOp : Graph_ReducingOp<"conv_transpose"> {
  let summary = "transposed convolution";
  let description = [{
    Filter `[C, O / group, spatial...]`. Result extent
    `stride * (in - 1) + output_padding + (k - 1) * dilation + 1 - begin - end`.
  }];
  let arguments = (ins Graph_NumberTensor:$input, Graph_NumberTensor:$filter,
    DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$pads, DenseI64ArrayAttr:$dilations,
    DenseI64ArrayAttr:$output_padding, DefaultValuedAttr<I64Attr, "1">:$group,
    DefaultValuedAttr<Graph_LayoutAttr, "::tenon::graph::Layout::NCHW">:$layout);
  let results = (outs Graph_NumberTensor:$result);
  let extraClassDeclaration = [{
    /// Whether each result has one input pixel: the windows lie side by side and
    /// cover the result. Then this is a product whose columns are windows.
    bool hasSeparateWindows();
  }];
}

def Graph_PackOp : Graph_ReducingOp<"pack"> {
  let summary = "constant weights in the order a micro-kernel reads them";
  let description = [{
    Views the operand as a matrix `[K, N]`: the dimensions named in `n_dims` are N
    (in that order), those in `k_dims` are K (in that order). The result is
    `[ceil(N / panel), K, panel]`, zero padded in N, preceded by the dimensions in
    `batch_dims`. With `fold`, so many steps of K, neighbours in the last of
    `k_dims`, become one, and each column that many columns. With `groups`, N is that
    many equal parts (the gates of a recurrent cell), each padded to panels of its
    own. With `winograd = m` the first `window_rank` dimensions of K, one or two, are
    windows of r taps in each, which become the m + r - 1 points of F(m, r) in each.
    They must be the operand's last dimensions but for those of extent 1. With
    `window = r` they are cut into windows of r taps, padded with zeros; K counts
    points, then windows. With `element`, numbers are rounded to that type: f16 or
    bf16, of f32. With vector<3xbf16> each becomes three of bf16 that add up to it:
    a first dimension counts these planes, and sixteen steps of K lie in the order
    in which matrix units of GPUs take them (`tile::fragmentStep`).
    Folded when the artifact's weight section is written.
  }];
  let arguments = (ins Graph_Tensor:$input, DenseI64ArrayAttr:$batch_dims,
    DenseI64ArrayAttr:$k_dims, DenseI64ArrayAttr:$n_dims, I64Attr:$panel,
    DefaultValuedAttr<I64Attr, "1">:$groups, DefaultValuedAttr<I64Attr, "1">:$fold,
    DefaultValuedAttr<I64Attr, "0">:$winograd,
    DefaultValuedAttr<I64Attr, "2">:$window_rank,
    DefaultValuedAttr<I64Attr, "0">:$window, OptionalAttr<TypeAttr>:$element);
  let results = (outs Graph_Tensor:$result);
}

#endif // TENON_GRAPH_CONTRACTION
