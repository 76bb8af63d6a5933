# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A model of the benchmark that takes several inputs at once.

Exporters write the batch into shapes: the first 1 of an input's, and the leading
sizes that Reshape and Expand have as constants, are multiplied. That nothing
else depended on it is not believed: `compare` holds the results against
those of a single run."""

import dataclasses
import pathlib

import numpy
import onnx
from onnx import numpy_helper

import models


# The batch is a factor of sizes in the middle: heads of all inputs.
WITHOUT_BATCH = ("vit_b_16",)


@dataclasses.dataclass(frozen=True)
class Batched:
    """`model` with `count` inputs in one; has its members that measure.py
    asks for."""
    model: models.Model
    count: int

    @property
    def name(self):
        return f"{self.model.name}-batch{self.count}"

    def path(self):
        return models.made_once(self.name, self.make, self.model.fixed_path())

    fixed_path = path

    @property
    def shapes(self):
        return ()

    def make(self, path):
        model = onnx.load(self.model.fixed_path())
        graph = model.graph
        constants = {t.name for t in graph.initializer}
        for value in graph.input:
            if value.name not in constants:
                widen_dims(value.type.tensor_type.shape.dim, self.count)
        for value in graph.output:
            value.type.tensor_type.ClearField("shape")
        del graph.value_info[:]
        widen_shapes(graph, self.count)
        partial = pathlib.Path(path).with_suffix(".partial")
        onnx.save(model, partial)
        partial.rename(path)

    def inputs(self):
        """Different ones: `first` of them is what the model alone gets."""
        return {name: numpy.concatenate(
            [numpy.roll(value, i * 7, axis=-1) for i in range(self.count)],
            axis=axis_of(value.shape)) for name, value in
            self.model.inputs().items()}

    def first_of(self, results, single):
        """Of {name: array}, the part that `single` should equal."""
        return {name: numpy.take(value, [0], axis=axis_of(single[name].shape))
                for name, value in results.items()}


def axis_of(shape):
    """The first dimension of size 1: time may come before the batch."""
    return list(shape).index(1)


def widen_dims(dims, count):
    sizes = [dim.dim_value for dim in dims]
    if 1 in sizes:
        dims[sizes.index(1)].dim_value = count


def constants_of(graph):
    """{name: tensor} of initialisers and Constant nodes."""
    found = {tensor.name: tensor for tensor in graph.initializer}
    for node in graph.node:
        if node.op_type == "Constant":
            found |= {node.output[0]: a.t for a in node.attribute
                      if a.name == "value"}
    return found


def widen_shapes(graph, count):
    """Constant shapes of what depends on inputs, each once; and constants that
    are concatenated to it, as a class token is."""
    known, done = constants_of(graph), set()
    for node in graph.node:
        shaped = node.op_type in ("Reshape", "Expand")
        given = node.input[1:] if shaped else node.input
        if (shaped and node.input[0] in known or
                node.op_type not in ("Reshape", "Expand", "Concat")):
            continue
        for name in given:
            if name in known and name not in done:
                done.add(name)
                values = numpy_helper.to_array(known[name])
                values = (widened if shaped else repeated)(values, count)
                known[name].CopyFrom(numpy_helper.from_array(
                    values, known[name].name))


def widened(shape, count):
    """Its leading 1; or its leading size, where it has rows of all inputs."""
    if shape.size and (shape[0] == 1 or (shape > 1).all()):
        shape = shape.copy()
        shape[0] *= count
    return shape


def repeated(values, count):
    if values.ndim > 1 and values.shape[0] == 1:
        return numpy.repeat(values, count, axis=0)
    return values
