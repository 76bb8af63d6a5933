//===- GraphReduction.td - many elements in, one out -------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TENON_GRAPH_REDUCTION
#define TENON_GRAPH_REDUCTION

include "dialects/Graph/GraphDialect.td"

// `axes` are sorted, distinct and non-negative. Without keep_dims the reduced
// dimensions disappear.
class Graph_ReduceOp<string mnemonic, string kind, string text> : Graph_ReducingOp<mnemonic> {
  let summary = text;
  let arguments = (ins Graph_NumberTensor:$input, DenseI64ArrayAttr:$axes,
    DefaultValuedAttr<BoolAttr, "true">:$keep_dims);
  let results = (outs Graph_NumberTensor:$result);
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::inferReturnTypes(::mlir::MLIRContext *,
        ::std::optional<::mlir::Location> loc, ::mlir::ValueRange operands,
        ::mlir::DictionaryAttr attributes, ::mlir::OpaqueProperties properties,
        ::mlir::RegionRange regions, ::llvm::SmallVectorImpl<::mlir::Type> &results) {
      Adaptor op(operands, attributes, properties, regions);
      return ::tenon::graph::detail::inferReduce(loc, operands[0], op.getAxes(),
                                                 op.getKeepDims(), {}, results);
    }
    ::tenon::graph::IterationDomain $cppClass::getIterationDomain() {
      return ::tenon::graph::detail::reduceDomain(getInput(), getAxes());
    }
    ::llvm::SmallVector<::tenon::graph::Access> $cppClass::getAccesses() {
      return ::tenon::graph::detail::reduceAccesses(getInput(), getAxes(), getKeepDims());
    }
    ::std::optional<::tenon::graph::Reduction> $cppClass::getReduction() {
      return ::tenon::graph::detail::reduction(::tenon::graph::ReductionKind::}] # kind # [{, getInput());
    }
    ::tenon::graph::Cost $cppClass::getCost() {
      return ::tenon::graph::detail::domainCost(getOperation(), 1);
    }
  }];
}
def Graph_ReduceSumOp  : Graph_ReduceOp<"reduce_sum", "Sum", "sum">;
def Graph_ReduceMeanOp : Graph_ReduceOp<"reduce_mean", "Sum", "mean">;
def Graph_ReduceMaxOp  : Graph_ReduceOp<"reduce_max", "Max", "largest; NaN wins">;
def Graph_ReduceMinOp  : Graph_ReduceOp<"reduce_min", "Min", "smallest; NaN wins">;
def Graph_ReduceProdOp : Graph_ReduceOp<"reduce_prod", "Product", "product">;

class Graph_ArgOp<string mnemonic, string kind, string text> : Graph_ReducingOp<mnemonic> {
  let summary = text;
  let arguments = (ins Graph_NumberTensor:$input, I64Attr:$axis,
    DefaultValuedAttr<BoolAttr, "true">:$keep_dims,
    DefaultValuedAttr<BoolAttr, "false">:$select_last_index);
  let results = (outs RankedTensorOf<[I64]>:$result);
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::inferReturnTypes(::mlir::MLIRContext *context,
        ::std::optional<::mlir::Location> loc, ::mlir::ValueRange operands,
        ::mlir::DictionaryAttr attributes, ::mlir::OpaqueProperties properties,
        ::mlir::RegionRange regions, ::llvm::SmallVectorImpl<::mlir::Type> &results) {
      Adaptor op(operands, attributes, properties, regions);
      return ::tenon::graph::detail::inferReduce(
          loc, operands[0], static_cast<int64_t>(op.getAxis()), op.getKeepDims(),
          ::mlir::IntegerType::get(context, 64), results);
    }
    ::tenon::graph::IterationDomain $cppClass::getIterationDomain() {
      return ::tenon::graph::detail::reduceDomain(getInput(), static_cast<int64_t>(getAxis()));
    }
    ::llvm::SmallVector<::tenon::graph::Access> $cppClass::getAccesses() {
      return ::tenon::graph::detail::reduceAccesses(
          getInput(), static_cast<int64_t>(getAxis()), getKeepDims());
    }
    ::std::optional<::tenon::graph::Reduction> $cppClass::getReduction() {
      return ::tenon::graph::detail::reduction(::tenon::graph::ReductionKind::}] # kind # [{, getInput());
    }
    ::tenon::graph::Cost $cppClass::getCost() {
      return ::tenon::graph::detail::domainCost(getOperation(), 1);
    }
  }];
}
def Graph_ArgMaxOp : Graph_ArgOp<"arg_max", "ArgMax", "index of the largest element">;
def Graph_ArgMinOp : Graph_ArgOp<"arg_min", "ArgMin", "index of the smallest element">;

def Graph_TopKOp : Graph_InferredOp<"top_k"> {
  let summary = "the k largest (or smallest) elements along an axis, in order, and their indices";
  let description = [{
    Sorted from the best on; of equal elements the lower index comes first. NaN
    counts as larger than every number. `k` is at most the extent of the axis.
  }];
  let arguments = (ins Graph_NumberTensor:$input, I64Attr:$axis, I64Attr:$k,
    DefaultValuedAttr<BoolAttr, "true">:$largest);
  let results = (outs Graph_NumberTensor:$values, RankedTensorOf<[I64]>:$indices);
}

def Graph_PrefixOp : Graph_InferredOp<"prefix"> {
  let summary = "running sums, or products, along an axis";
  let description = [{
    Each element of the result is the sum of the input's up to that place, without
    the one at it if `exclusive`; from the end if `reverse`. With `product` they
    are multiplied. Sums of integers wrap.
  }];
  let arguments = (ins Graph_NumberTensor:$input, I64Attr:$axis,
    DefaultValuedAttr<BoolAttr, "false">:$product,
    DefaultValuedAttr<BoolAttr, "false">:$reverse,
    DefaultValuedAttr<BoolAttr, "false">:$exclusive);
  let results = (outs Graph_NumberTensor:$result);
}

def Graph_DetOp : Graph_InferredOp<"det"> {
  let summary = "determinants of the matrices in the last two dimensions";
  let arguments = (ins Graph_FloatTensor:$input);
  let results = (outs Graph_FloatTensor:$result);
}

def Graph_SoftmaxOp : Graph_CompositeOp<"softmax"> {
  let summary = "exp(x - max) / sum(exp(x - max)) along one axis";
  let arguments = (ins Graph_FloatTensor:$input, I64Attr:$axis);
  let results = (outs Graph_FloatTensor:$result);
}

def Graph_LayerNormOp : Graph_CompositeOp<"layer_norm"> {
  let summary = "(x - mean) / sqrt(variance + epsilon) * scale + bias";
  let description = [{Mean and biased variance over dimensions `axis` and up; `scale` and `bias` broadcast.}];
  let arguments = (ins Graph_FloatTensor:$input, Graph_FloatTensor:$scale,
    Optional<Graph_FloatTensor>:$bias, I64Attr:$axis, F32Attr:$epsilon);
  let results = (outs Graph_FloatTensor:$result);
}

#endif // TENON_GRAPH_REDUCTION
