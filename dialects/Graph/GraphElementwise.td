//===- GraphElementwise.td - one element in, one out -------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TENON_GRAPH_ELEMENTWISE
#define TENON_GRAPH_ELEMENTWISE

include "dialects/Graph/GraphDialect.td"

class Graph_UnaryOp<string mnemonic, TypeConstraint type, string text>
    : Graph_ElementwiseOp<mnemonic, "inferSameElement"> {
  let summary = text;
  let arguments = (ins type:$input);
  let results = (outs type:$result);
}

def Graph_AbsOp        : Graph_UnaryOp<"abs", Graph_NumberTensor, "|x|">;
def Graph_NegOp        : Graph_UnaryOp<"neg", Graph_NumberTensor, "-x">;
def Graph_SignOp       : Graph_UnaryOp<"sign", Graph_NumberTensor, "-1, 0 or 1">;
def Graph_ReluOp       : Graph_UnaryOp<"relu", Graph_NumberTensor, "max(x, 0)">;
def Graph_ExpOp        : Graph_UnaryOp<"exp", Graph_FloatTensor, "e^x">;
def Graph_LogOp        : Graph_UnaryOp<"log", Graph_FloatTensor, "natural logarithm">;
def Graph_SqrtOp       : Graph_UnaryOp<"sqrt", Graph_FloatTensor, "square root">;
def Graph_RsqrtOp      : Graph_UnaryOp<"rsqrt", Graph_FloatTensor, "1 / sqrt(x)">;
def Graph_ReciprocalOp : Graph_UnaryOp<"reciprocal", Graph_FloatTensor, "1 / x">;
def Graph_CeilOp       : Graph_UnaryOp<"ceil", Graph_FloatTensor, "smallest integer not below">;
def Graph_FloorOp      : Graph_UnaryOp<"floor", Graph_FloatTensor, "largest integer not above">;
def Graph_RoundOp      : Graph_UnaryOp<"round", Graph_FloatTensor, "nearest integer, ties to even">;
def Graph_SinOp        : Graph_UnaryOp<"sin", Graph_FloatTensor, "sine">;
def Graph_CosOp        : Graph_UnaryOp<"cos", Graph_FloatTensor, "cosine">;
def Graph_TanOp        : Graph_UnaryOp<"tan", Graph_FloatTensor, "tangent">;
def Graph_AsinOp       : Graph_UnaryOp<"asin", Graph_FloatTensor, "arc sine">;
def Graph_AcosOp       : Graph_UnaryOp<"acos", Graph_FloatTensor, "arc cosine">;
def Graph_AtanOp       : Graph_UnaryOp<"atan", Graph_FloatTensor, "arc tangent">;
def Graph_SinhOp       : Graph_UnaryOp<"sinh", Graph_FloatTensor, "hyperbolic sine">;
def Graph_CoshOp       : Graph_UnaryOp<"cosh", Graph_FloatTensor, "hyperbolic cosine">;
def Graph_AsinhOp      : Graph_UnaryOp<"asinh", Graph_FloatTensor, "inverse hyperbolic sine">;
def Graph_AcoshOp      : Graph_UnaryOp<"acosh", Graph_FloatTensor, "inverse hyperbolic cosine">;
def Graph_AtanhOp      : Graph_UnaryOp<"atanh", Graph_FloatTensor, "inverse hyperbolic tangent">;
def Graph_TanhOp       : Graph_UnaryOp<"tanh", Graph_FloatTensor, "hyperbolic tangent">;
def Graph_ErfOp        : Graph_UnaryOp<"erf", Graph_FloatTensor, "error function">;
def Graph_SigmoidOp    : Graph_UnaryOp<"sigmoid", Graph_FloatTensor, "1 / (1 + e^-x)">;
def Graph_NotOp        : Graph_UnaryOp<"not", Graph_LogicTensor, "logical not of i1, bitwise not of integers">;

class Graph_PredicateOp<string mnemonic, string text>
    : Graph_ElementwiseOp<mnemonic, "inferPredicate"> {
  let summary = text;
  let arguments = (ins Graph_FloatTensor:$input);
  let results = (outs Graph_BoolTensor:$result);
}
def Graph_IsNanOp : Graph_PredicateOp<"is_nan", "whether x is not a number">;
def Graph_IsInfOp : Graph_PredicateOp<"is_inf", "whether x is infinite, of the signs asked for"> {
  let arguments = (ins Graph_FloatTensor:$input,
    DefaultValuedAttr<BoolAttr, "true">:$detect_negative,
    DefaultValuedAttr<BoolAttr, "true">:$detect_positive);
}

