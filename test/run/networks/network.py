"""network.py - random operators one behind the other."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import math

import numpy
from onnx import TensorProto, helper

from extents.model import Model

# Of a value, and of the products of an operator: the interpreter is slow.
MOST_ELEMENTS, MOST_PRODUCTS = 60_000, 2_000_000


class Network(Model):
    """Operators are functions of a network, a value and its shape. They return
    a value and a shape, or None where they do not fit."""

    def __init__(self, seed):
        super().__init__(seed)
        self.values = []
        #: The type of all values, and among how many an operator chooses.
        self.kind, self.reach = TensorProto.FLOAT, 3

    def is_float(self):
        return self.kind == TensorProto.FLOAT

    def start(self, shape):
        name = self.value(shape) if self.is_float() else \
            self.input(shape, self.kind)
        self.values = [(name, list(shape))]

    def chance(self, part):
        return self.random.random() < part

    def between(self, low, high):
        return self.random.randint(low, high)

    def weights(self, shape, terms=1):
        """Constants for sums of so many terms."""
        if not self.is_float():
            return self.constant(self.numbers.integers(-2, 3, shape).astype(
                helper.tensor_dtype_to_np_dtype(self.kind)))
        values = self.numbers.standard_normal(shape) / math.sqrt(terms)
        return self.constant(values.astype(numpy.float32))

    def scalar(self, number):
        return self.constant(numpy.float32(number))

    def scalar_integer(self, number):
        return self.constant(numpy.int64(number))

    def integers(self, *numbers):
        return self.constant(numpy.array(numbers, dtype=numpy.int64))

    def like(self, shape):
        """One of the values of that shape."""
        return self.pick(*(name for name, own in self.values if own == shape))

    def grow(self, operators, count):
        """As many operators of recent values as fit among `count`."""
        for _ in range(count):
            name, shape = self.pick(*self.values[-self.reach:])
            grown = self.pick(*operators)(self, name, shape)
            if grown and math.prod(grown[1]) <= MOST_ELEMENTS:
                self.values.append((grown[0], [int(n) for n in grown[1]]))

    def finish(self):
        """What nothing reads is an output, and now and then another value."""
        read = {name for node in self.nodes for name in node.input}
        made = [name for name, _ in self.values[1:]]
        chosen = [name for name in made if name not in read]
        if made and self.chance(0.2):
            chosen.append(self.pick(*made))
        for name in dict.fromkeys(chosen):
            self.output(name, self.kind)
        return bool(chosen)
