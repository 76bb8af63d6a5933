# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How PyTorch says each operator: a function of OPERATORS gets the text so far
and a node, and returns an expression (several for Split)."""

import math

import numpy
import onnx

OPERATORS = {}
TYPES = {onnx.TensorProto.INT32: "torch.int32",
         onnx.TensorProto.INT64: "torch.int64",
         onnx.TensorProto.BOOL: "torch.bool"}


class Unsupported(ValueError):
    def __init__(self, node, why):
        super().__init__(f"{node.op} node '{node.name}': {why}")


def operator(*names):
    def add(function):
        OPERATORS.update(dict.fromkeys(names, function))
        return function
    return add


def template(text):
    """Of operators whose operands are put into a text."""
    return lambda e, node: text.format(
        *(e.operand(name) for name in node.inputs))


OPERATORS |= {op: template(text) for op, text in {
    "Add": "{} + {}", "Sub": "{} - {}", "Mul": "{} * {}", "Div": "{} / {}",
    "Pow": "{} ** {}", "Equal": "{} == {}", "Sqrt": "{}.sqrt()",
    "Exp": "{}.exp()", "Erf": "{}.erf()", "Tanh": "{}.tanh()",
    "Sigmoid": "{}.sigmoid()", "Reciprocal": "{}.reciprocal()",
    "Relu": "F.relu({})", "Silu": "F.silu({})",
    "HardSwish": "F.hardswish({})", "MatMul": "{} @ {}",
    "GlobalAveragePool": "F.adaptive_avg_pool2d({}, 1)"}.items()}
OPERATORS |= dict.fromkeys(
    ("Reshape", "Flatten", "Squeeze", "Unsqueeze"),
    lambda e, node: f"{e.operand(node.inputs[0])}.reshape("
                    f"{e.shape(node.outputs[0])})")


#===-- Elementwise --------------------------------------------------------===#

@operator("Sum")
def add_all(e, node):
    return " + ".join(map(e.operand, node.inputs))


@operator("Max")
def maximum(e, node):
    names = sorted(node.inputs, key=lambda name: e.number(name) is not None)
    x, other = map(e.operand, names)
    return f"{x}.clamp(min={other})" if e.number(names[1]) is not None \
        else f"torch.maximum({x}, {other})"


@operator("Clip")
def clip(e, node):
    low, high = (e.number(name) for name in (*node.inputs[1:], "", "")[:2])
    x = e.operand(node.inputs[0])
    return f"F.relu6({x})" if (low, high) == (0, 6) \
        else f"{x}.clamp({low}, {high})"


@operator("HardSigmoid")
def hard_sigmoid(e, node):
    alpha = node.attributes.get("alpha", 0.2)
    beta = node.attributes.get("beta", 0.5)
    x = e.operand(node.inputs[0])
    if math.isclose(alpha, 1 / 6, rel_tol=1e-6) and beta == 0.5:
        return f"F.hardsigmoid({x})"
    return f"({x} * {alpha} + {beta}).clamp(0, 1)"


@operator("Gelu")
def gelu(e, node):
    return f"F.gelu({e.operand(node.inputs[0])}, " \
           f"approximate={node.attributes['approximate']!r})"


@operator("Cast")
def cast(e, node):
    to = node.attributes["to"]
    if to != onnx.TensorProto.FLOAT and to not in TYPES:
        raise Unsupported(node, f"no element type {to}")
    return f"{e.operand(node.inputs[0])}.to({TYPES.get(to) or e.real()})"


#===-- Products -----------------------------------------------------------===#

@operator("Linear")
def linear(e, node):
    return f"F.linear({', '.join(map(e.tensor, node.inputs))})"


@operator("Gemm")
def gemm(e, node):
    flags = [node.attributes.get(name, default) for name, default in
             (("alpha", 1.0), ("beta", 1.0), ("transA", 0))]
    if flags != [1.0, 1.0, 0]:
        raise Unsupported(node, "a factor or a transposed left operand")
    matrix = e.array(node, 1)
    if not node.attributes.get("transB"):
        matrix = matrix.T
    x, *bias = (e.tensor(name) for name in node.inputs[::2])
    return f"F.linear({', '.join([x, e.weight(matrix), *bias])})"


@operator("Attention")
def attention(e, node):
    q, k, v, *mask = map(e.tensor, node.inputs)
    more = f"attn_mask={mask[0]}, " if mask else ""
    if node.attributes.get("causal"):
        more = "is_causal=True, "
    return f"F.scaled_dot_product_attention({q}, {k}.transpose(-1, -2), " \
           f"{v}, {more}scale={node.attributes['scale']!r})"


@operator("Softmax")
def softmax(e, node):
    axis = node.attributes.get("axis", 1 if e.opset < 13 else -1)
    shape = e.shape(node.inputs[0])
    if e.opset < 13 and math.prod(shape[axis + 1:]) != 1 and axis >= 0:
        raise Unsupported(node, "several axes")
    return f"F.softmax({e.operand(node.inputs[0])}, {axis})"


@operator("LayerNormalization")
def layer_norm(e, node):
    x, gamma, beta = map(e.tensor, node.inputs)
    shape, axis = e.shape(node.inputs[0]), node.attributes.get("only_axis")
    if axis is not None:
        x = f"{x}.movedim({axis}, -1)"
        sizes, after = shape[axis:axis + 1], f".movedim(-1, {axis})"
    else:
        sizes, after = shape[node.attributes.get("axis", -1):], ""
    return f"F.layer_norm({x}, {sizes}, {gamma}, {beta}, " \
           f"{node.attributes.get('epsilon', 1e-5)!r}){after}"


@operator("BatchNormalization")
def batch_norm(e, node):
    x, gamma, beta, mean, variance = map(e.tensor, node.inputs)
    return f"F.batch_norm({x}, {mean}, {variance}, {gamma}, {beta}, " \
           f"eps={node.attributes.get('epsilon', 1e-5)!r})"


@operator("LSTM")
def lstm(e, node):
    """Gates are input, output, forget, cell in ONNX, and input, forget, cell,
    output here."""
    hidden = node.attributes["hidden_size"]
    given = [name for name in node.inputs[4:] if name]
    if node.attributes.get("direction", b"forward") != b"forward" or any(
            name in e.constants and e.constants[name].any() for name in
            given) or set(node.outputs[1:]) & e.used:
        raise Unsupported(node, "directions, first or last states")
    rows = numpy.arange(4 * hidden).reshape(4, hidden)[[0, 2, 3, 1]].ravel()
    w, r, b = (e.array(node, i)[0] for i in (1, 2, 3))
    b = b.reshape(2, -1)
    module = e.module(f"torch.nn.LSTM({w.shape[1]}, {hidden})", {
        "weight_ih_l0": w[rows], "weight_hh_l0": r[rows],
        "bias_ih_l0": b[0][rows], "bias_hh_l0": b[1][rows]})
    return f"{module}({e.operand(node.inputs[0])})[0].unsqueeze(1)"
