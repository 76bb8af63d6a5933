//===- GraphRecurrent.td - loops over time -----------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TENON_GRAPH_RECURRENT
#define TENON_GRAPH_RECURRENT

include "dialects/Graph/GraphDialect.td"

def Graph_RecurrentOp : Graph_CompositeOp<"recurrent", [AttrSizedOperandSegments], ["getReduction"]> {
  let summary = "a whole RNN, GRU or LSTM layer with the semantics of ONNX";
  let description = [{
    `input [T, B, I]`, `weights [D, G*H, I]`, `recurrence [D, G*H, H]`, `bias
    [D, 2*G*H]` (input then recurrent bias), `lengths [B]` (i32), `initial_h/c
    [D, B, H]`, `peephole [D, 3*H]`; D directions, G gates in ONNX's order (1, zrh,
    iofc). Results `[T, D, B, H]`, `[D, B, H]`, and for LSTM `[D, B, H]` (for the
    others the third equals the second). `activations`, `alpha`, `beta`: per
    direction as ONNX lists them, never empty. Decomposes to a matrix product over all
    time steps plus `graph.recurrence`.
  }];
  let arguments = (ins Graph_FloatTensor:$input, Graph_FloatTensor:$weights,
    Graph_FloatTensor:$recurrence, Optional<Graph_FloatTensor>:$bias,
    Optional<RankedTensorOf<[I32]>>:$lengths, Optional<Graph_FloatTensor>:$initial_h,
    Optional<Graph_FloatTensor>:$initial_c, Optional<Graph_FloatTensor>:$peephole,
    Graph_CellAttr:$cell, Graph_DirectionAttr:$direction, StrArrayAttr:$activations,
    DefaultValuedAttr<DenseF32ArrayAttr, "{}">:$alpha,
    DefaultValuedAttr<DenseF32ArrayAttr, "{}">:$beta,
    OptionalAttr<F32Attr>:$clip, DefaultValuedAttr<BoolAttr, "false">:$input_forget,
    DefaultValuedAttr<BoolAttr, "false">:$linear_before_reset);
  let results = (outs Graph_FloatTensor:$all, Graph_FloatTensor:$last_h, Graph_FloatTensor:$last_c);
}

def Graph_RecurrenceOp : Graph_ReducingOp<"recurrence", [AttrSizedOperandSegments]> {
  let summary = "the sequential part of a recurrent layer";
  let description = [{
    As `graph.recurrent`, with the input already projected: `gates [T, D, B, G*H]`
    holds `W x + Wb` (and the recurrent bias too, except where GRU with
    linear_before_reset needs it apart: then `bias [D, G*H]`). The recurrence matrix
    comes as `[D, H, G*H]`.
  }];
  let arguments = (ins Graph_FloatTensor:$gates, Graph_FloatTensor:$recurrence,
    Optional<Graph_FloatTensor>:$bias,
    Optional<RankedTensorOf<[I32]>>:$lengths, Optional<Graph_FloatTensor>:$initial_h,
    Optional<Graph_FloatTensor>:$initial_c, Optional<Graph_FloatTensor>:$peephole,
    Graph_CellAttr:$cell, Graph_DirectionAttr:$direction, StrArrayAttr:$activations,
    DefaultValuedAttr<DenseF32ArrayAttr, "{}">:$alpha,
    DefaultValuedAttr<DenseF32ArrayAttr, "{}">:$beta,
    OptionalAttr<F32Attr>:$clip, DefaultValuedAttr<BoolAttr, "false">:$input_forget,
    DefaultValuedAttr<BoolAttr, "false">:$linear_before_reset);
  let results = (outs Graph_FloatTensor:$all, Graph_FloatTensor:$last_h, Graph_FloatTensor:$last_c);
}

#endif // TENON_GRAPH_RECURRENT
