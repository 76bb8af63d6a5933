//===- GraphWindow.td - pooling and its relatives ----------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TENON_GRAPH_WINDOW
#define TENON_GRAPH_WINDOW

include "dialects/Graph/GraphDialect.td"

// Windows over the spatial dimensions. The result's extent is explicit in its
// type, so ceil mode needs no attribute: a window may hang over the end.
class Graph_PoolOp<string mnemonic, string kind, string text>
    : Graph_Op<mnemonic, [], ["getReduction"]> {
  let summary = text;
  dag common = (ins Graph_NumberTensor:$input, DenseI64ArrayAttr:$kernel,
    DenseI64ArrayAttr:$strides, DenseI64ArrayAttr:$pads, DenseI64ArrayAttr:$dilations,
    DefaultValuedAttr<Graph_LayoutAttr, "::tenon::graph::Layout::NCHW">:$layout);
  let arguments = common;
  let results = (outs Graph_NumberTensor:$result);
  let hasVerifier = 1;
  let extraClassDefinition = [{
    ::llvm::LogicalResult $cppClass::verify() {
      return ::tenon::graph::detail::verifyPool(getOperation(), ::tenon::graph::detail::window(*this));
    }
    ::tenon::graph::IterationDomain $cppClass::getIterationDomain() {
      return ::tenon::graph::detail::windowDomain(getType(), getKernel());
    }
    ::llvm::SmallVector<::tenon::graph::Access> $cppClass::getAccesses() {
      return ::tenon::graph::detail::poolAccesses(getOperation(), ::tenon::graph::detail::window(*this),
                                                  getOutside());
    }
    ::std::optional<::tenon::graph::Reduction> $cppClass::getReduction() {
      return ::tenon::graph::detail::reduction(::tenon::graph::ReductionKind::}] # kind # [{, getInput());
    }
    ::tenon::graph::Cost $cppClass::getCost() {
      return ::tenon::graph::detail::domainCost(getOperation(), 1);
    }
  }];
}
def Graph_MaxPoolOp : Graph_PoolOp<"max_pool", "Max", "largest element in a window; padding never wins"> {
  let extraClassDeclaration = [{
    /// What padding is to a window.
    ::tenon::graph::Outside getOutside() { return ::tenon::graph::Outside::Nothing; }
  }];
}
def Graph_AvgPoolOp : Graph_PoolOp<"avg_pool", "Sum", "mean of a window"> {
  let description = [{
    Divides by the number of elements inside the input; with `count_include_pad`
    by those inside the padded input.
  }];
  let arguments = !con(common, (ins DefaultValuedAttr<BoolAttr, "false">:$count_include_pad));
  let extraClassDeclaration = [{
    /// What padding is to a window.
    ::tenon::graph::Outside getOutside() {
      return getCountIncludePad() ? ::tenon::graph::Outside::Zero : ::tenon::graph::Outside::Nothing;
    }
  }];
}

def Graph_LrnOp : Graph_CompositeOp<"lrn", [], ["getReduction"]> {
  let summary = "local response normalisation across channels";
  let description = [{
    `x / (bias + alpha / size * sum(x^2))^beta`, the sum over channels
    `c - floor((size-1)/2) .. c + ceil((size-1)/2)`.
  }];
  let arguments = (ins Graph_FloatTensor:$input, I64Attr:$size, F32Attr:$alpha, F32Attr:$beta,
    F32Attr:$bias,
    DefaultValuedAttr<Graph_LayoutAttr, "::tenon::graph::Layout::NCHW">:$layout);
  let results = (outs Graph_FloatTensor:$result);
}

#endif // TENON_GRAPH_WINDOW
