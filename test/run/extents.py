#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Write models whose extents lie around every tile boundary.

Each file holds many operators of one family, each with inputs and an output of
its own. Vectors have 4, 8 or 16 lanes and register tiles up to 28 rows by 8
vectors; so extents are one less, equal and one more than multiples of these,
combined with strides, dilations, groups and paddings by a fixed sequence of
random numbers."""

import argparse
import itertools
import pathlib
import random

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

ROWS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 14, 15, 27, 28, 29, 57)
COLUMNS = (1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17, 23, 24, 25, 31, 32, 33, 40,
           47, 48, 49, 56, 63, 64, 65, 72, 84, 96, 97, 120, 128, 129, 168)
DEPTHS = (1, 2, 3, 4, 5, 7, 8, 9, 16, 33)
CHANNELS = (1, 2, 3, 4, 8, 15, 16, 17, 24, 33, 48, 50)


class Model:
    """Collects operators, none of which uses another's result."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.numbers = numpy.random.default_rng(seed)
        self.inputs, self.constants, self.nodes, self.outputs = [], [], [], []

    def pick(self, *choices):
        return self.random.choice(choices)

    def value(self, shape, constant):
        if not constant:
            name = f"x{len(self.inputs)}"
            self.inputs.append(helper.make_tensor_value_info(
                name, TensorProto.FLOAT, shape))
            return name
        name = f"w{len(self.constants)}"
        array = self.numbers.uniform(-1, 1, shape).astype(numpy.float32)
        self.constants.append(numpy_helper.from_array(array, name))
        return name

    def apply(self, operator, operands, **attributes):
        name = f"y{len(self.nodes)}"
        self.nodes.append(helper.make_node(operator, operands, [name],
                                           name=name, **attributes))
        return name

    def add(self, operator, shape, *constants, then=(), **attributes):
        """One operator of an input and constants of the given shapes; a list
        instead of a tuple is the shape of another input. `then` are operators
        of its result and of an input of the given shape."""
        operands = [self.value(shape, False)] + [
            self.value(other, isinstance(other, tuple)) for other in constants]
        name = self.apply(operator, operands, **attributes)
        for follower, other, options in then:
            name = self.apply(follower, [name, self.value(other, False)],
                              **options)
        self.outputs.append(helper.make_tensor_value_info(
            name, TensorProto.FLOAT, None))

    def write(self, path):
        graph = helper.make_graph(self.nodes, path.stem, self.inputs,
                                  self.outputs, self.constants)
        onnx.save(helper.make_model(
            graph, ir_version=10,
            opset_imports=[helper.make_opsetid("", 21)]), path)


def products(model):
    rows, depths = itertools.cycle(ROWS), itertools.cycle(DEPTHS)
    for columns in COLUMNS:
        for _ in range(2):
            m, k = next(rows), next(depths)
            model.add("Gemm", (m, k), (k, columns), (columns,))
    for columns in COLUMNS[::3]:
        m, k = next(rows), next(depths)
        model.add("MatMul", (m, k), [k, columns])
        model.add("Gemm", (m, k), (columns, k), transB=1)
        model.add("Gemm", (k, m), [columns, k], transA=1, transB=1)
        model.add("MatMul", (3, m, k), (3, k, columns))


def geometry(model, size, dims):
    """Attributes of a window that fits into maps of the given size."""
    kernel = [model.pick(1, 2, 3, 3, 5) for _ in range(dims)]
    dilations = [1 if (k - 1) * 2 + 1 > size else model.pick(1, 1, 2)
                 for k in kernel]
    return {"kernel_shape": kernel, "dilations": dilations,
            "strides": [model.pick(1, 1, 2, 3) for _ in range(dims)],
            "pads": [min(model.pick(0, 1, 2), k - 1)
                     for k in kernel * 2]}


