# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small models: what Tenon compiles as a whole, and what has an operator that
it lacks, which must stay with ONNX Runtime."""

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

CONTRIB, ML = "com.microsoft", "ai.onnx.ml"
OPSETS = [helper.make_opsetid("", 17), helper.make_opsetid(CONTRIB, 1),
          helper.make_opsetid(ML, 3)]
FLOAT, HALF, INT = TensorProto.FLOAT, TensorProto.FLOAT16, TensorProto.INT64


def weights(name, *shape, dtype="float32", scale=None):
    """Random numbers, the same for the same name."""
    values = numpy.random.default_rng(sum(name.encode())).standard_normal(shape)
    deviation = scale or 1 / numpy.sqrt(numpy.prod(shape[1:]) or 1)
    return numpy_helper.from_array((values * deviation).astype(dtype), name)


def constant(name, values, dtype="int64"):
    return numpy_helper.from_array(numpy.array(values, dtype), name)


def node(op, inputs, outputs, domain="", **attributes):
    return helper.make_node(op, inputs.split(), outputs.split(),
                            name=f"{op} {outputs}", domain=domain, **attributes)


def model(nodes, inputs, outputs, constants=()):
    """`inputs` and `outputs` are {name: (type, shape)}."""
    def infos(values):
        return [helper.make_tensor_value_info(name, kind, shape)
                for name, (kind, shape) in values.items()]
    graph = helper.make_graph(nodes, "net", infos(inputs), infos(outputs),
                              constants)
    return helper.make_model(graph, opset_imports=OPSETS, ir_version=8)


X = {"x": (FLOAT, ["n", 16])}
Y = {"y": (FLOAT, None)}


def perceptron():
    return model([node("Gemm", "x a b", "h"), node("Relu", "h", "r"),
                  node("MatMul", "r c", "y")], X, {"y": (FLOAT, ["n", 4])},
                 [weights("a", 16, 32), weights("b", 32), weights("c", 32, 4)])


def convolutions():
    return model(
        [node("Conv", "x w", "c", pads=[1, 1, 1, 1]),
         node("BatchNormalization", "c s b m v", "n", epsilon=1e-3),
         node("Relu", "n", "r"),
         node("MaxPool", "r", "p", kernel_shape=[2, 2], strides=[2, 2]),
         node("Conv", "p d", "q", group=8, auto_pad="SAME_UPPER"),
         node("GlobalAveragePool", "q", "g"), node("Flatten", "g", "f"),
         node("Gemm", "f k", "y", transB=1)],
        {"x": (FLOAT, ["n", 3, 12, 12])}, Y,
        [weights("w", 8, 3, 3, 3), weights("s", 8), weights("b", 8),
         weights("m", 8), constant("v", [1.5] * 8, "float32"),
         weights("d", 8, 1, 3, 3), weights("k", 5, 8)])


def recurrence():
    return model([node("LSTM", "x w r b", "s h", hidden_size=8),
                  node("Squeeze", "s one", "y")],
                 {"x": (FLOAT, ["t", 2, 6])}, Y,
                 [weights("w", 1, 32, 6), weights("r", 1, 32, 8),
                  weights("b", 1, 64), constant("one", [1])])


def attention():
    return model(
        [node("MatMul", "x q", "a"), node("MatMul", "x k", "b"),
         node("Transpose", "b", "t", perm=[0, 2, 1]), node("MatMul", "a t", "s"),
         node("Softmax", "s", "p", axis=-1), node("MatMul", "p x", "o"),
         node("Add", "o x", "u"), node("LayerNormalization", "u g", "y", axis=-1)],
        {"x": (FLOAT, ["n", "length", 16])}, Y,
        [weights("q", 16, 16), weights("k", 16, 16), weights("g", 16)])


def quantized():
    return model(
        [node("QuantizeLinear", "x e z", "i"),
         node("DequantizeLinear", "i e z", "j"),
         node("DequantizeLinear", "w f", "k", axis=0),
         node("Conv", "j k", "y", strides=[2, 2])],
        {"x": (FLOAT, [1, 3, 9, 9])}, Y,
        [constant("e", 0.05, "float32"), constant("z", 3, "int8"),
         constant("w", numpy.arange(-54, 54).reshape(4, 3, 3, 3), "int8"),
         constant("f", [0.01, 0.02, 0.03, 0.04], "float32")])


def integers():
    return model(
        [node("DynamicQuantizeLinear", "x", "i e z"),
         node("MatMulInteger", "i w z", "j"), node("Cast", "j", "k", to=FLOAT),
         node("Mul", "k e", "y")], X, Y,
        [constant("w", numpy.arange(-64, 64).reshape(16, 8), "int8")])


def halves():
    return model([node("Cast", "x", "h", to=HALF), node("MatMul", "h w", "y")],
                 X, {"y": (HALF, None)},
                 [weights("w", 16, 8, dtype="float16")])


def data_dependent():
    return model(
        [node("Greater", "x zero", "g"), node("NonZero", "g", "i"),
         node("Transpose", "i", "t"), node("GatherND", "x t", "k"),
         node("Exp", "k", "y")], X, Y, [constant("zero", 0, "float32")])


def shapes():
    return model(
        [node("Shape", "x", "s"), node("Gather", "s first", "n"),
         node("Concat", "n rest", "r", axis=0), node("Reshape", "x r", "h"),
         node("ReduceMean", "h", "m", axes=[2], keepdims=0),
         node("MatMul", "m w", "y")],
        X, Y, [constant("first", [0]), constant("rest", [4, 4]),
               weights("w", 4, 4)])


def filled():
    """Rows of ones beside the input, by an attribute that is a tensor."""
    one = numpy_helper.from_array(numpy.ones(1, "float32"))
    return model(
        [node("Shape", "x", "s"), node("ConstantOfShape", "s", "o", value=one),
         node("Concat", "x o", "c", axis=1), node("MatMul", "c w", "y")],
        X, Y, [weights("w", 32, 4)])


def selection():
    return model(
        [node("Cast", "x", "d", to=TensorProto.DOUBLE),
         node("CumSum", "d one", "c"), node("Greater", "c d", "g"),
         node("Where", "g c d", "y"), node("ArgMax", "x", "k", axis=1)],
        X, {"y": (TensorProto.DOUBLE, None), "k": (INT, None)},
        [constant("one", 1)])


def branches():
    """A branch, which stays with the session, between two products."""
    def branch(op, name):
        return helper.make_graph([node(op, "h", name)], op, [], [
            helper.make_tensor_value_info(name, FLOAT, ["n", 16])])
    return model(
        [node("MatMul", "x w", "h"), node("ReduceSum", "h", "s", keepdims=0),
         node("Greater", "s zero", "g"),
         node("If", "g", "b", then_branch=branch("Sigmoid", "t"),
              else_branch=branch("Neg", "e")), node("MatMul", "b w", "y")],
        X, {"y": (FLOAT, ["n", 16])},
        [weights("w", 16, 16), constant("zero", 0, "float32")])


def inverse():
    return model(
        [node("MatMul", "x w", "h"), node("MatMul", "t h", "s"),
         node("Add", "s i", "a"), node("Inverse", "a", "v", domain=CONTRIB),
         node("MatMul", "v w", "y")], {"x": (FLOAT, [16, 16])}, Y,
        [weights("w", 16, 16), weights("t", 16, 16),
         constant("i", 9 * numpy.eye(16), "float32")])


def distances():
    return model(
        [node("Gemm", "x a b", "h"), node("CDist", "h c", "d", domain=CONTRIB,
                                          metric="euclidean"),
         node("Neg", "d", "m"), node("Softmax", "m", "p"),
         node("MatMul", "p c", "y")], X, Y,
        [weights("a", 16, 8), weights("b", 8), weights("c", 5, 8, scale=1)])


def normalizer():
    return model(
        [node("MatMul", "x w", "h"), node("Normalizer", "h", "n", ML, norm="L2"),
         node("MatMul", "n v", "y")], X, Y,
        [weights("w", 16, 24), weights("v", 24, 6)])


def trees():
    """Regression trees beside a product of the same input."""
    tree = node("TreeEnsembleRegressor", "h", "r", ML, n_targets=1,
                nodes_treeids=[0, 0, 0], nodes_nodeids=[0, 1, 2],
                nodes_featureids=[1, 0, 0], nodes_values=[0.1, 0.0, 0.0],
                nodes_modes=["BRANCH_LEQ", "LEAF", "LEAF"],
                nodes_truenodeids=[1, 0, 0], nodes_falsenodeids=[2, 0, 0],
                target_treeids=[0, 0], target_nodeids=[1, 2],
                target_ids=[0, 0], target_weights=[1.5, -2.0])
    return model([node("MatMul", "x w", "h"), tree, node("Mul", "h r", "m"),
                  node("MatMul", "m v", "y")], X, Y,
                 [weights("w", 16, 16), weights("v", 16, 3)])


def strings():
    """Names decide which rows count."""
    return model(
        [node("LabelEncoder", "t", "e", ML, keys_strings=["in", "out"],
              values_floats=[1.0, -0.5], default_float=0.0),
         node("Unsqueeze", "e one", "u"), node("Mul", "x u", "m"),
         node("Gemm", "m w", "y")],
        {"x": (FLOAT, ["n", 16]), "t": (TensorProto.STRING, ["n"])}, Y,
        [constant("one", [1]), weights("w", 16, 4)])


def hashes():
    return model(
        [node("Cast", "x", "i", to=TensorProto.INT32),
         node("MurmurHash3", "i", "h", domain=CONTRIB, positive=0),
         node("Cast", "h", "f", to=FLOAT), node("Mul", "f tiny", "g"),
         node("Add", "g x", "a"), node("MatMul", "a w", "y")], X, Y,
        [constant("tiny", 2.0 ** -31, "float32"), weights("w", 16, 4)])


# What Tenon compiles as one node, and the operators that stay of the others.
WHOLE = [perceptron, convolutions, recurrence, attention, quantized, integers,
         halves, data_dependent, shapes, filled, selection]
PARTS = {branches: {"If", "Sigmoid", "Neg"}, inverse: {"Inverse"},
         distances: {"CDist"}, normalizer: {"Normalizer"},
         trees: {"TreeEnsembleRegressor"}, strings: {"LabelEncoder"},
         hashes: {"MurmurHash3"}}


def plant(path):
    """The model in a file, with an operator that Tenon lacks in its middle."""
    net = onnx.load(path)
    nodes = net.graph.node
    middle = len(nodes) // 2
    value = nodes[middle].output[0]
    for later in nodes[middle + 1:]:
        later.input[:] = [value + "'" if name == value else name
                          for name in later.input]
    nodes.insert(middle + 1, node("QuickGelu", value, value + "'", CONTRIB,
                                  alpha=1.5))
    net.opset_import.append(helper.make_opsetid(CONTRIB, 1))
    return net


def feeds(session, seed, size):
    """Random inputs; what is not fixed is of that size."""
    generator = numpy.random.default_rng(seed)

    def draw(value):
        shape = [extent if isinstance(extent, int) else size
                 for extent in value.shape]
        if value.type == "tensor(string)":
            return generator.choice(numpy.array(["in", "out", "none"], object),
                                    shape)
        if value.type == "tensor(int64)":
            return generator.integers(0, 50, shape)
        return generator.standard_normal(shape, numpy.float32)

    return {value.name: draw(value) for value in session.get_inputs()}