// Operands broadcast to the result like numpy; element types are equal.
class Graph_BinaryOp<string mnemonic, TypeConstraint type, string text, list<Trait> traits = [],
                     string infer = "inferSameElement">
    : Graph_ElementwiseOp<mnemonic, infer, traits> {
  let summary = text;
  let arguments = (ins type:$lhs, type:$rhs);
  let results = (outs type:$result);
}
def Graph_AddOp : Graph_BinaryOp<"add", Graph_NumberTensor, "a + b; integers wrap", [Commutative]>;
def Graph_SubOp : Graph_BinaryOp<"sub", Graph_NumberTensor, "a - b; integers wrap">;
def Graph_MulOp : Graph_BinaryOp<"mul", Graph_NumberTensor, "a * b; integers wrap", [Commutative]>;
def Graph_DivOp : Graph_BinaryOp<"div", Graph_NumberTensor, "a / b; integers truncate, x / 0 is 0">;
def Graph_MaxOp : Graph_BinaryOp<"max", Graph_NumberTensor, "the larger; NaN wins", [Commutative]>;
def Graph_MinOp : Graph_BinaryOp<"min", Graph_NumberTensor, "the smaller; NaN wins", [Commutative]>;
def Graph_PowOp : Graph_BinaryOp<"pow", Graph_NumberTensor, "a to the power b", [], "inferFirstElement"> {
  let description = [{The exponent's element type may differ from the base's.}];
}
def Graph_ModOp : Graph_BinaryOp<"mod", Graph_NumberTensor, "remainder; sign of b, of a with fmod"> {
  let arguments = (ins Graph_NumberTensor:$lhs, Graph_NumberTensor:$rhs,
    DefaultValuedAttr<BoolAttr, "false">:$fmod);
}
def Graph_AndOp : Graph_BinaryOp<"and", Graph_LogicTensor, "logical or bitwise and", [Commutative]>;
def Graph_OrOp  : Graph_BinaryOp<"or", Graph_LogicTensor, "logical or bitwise or", [Commutative]>;
def Graph_XorOp : Graph_BinaryOp<"xor", Graph_LogicTensor, "logical or bitwise exclusive or", [Commutative]>;
def Graph_ShiftLeftOp  : Graph_BinaryOp<"shift_left", RankedTensorOf<[Graph_Int]>, "a << b">;
def Graph_ShiftRightOp : Graph_BinaryOp<"shift_right", RankedTensorOf<[Graph_Int]>, "a >> b, logical">;

class Graph_CompareOp<string mnemonic, TypeConstraint type, string text>
    : Graph_ElementwiseOp<mnemonic, "inferPredicate"> {
  let summary = text;
  let arguments = (ins type:$lhs, type:$rhs);
  let results = (outs Graph_BoolTensor:$result);
}
def Graph_EqualOp        : Graph_CompareOp<"equal", Graph_Tensor, "a == b">;
def Graph_LessOp         : Graph_CompareOp<"less", Graph_NumberTensor, "a < b">;
def Graph_LessEqualOp    : Graph_CompareOp<"less_equal", Graph_NumberTensor, "a <= b">;
def Graph_GreaterOp      : Graph_CompareOp<"greater", Graph_NumberTensor, "a > b">;
def Graph_GreaterEqualOp : Graph_CompareOp<"greater_equal", Graph_NumberTensor, "a >= b">;

def Graph_SelectOp : Graph_ElementwiseOp<"select", "inferSelect"> {
  let summary = "condition ? a : b, all three broadcast";
  let arguments = (ins Graph_BoolTensor:$condition, Graph_Tensor:$on_true, Graph_Tensor:$on_false);
  let results = (outs Graph_Tensor:$result);
}

def Graph_CastOp : Graph_Op<"cast", [ElementwiseTrait]> {
  let summary = "converts the element type";
  let description = [{
    Float to integer truncates (out of range saturates), to i1 is `x != 0`, to a
    narrower float rounds to nearest even. To floats of eight bits or fewer, what is
    out of range becomes the largest number where `saturate` holds, else an infinity
    or NaN; `round_mode` is heeded for powers of two (f8E8M0FNU) only. To integers of
    four bits or fewer the low bits stay, as for wider ones.
  }];
  let arguments = (ins Graph_Tensor:$input,
    DefaultValuedAttr<BoolAttr, "true">:$saturate,
    DefaultValuedAttr<Graph_RoundModeAttr, "::tenon::graph::RoundMode::Nearest">:$round_mode);
  let results = (outs Graph_Tensor:$result);
  let hasVerifier = 1;
}

#endif // TENON_GRAPH_ELEMENTWISE