def convolve(model, channels, filters, group, dims=2, operator="Conv"):
    size = model.pick(5, 6, 7, 8, 9, 13, 14, 15, 17)
    window = geometry(model, size, dims)
    per_group = ((filters, channels // group) if operator == "Conv"
                 else (channels, filters // group))
    model.add(operator, (model.pick(1, 2), channels, *[size] * dims),
              (*per_group, *window["kernel_shape"]), (filters,), group=group,
              **window)


def convolutions(model):
    for channels, filters in itertools.product(CHANNELS[::2], CHANNELS):
        if model.pick(True, False):
            convolve(model, channels, filters, 1)
    for group, each, filters in itertools.product((2, 3), (4, 5), (8, 9, 17)):
        convolve(model, group * each, group * filters, group)
    for dims in (1, 3, 1, 3):
        convolve(model, model.pick(3, 16), model.pick(5, 17), 1, dims)


def joined(model):
    """Groups whose columns share vectors."""
    for group, each, filters, kernel in (
            (4, 34, 34, 1), (4, 8, 68, 1), (4, 6, 28, 1), (8, 4, 4, 3),
            (6, 8, 8, 3), (2, 8, 8, 5), (9, 24, 24, 3), (4, 5, 12, 3),
            (16, 4, 4, 1), (3, 4, 20, 1), (12, 12, 4, 2), (32, 2, 2, 3)):
        for size in (7, 8, 15):
            model.add("Conv", (model.pick(1, 2), group * each, size, size + 1),
                      (group * filters, each, kernel, kernel),
                      (group * filters,), group=group,
                      pads=[model.pick(0, kernel - 1) for _ in range(4)],
                      strides=[model.pick(1, 1, 2), model.pick(1, 1, 2)])


def folded(model):
    """Few columns: steps of k share vectors."""
    for filters in (2, 3, 4, 5, 6, 7, 8, 12, 15, 16, 18, 20, 24, 28):
        for kernel, then in itertools.product(
                (1, 2), ((), ("Add", filters), ("Mul", 1), ("Concat", 3))):
            height, width = 17, model.pick(16, 23)
            depth = model.pick(8, 12, 16, 32, 48, 9)
            followers = [(then[0], (1, then[1], height, width),
                          {"axis": 1} if then[0] == "Concat" else {})
                         ] if then else []
            model.add("Conv", (1, depth, height + kernel - 1,
                               width + kernel - 1),
                      (filters, depth, kernel, kernel), (filters,),
                      then=followers)
    for columns in (2, 3, 12, 18, 20, 24):
        model.add("Gemm", (96, 20), (20, columns), (columns,))
    # Long sums come in blocks.
    for columns in (12, 18, 24):
        model.add("Gemm", (61, 8192), (8192, columns), (columns,))


def filtered(model):
    """Stride 1: minimal filtering, whole tiles and rests."""
    for channels, filters in ((16, 16), (17, 33), (48, 24), (3, 40), (64, 50)):
        for size in (7, 8, 13, 18, 25):
            model.add("Conv", (1, channels, size, size + 1),
                      (filters, channels, 3, 3), (filters,),
                      pads=[model.pick(0, 1) for _ in range(4)])
    # Other windows, in one to three dimensions, of which one or two are
    # filtered; phases of dilations, some of which are shorter than others.
    for kernel in ((2,), (3,), (5,), (7,), (8,), (11,), (1, 7), (7, 1), (3, 1),
                   (2, 3), (5, 5), (4, 4), (7, 7), (3, 3, 3), (3, 1, 5),
                   (2, 5, 5), (2, 4, 4)):
        for channels, filters in ((16, 24), (17, 33), (40, 16)):
            size = [model.pick(*{1: (40, 81, 99), 2: (19, 22, 29),
                                 3: (13, 14)}[len(kernel)]) for _ in kernel]
            dilations = [model.pick(1, 2, 3) for _ in kernel]
            model.add("Conv", (model.pick(1, 2), channels, *size),
                      (filters, channels, *kernel), (filters,),
                      dilations=dilations, pads=[
                          model.pick(0, 1, k * d // 2)
                          for k, d in 2 * list(zip(kernel, dilations))])
    # Groups: panels of filters for each.
    for group, channels, filters in ((2, 24, 24), (3, 17, 20), (4, 16, 40)):
        for kernel in ((3, 3), (5, 5), (3,)):
            size = (18, 21) if len(kernel) > 1 else (120,)
            model.add("Conv", (1, channels * group, *size),
                      (filters * group, channels, *kernel),
                      (filters * group,), group=group,
                      pads=[1] * 2 * len(kernel))


def depthwise(model):
    for channels in (2, 7, 16, 17, 33, 40):
        for multiplier in (1, 1, 2, 3):
            convolve(model, channels, channels * multiplier, channels)


def walks(model):
    """Depthwise maps whose rows do not stay in the first-level cache: they are
    cut along channels and pixels."""
    for channels, width, kernel, stride in (
            (168, 30, 3, 1), (200, 43, 3, 2), (100, 61, 5, 2), (129, 58, 3, 1),
            (97, 113, 3, 2), (64, 64, 5, 1), (336, 23, 7, 2), (50, 165, 3, 1)):
        model.add("Conv", (1, channels, 9, width), (channels, 1, kernel, 3),
                  (channels,), group=channels, strides=[model.pick(1, 2), stride],
                  dilations=[model.pick(1, 1, 2) if kernel == 3 else 1, 1],
                  pads=[kernel // 2, 1, kernel // 2, 1])
    # Tiles that roll down, with and without rows that do not exist.
    for channels, size, kernel, stride in (
            (128, (57, 50), 3, 2), (67, (60, 85), 5, 2), (48, (90, 71), 4, 2),
            (64, (56, 75), 5, 3), (35, (3, 50, 62), 5, 2)):
        pads = [model.pick(0, 1, kernel // 2) for _ in range(4)]
        flat = [1] * (len(size) - 2)
        model.add("Conv", (1, channels, *size),
                  (channels, 1, *flat, kernel, kernel), (channels,),
                  group=channels, strides=[*flat, stride, stride],
                  pads=[*[0] * len(flat), *pads[:2],
                        *[0] * len(flat), *pads[2:]])
    # One dimension: rows are cut.
    for channels, kernel, stride in ((40, 3, 1), (17, 31, 1), (130, 5, 2)):
        model.add("Conv", (model.pick(1, 2), channels, 301),
                  (channels * 2, 1, kernel), (channels * 2,), group=channels,
                  strides=[stride], pads=[kernel // 2] * 2)
        model.add("Conv", (1, channels, 200), (channels, 1, kernel),
                  (channels,), group=channels, strides=[stride],
                  dilations=[2])


def transposed(model):
    for channels, filters in ((1, 1), (3, 1), (5, 16), (17, 4), (16, 33)):
        for group in (1, 1, 2):
            convolve(model, channels * group, filters * group, group,
                     operator="ConvTranspose")


def apart(model):
    """Transposed convolutions whose windows do not meet: products."""
    for kernel in ((4,), (16,), (2, 2), (2, 3), (1, 4), (4, 2), (2, 2, 2)):
        for channels, filters in ((5, 4), (17, 9), (8, 24), (16, 33), (3, 50),
                                  (4, 1), (24, 1), (48, 1), (16, 2), (40, 3)):
            size = [model.pick(3, 5, 6, 7, 13, 28) for _ in kernel]
            result = (1, filters, *(s * k for s, k in zip(size, kernel)))
            weights = (channels, filters, *kernel)
            model.add("ConvTranspose", (1, channels, *size),
                      model.pick(weights, weights, list(weights)), (filters,),
                      strides=kernel, then=model.pick(
                          (), [("Add", result, {})],
                          [("Mul", (1, 1, *result[2:]), {})],
                          [("Concat", result, {"axis": 1})]))


def pools(model):
    for operator, channels in itertools.product(
            ("MaxPool", "AveragePool"), (1, 3, 8, 16, 17, 33, 64)):
        for _ in range(3):
            size = model.pick(6, 7, 9, 13, 14, 17)
            model.add(operator, (model.pick(1, 2), channels, size, size + 1),
                      ceil_mode=model.pick(0, 1), **geometry(model, size, 2))


def rows(model):
    """Reductions along rows, several rows at a time."""
    for count, length in itertools.product(
            (1, 3, 4, 6, 9), (1, 5, 15, 16, 17, 33, 64, 77, 2050)):
        model.add("Softmax", (count, length))
        model.add("LayerNormalization", (count, length), (length,), (length,))


FAMILIES = (products, convolutions, joined, filtered, depthwise, walks,
            transposed, pools, rows, apart, folded)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    folder = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    for seed, family in enumerate(FAMILIES):
        model = Model(seed)
        family(model)
        model.write(folder / f"{family.__name__}.onnx")


if __name__ == "__main__":
    main()
