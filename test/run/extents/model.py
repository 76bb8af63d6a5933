"""model.py - collect operators of one family in a file."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import itertools
import random

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper


class Model:
    """Collects operators, each with inputs and an output of its own."""

    def __init__(self, seed, half=False):
        self.element = TensorProto.FLOAT16 if half else TensorProto.FLOAT
        self.random = random.Random(seed)
        self.numbers = numpy.random.default_rng(seed)
        self.inputs, self.constants, self.nodes, self.outputs = [], [], [], []
        self.counter = itertools.count()

    def pick(self, *choices):
        return self.random.choice(choices)

    def count(self):
        """A number that names nothing yet."""
        return next(self.counter)

    def sample(self, choices, count):
        """Some of the choices, all of them where they are no more."""
        choices = list(choices)
        return self.random.sample(choices, min(count, len(choices)))

    def value(self, shape, constant=False):
        """An input or a constant, whose elements f16 has, too."""
        if constant:
            return self.constant(
                (self.numbers.integers(-1024, 1025, shape) / 1024)
                .astype(helper.tensor_dtype_to_np_dtype(self.element)))
        return self.input(shape, self.element)

    def input(self, shape, kind):
        name = f"x{len(self.inputs)}"
        self.inputs.append(helper.make_tensor_value_info(name, kind, shape))
        return name

    def constant(self, values):
        """A constant; integers without a type are indices."""
        name = f"w{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(
            numpy.asarray(values), name))
        return name

    def apply(self, operator, operands, **attributes):
        return self.results(operator, operands, 1, **attributes)[0]

    def results(self, operator, operands, count, **attributes):
        """The values of an operator that has several."""
        node = self.count()
        names = [f"y{node}"] + [f"y{node}.{i}" for i in range(1, count)]
        self.nodes.append(helper.make_node(operator, operands, names,
                                           name=names[0], **attributes))
        return names

    def output(self, name, kind=None):
        self.outputs.append(helper.make_tensor_value_info(
            name, kind or self.element, None))

    def add(self, operator, shape, *constants, then=(), **attributes):
        """One operator of an input and constants of the given shapes; a list
        instead of a tuple is the shape of another input. `then` are operators
        of its result and of an input of the given shape."""
        operands = [self.value(shape)] + [
            self.value(other, isinstance(other, tuple)) for other in constants]
        name = self.apply(operator, operands, **attributes)
        for follower, other, options in then:
            name = self.apply(follower, [name, self.value(other)], **options)
        self.output(name)

    def model(self, name):
        graph = helper.make_graph(self.nodes, name, self.inputs,
                                  self.outputs, self.constants)
        return helper.make_model(
            graph, ir_version=10,
            opset_imports=[helper.make_opsetid("", 21)])

    def write(self, path):
        onnx.save(self.model(path.stem), path)
