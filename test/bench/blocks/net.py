# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A short way to write an ONNX graph."""

import zlib

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

TYPES = {"float32": TensorProto.FLOAT, "int64": TensorProto.INT64}


class Net:
    """Values are names; weights come from a generator seeded by the net's."""

    def __init__(self, name):
        self.name, self.nodes, self.constants = name, [], []
        self.inputs, self.outputs, self.count = [], [], 0
        self.random = numpy.random.default_rng(zlib.crc32(name.encode()))

    def fresh(self, stem):
        self.count += 1
        return f"{stem}_{self.count}"

    def input(self, *dims, dtype="float32"):
        name = f"input_{len(self.inputs)}"
        self.inputs.append(
            helper.make_tensor_value_info(name, TYPES[dtype], dims))
        return name

    def const(self, value, dtype="float32"):
        name = self.fresh("constant")
        self.constants.append(
            numpy_helper.from_array(numpy.asarray(value, dtype), name))
        return name

    def weight(self, *dims, fan):
        values = self.random.standard_normal(dims, numpy.float32)
        return self.const(values / numpy.sqrt(numpy.float32(fan)))

    def op(self, kind, *inputs, outputs=1, **attributes):
        names = [self.fresh(kind.lower()) for _ in range(outputs)]
        self.nodes.append(
            helper.make_node(kind, inputs, names, **attributes))
        return names[0] if outputs == 1 else names

    def reshape(self, x, *dims):
        return self.op("Reshape", x, self.const(dims, "int64"))

    def split(self, x, axis, *sizes):
        return self.op("Split", x, self.const(sizes, "int64"), axis=axis,
                       outputs=len(sizes))

    def slice(self, x, axis, begin, end):
        bounds = [self.const([v], "int64") for v in (begin, end, axis)]
        return self.op("Slice", x, *bounds)

    def linear(self, x, fan_in, fan_out, bias=True):
        y = self.op("MatMul", x, self.weight(fan_in, fan_out, fan=fan_in))
        return self.op("Add", y, self.weight(fan_out, fan=1)) if bias else y

    def conv(self, x, fan_in, fan_out, kernel, rank=2, **attributes):
        """A convolution that keeps the extents, but for its stride."""
        dilations = attributes.get("dilations", [1] * rank)
        pads = [d * (kernel - 1) // 2 for d in dilations]
        group = attributes.get("group", 1)
        weight = self.weight(fan_out, fan_in // group, *[kernel] * rank,
                             fan=fan_in // group * kernel**rank)
        return self.op("Conv", x, weight, self.weight(fan_out, fan=4),
                       pads=pads + pads, **attributes)

    def silu(self, x):
        return self.op("Mul", x, self.op("Sigmoid", x))

    def gelu(self, x):
        erf = self.op("Erf", self.op("Div", x, self.const(2**0.5)))
        y = self.op("Mul", x, self.op("Add", erf, self.const(1.0)))
        return self.op("Mul", y, self.const(0.5))

    def layer_norm(self, x, size):
        return self.op("LayerNormalization", x, self.weight(size, fan=1),
                       self.weight(size, fan=4), axis=-1)

    def upsample(self, x, factor):
        scales = self.const([1, 1, factor, factor])
        return self.op("Resize", x, "", scales, mode="nearest",
                       coordinate_transformation_mode="asymmetric",
                       nearest_mode="floor")

    def heads(self, x, batch, tokens, count, size, transposed=False):
        """[batch, tokens, count*size] as [batch, count, tokens, size]."""
        y = self.reshape(x, batch, tokens, count, size)
        return self.op("Transpose", y,
                       perm=[0, 2, 3, 1] if transposed else [0, 2, 1, 3])

    def attend(self, q, k, v, size, mask=None):
        """softmax(q k * size^-1/2 + mask) v; k is transposed already."""
        scores = self.op("Mul", self.op("MatMul", q, k),
                         self.const(size**-0.5))
        if mask:
            scores = self.op("Add", scores, mask)
        return self.op("MatMul", self.op("Softmax", scores, axis=-1), v)

    def attention(self, x, context, batch, tokens, keys, width, count):
        """Multi-head attention with its four products."""
        size = width // count
        fan = width if context == x else 768
        q = self.heads(self.linear(x, width, width, False), batch, tokens,
                       count, size)
        k = self.heads(self.linear(context, fan, width, False), batch, keys,
                       count, size, transposed=True)
        v = self.heads(self.linear(context, fan, width, False), batch, keys,
                       count, size)
        y = self.op("Transpose", self.attend(q, k, v, size),
                    perm=[0, 2, 1, 3])
        return self.linear(self.reshape(y, batch, tokens, width), width, width)

    def model(self, *results):
        outputs = [helper.make_empty_tensor_value_info(r) for r in results]
        graph = helper.make_graph(self.nodes, self.name, self.inputs, outputs,
                                  self.constants)
        model = helper.make_model(
            graph, opset_imports=[helper.make_opsetid("", 17)])
        model.ir_version = 10
        return onnx.shape_inference.infer_shapes(model)
