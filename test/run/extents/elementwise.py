"""elementwise.py - arithmetic with operands that repeat or are transposed"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import itertools

LENGTHS = (1, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 63, 65, 127, 129)
BINARY = ("Add", "Sub", "Mul", "Max", "Min")
UNARY = ("Exp", "Tanh", "Sigmoid", "Erf", "Relu", "Abs", "HardSwish", "Floor",
         "Softplus", "Gelu")


def repeated(model):
    """The second operand lacks one or several dimensions of the first."""
    for length in LENGTHS:
        shape = (model.pick(1, 2, 3), model.pick(2, 3, 5), length)
        for kept in itertools.product((False, True), repeat=3):
            other = [size if keep else 1 for size, keep in zip(shape, kept)]
            first = model.pick(0, 0, 1, 2) if not kept[0] else 0
            model.add(model.pick(*BINARY), shape,
                      model.pick(list, tuple)(other[first:]))


def outer(model):
    """Both operands repeat: columns and rows, middles and ends."""
    for length in LENGTHS:
        rows = model.pick(1, 4, 7, 16, 17)
        model.add(model.pick(*BINARY), (rows, 1), [1, length])
        model.add(model.pick(*BINARY), (2, 1, length), [rows, 1])
        model.add(model.pick(*BINARY), (1, rows, 1, length), [3, 1, 2, 1])


def chains(model):
    """Several operators of one value, of which some are transposed."""
    for length in LENGTHS:
        rows = model.pick(1, 4, 7, 8, 16, 17, 33)
        value = model.value((rows, length))
        across = model.apply("Transpose", [model.value((length, rows))],
                             perm=(1, 0))
        total = model.apply(model.pick(*BINARY), [value, across])
        total = model.apply(model.pick(*UNARY), [total])
        total = model.apply(model.pick(*BINARY), [
            total, model.value((length,), model.pick(True, False))])
        positive = model.apply("Greater", [total, value])
        model.output(model.apply("Where", [
            positive, total, model.value((rows, 1))]))


def broadcasts(model):
    repeated(model)
    outer(model)
    chains(model)
    for operator, length in itertools.product(UNARY, (1, 7, 17, 67)):
        model.add(operator, (length,))
