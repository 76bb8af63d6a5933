# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operators that exporters took apart, put together again: users of PyTorch have
layer_norm, gelu or scaled_dot_product_attention, not their pieces."""

import numpy

from .fold import fold_channels
from .graph import Node
from .match import Array, Matcher, Scalar


def scaled_sum(tree, number):
    return ("Mul", ("ReduceSum", tree, Array(f"axes{number}")), Scalar("part"))


def reshaped(tree):
    return ("Reshape", tree, Array("kept"))


CENTRED = ("Sub", "x", ("ReduceMean", "x", {"axes": [-1]}))
DEVIATION = ("Sqrt", ("Add", ("ReduceMean", ("Pow", CENTRED, 2.0),
                              {"axes": [-1]}), Scalar("epsilon")))
NORMALISED = ("Add", ("Mul", ("Div", CENTRED, DEVIATION), Array("gamma")),
              Array("beta"))

# The variance as the mean of squares less the mean's square.
MEAN = scaled_sum("x", 1)
VARIANCE = ("Max", ("Sub", scaled_sum(("Mul", "x", "x"), 2),
                    ("Mul", MEAN, MEAN)), 0.0)
MOMENTS = ("Add", (
    "Mul", ("Sub", "x", reshaped(MEAN)),
    ("Mul", ("Reciprocal", ("Sqrt", ("Add", reshaped(VARIANCE),
                                     Scalar("epsilon")))), Array("gamma"))),
    Array("beta"))

EXPONENTIALS = ("Exp", ("Sub", "x", "largest"))
SOFTMAX = ("Div", EXPONENTIALS,
           reshaped(("ReduceSum", EXPONENTIALS, Array("axes"))))

ERF = ("Add", ("Erf", ("Div", "x", 1.41421356)), 1.0)


def tanh(cube):
    return ("Add", ("Tanh", ("Mul", ("Add", "x", cube), 0.7978845608)), 1.0)


TANH = tanh(("Mul", ("Pow", "x", 3.0), 0.044715))
TANH_OF_PRODUCTS = tanh(("Mul", "x", ("Mul", "x", ("Mul", "x", 0.044715))))


def node_of(op, names, **attributes):
    """A builder of such a node with these bindings as operands."""
    def build(_matcher, node, bound):
        return Node(op, [bound[name] for name in names], node.outputs,
                    attributes, node.name)
    return build


def layer_norm(matcher, node, bound):
    size = matcher.graph.shape(bound["x"])[-1:]
    if any(matcher.graph.constants[bound[name]].shape != size
           for name in ("gamma", "beta")):
        return None
    return Node("LayerNormalization", [bound["x"], bound["gamma"],
                bound["beta"]], node.outputs,
                {"axis": -1, "epsilon": bound["epsilon"]}, node.name)


def flat(graph, name):
    """A bound constant as a vector by a new name."""
    return graph.constant(graph.constants[name].reshape(-1))


def norm_of_moments(matcher, node, bound):
    graph = matcher.graph
    shape = graph.shape(bound["x"])
    axes = {tuple(graph.constants[bound[f"axes{i}"]].reshape(-1))
            for i in (1, 2)}
    axis = axes.pop()[0]
    if axes or abs(bound["part"] * shape[axis] - 1) > 1e-6 or any(
            graph.constants[bound[name]].size != shape[axis]
            for name in ("gamma", "beta")):
        return None
    return Node("LayerNormalization",
                [bound["x"], flat(graph, bound["gamma"]),
                 flat(graph, bound["beta"])], node.outputs,
                {"only_axis": int(axis), "epsilon": bound["epsilon"]},
                node.name)


def softmax(matcher, node, bound):
    axes = matcher.graph.constants[bound["axes"]].reshape(-1)
    if axes.size != 1 or \
            matcher.graph.shape(bound["largest"])[axes[0]] != 1:
        return None
    return Node("Softmax", [bound["x"]], node.outputs,
                {"axis": int(axes[0])}, node.name)


def embedding(matcher, node, bound):
    """From the product of unit rows with a table."""
    graph = matcher.graph
    table = graph.constants[bound["table"]]
    numbers = graph.constants[bound["numbers"]].reshape(-1)
    if table.ndim != 2 or \
            not numpy.array_equal(numbers, numpy.arange(len(table))) or \
            graph.shape(bound["x"]) != graph.shape(node.outputs[0])[:-1]:
        return None
    return Node("Gather", [bound["table"], bound["x"]], node.outputs,
                {"axis": 0}, node.name)


def linear(matcher, node, bound):
    constants = matcher.graph.constants
    matrix = constants[bound["matrix"]]
    if matrix.ndim != 2:
        return None
    names = [bound["x"], matcher.graph.constant(matrix.T)]
    if "bias" in bound:
        bias = constants[bound["bias"]]
        if bias.size != bias.shape[-1] or bias.size != matrix.shape[1]:
            return None
        names.append(flat(matcher.graph, bound["bias"]))
    return Node("Linear", names, node.outputs, {}, node.name)


def unscaled(matcher, value):
    """(a value, what it is scaled by)."""
    for op, power in (("Mul", 1), ("Div", -1)):
        bound = matcher.match((op, "x", Scalar("scale")), value, {})
        if bound:
            return bound["x"], bound["scale"] ** power
    return value, 1.0


def is_causal(mask):
    rows, columns = mask.shape[-2:]
    seen = numpy.tril(numpy.ones((rows, columns), bool))
    return rows == columns and mask.size == rows * columns and \
        not mask[..., seen].any() and (mask[..., ~seen] <= -1e4).all()


def attention(matcher, node, bound):
    graph, scores, options = matcher.graph, bound["scores"], {}
    rank = len(graph.shape(scores))
    axis = matcher.producers[node.inputs[0]].attributes.get("axis", -1)
    masked = matcher.match(("Add", "x", Array("mask")), scores, {})
    if masked:
        scores = masked["x"]
    scores, scale = unscaled(matcher, scores)
    product = matcher.match(("MatMul", "q", "k"), scores, {})
    if not product or rank < 3 or axis not in (-1, rank - 1):
        return None
    (q, of_q), (k, of_k) = (unscaled(matcher, product[x]) for x in "qk")
    names = [q, k, bound["v"]]
    if masked and is_causal(graph.constants[masked["mask"]]):
        options["causal"] = True
    elif masked:
        names.append(masked["mask"])
    return Node("Attention", names, node.outputs,
                {"scale": scale * of_q * of_k, **options}, node.name)


def same(matcher, node, bound):
    shape = matcher.graph.shape
    if shape(bound["x"]) != shape(node.outputs[0]):
        return None
    return Node("Identity", [bound["x"]], node.outputs, {}, node.name)


NOTHING = [
    (("Mul", "x", 1.0), same),
    (("Expand", "x", Array("sizes")), same),
    (("Reshape", "x", Array("sizes")), same),
    (("Slice", "x", Array("from"), Array("to"), Array("axes"),
      Array("steps")), same),
    (("Slice", "x", Array("from"), Array("to"), Array("axes")), same),
]
PIECES = [
    (("MatMul", ("Cast", ("Equal", reshaped("x"), Array("numbers"))),
      Array("table")), embedding),
    (NORMALISED, layer_norm),
    (MOMENTS, norm_of_moments),
    (SOFTMAX, softmax),
    (("Mul", ("Mul", "x", ERF), 0.5),
     node_of("Gelu", "x", approximate="none")),
    (("Mul", "x", ("Mul", ERF, 0.5)),
     node_of("Gelu", "x", approximate="none")),
    (("Mul", ("Mul", "x", 0.5), ERF),
     node_of("Gelu", "x", approximate="none")),
    (("Mul", ("Mul", "x", 0.5), TANH),
     node_of("Gelu", "x", approximate="tanh")),
    (("Mul", "x", ("Mul", TANH_OF_PRODUCTS, 0.5)),
     node_of("Gelu", "x", approximate="tanh")),
    (("Mul", "x", ("Sigmoid", "x")), node_of("Silu", "x")),
    (("Div", ("Mul", "x", ("Clip", ("Add", "x", 3.0), 0.0, 6.0)), 6.0),
     node_of("HardSwish", "x")),
    (("Add", ("MatMul", "x", Array("matrix")), Array("bias")), linear),
    (("MatMul", "x", Array("matrix")), linear),
    (("MatMul", ("Softmax", "scores"), "v"), attention),
]


def rewrite(graph, tree, build):
    """Replaces each node that the tree matches by what `build` makes of it."""
    matcher, nodes = Matcher(graph), []
    renamed = {}
    for node in graph.nodes:
        node.inputs = [renamed.get(name, name) for name in node.inputs]
        bound = matcher.match(tree, node.outputs[0], {}) \
            if node.op == tree[0] else None
        made = bound and build(matcher, node, bound)
        if made and made.op == "Identity":
            renamed[made.outputs[0]] = made.inputs[0]
            continue
        nodes.append(made or node)
    graph.nodes = nodes
    graph.outputs = [renamed.get(name, name) for name in graph.outputs]
    graph.drop_unused()


def recompose(graph):
    for tree, build in NOTHING:
        rewrite(graph, tree, build)
    fold_channels(graph)
    for tree, build in PIECES:
        rewrite(graph, tree, build)
