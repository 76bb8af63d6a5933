"""rows.py - reductions along one or several dimensions"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import itertools

import numpy
from onnx import TensorProto

REDUCTIONS = ("ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceL1",
              "ReduceL2", "ReduceSumSquare", "ReduceLogSumExp", "ReduceProd")
EXTENTS = (1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33)


def rows(model):
    """Reductions along rows, several rows at a time."""
    for count, length in itertools.product(
            (1, 3, 4, 6, 9), (1, 5, 15, 16, 17, 33, 64, 77, 2050)):
        model.add("Softmax", (count, length))
        model.add("LayerNormalization", (count, length), (length,), (length,))


def normalise(model, shape, axes, *before, kind=TensorProto.FLOAT):
    value = model.input(shape, kind)
    for operator in before:
        value = model.apply(operator, [value])
    model.output(model.apply("MeanVarianceNormalization", [value], axes=axes),
                 kind)


def integer_variance(model, shape):
    value = model.input(shape, TensorProto.INT32)
    axes = model.constant(numpy.array([1]))
    difference = model.apply("Sub", [
        value, model.apply("ReduceMean", [value, axes])])
    square = model.apply("Mul", [difference, difference])
    model.output(model.apply("ReduceMean", [square, axes]), TensorProto.INT32)


def normalisations(model):
    """Means and variances of rows, columns and both, also of elements that a
    kernel computes and keeps."""
    for count, length in itertools.product(
            (1, 4, 7, 8, 13, 40), (1, 2, 3, 7, 15, 16, 17, 33, 96, 771)):
        before = model.pick((), ("Abs",), ("Tanh",))
        normalise(model, (count, length), (1,), *before)
        normalise(model, (length, count), (0,), *before)
    for axes in ((0, 1), (1, 2), (0, 2), (1,), (0, 1, 2)):
        for size in ((2, 5, 17), (4, 9, 8), (3, 16, 33)):
            normalise(model, size, axes)
            normalise(model, size, axes, kind=TensorProto.FLOAT16)
    integer_variance(model, (9, 33))


def reduce(model, operator, shape, axes, **options):
    model.output(model.apply(
        operator, [model.value(shape), model.constant(numpy.array(axes))],
        keepdims=model.pick(0, 1), **options))


def reductions(model):
    """All sets of axes; long rows and columns."""
    operators = itertools.cycle(REDUCTIONS)
    for rank in (1, 2, 3, 4):
        for count in range(1, rank + 1):
            for axes in itertools.combinations(range(rank), count):
                for _ in range(3):
                    shape = [model.pick(*EXTENTS[:11 if rank > 3 else None])
                             for _ in range(rank)]
                    reduce(model, next(operators), shape, axes)
    for operator, length in itertools.product(
            REDUCTIONS[:-1], (63, 65, 129, 1030)):
        reduce(model, operator, (model.pick(1, 3, 5), length), (1,))
        reduce(model, operator, (length, model.pick(1, 5, 16, 33)), (0,))
    # Global ones of maps.
    for channels, size in ((17, 7), (33, 8), (64, 3), (3, 15)):
        model.add("GlobalAveragePool", (2, channels, size, size + 1))
        model.add("GlobalMaxPool", (1, channels, size, size + 1))


def places(model):
    """Where the largest and smallest elements are; many are equal."""
    for rank, extra in itertools.product((1, 2, 3), (1, 4, 16, 17, 33, 65)):
        for axis in range(rank):
            shape = [model.pick(*EXTENTS) for _ in range(rank)]
            shape[axis] = extra
            value = model.value(shape)
            if model.pick(True, False):
                value = model.apply("Round", [value])
            model.output(model.apply(
                model.pick("ArgMax", "ArgMin"), [value], axis=axis,
                keepdims=model.pick(0, 1), select_last_index=model.pick(0, 1)),
                TensorProto.INT64)


def normalised(model, shape, kind):
    """The sum of two inputs as a layer norm of its last dimension takes it; the
    sum is a result, too."""
    total = model.apply("Add", [model.input(shape, kind)
                                for _ in range(2)])
    model.output(total, kind)
    ones = model.apply("Cast", [model.value(shape[-1:])], to=kind)
    model.output(model.apply("LayerNormalization", [total, ones, ones]), kind)


def teams(model):
    """Rows and columns around what threads, warps and blocks of a GPU keep."""
    for length in (31, 32, 33, 64, 96, 124, 128, 132, 1020, 1024, 1028, 2047,
                   4096, 4100):
        count = model.pick(1, 3, 4, 5, 9)
        model.add("Softmax", (count, length))
        normalised(model, (count, length), TensorProto.FLOAT)
        reduce(model, model.pick(*REDUCTIONS[:-1]), (count, length), (1,))
    for length in (40, 256, 264, 1031, 2056):
        value = model.input((5, length), TensorProto.FLOAT16)
        model.output(model.apply("Softmax", [value]), TensorProto.FLOAT16)
        normalised(model, (3, length), TensorProto.FLOAT16)
        whole = model.input((3, length), TensorProto.INT64)
        model.output(model.apply(model.pick("ReduceSum", "ReduceMax"), [
            whole, model.constant(numpy.array([1]))]), TensorProto.INT64)
    # Longer than all registers; columns, and what lies between.
    for length in (33000, 40004):
        model.add("Softmax", (1, length))
        reduce(model, "ReduceMean", (2, length), (1,))
    for length, columns in ((7, 36), (33, 32), (49, 132), (130, 20), (1025, 9)):
        model.add("Softmax", (2, length, columns), axis=1)
        reduce(model, model.pick(*REDUCTIONS[:-1]), (3, length, columns), (1,))
        reduce(model, model.pick(*REDUCTIONS[:-1]), (length, 3, columns),
               (0, 2))
