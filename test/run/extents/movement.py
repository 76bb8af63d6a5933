"""movement.py - elements that only move, or mix with their neighbours"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import itertools

import numpy
from onnx import TensorProto

EXTENTS = (1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33)


def shape_of(model, rank):
    """Of not too many elements."""
    shape = [model.pick(*EXTENTS[:{4: 11, 5: 8}.get(rank)])
             for _ in range(rank)]
    return shape if numpy.prod(shape) < 20000 else shape_of(model, rank)


def transposes(model):
    """Alone, and with arithmetic."""
    for rank, count in ((2, 10), (3, 15), (4, 24), (5, 16)):
        orders = list(itertools.permutations(range(rank)))[1:]
        for order in model.sample(orders * 10, count):
            shape = shape_of(model, rank)
            then = [] if model.pick(True, False) else [
                ("Add", [shape[axis] for axis in order], {})]
            model.add("Transpose", shape, perm=order, then=then)


def slices(model):
    """Steps forward and backward over each axis."""
    for rank in (1, 2, 3, 4):
        for axes in itertools.product((False, True), repeat=rank):
            axes = [axis for axis, cut in enumerate(axes) if cut]
            shape = shape_of(model, rank)
            steps = [model.pick(1, 1, 2, 3, -1, -2) for _ in axes]
            begins = [model.pick(0, shape[a] // 3) for a in axes]
            ends = [model.pick(shape[a], shape[a] - shape[a] // 4)
                    for a in axes]
            for i, step in enumerate(steps):
                if step < 0:
                    begins[i], ends[i] = ends[i] - 1, begins[i] - 1 - (
                        shape[axes[i]] if not begins[i] else 0)
            if axes:
                model.output(model.apply("Slice", [
                    model.value(shape), *(model.constant(numpy.array(each))
                                          for each in (begins, ends, axes,
                                                       steps))]))


def concatenations(model):
    """Two to four parts, some of one element and some computed."""
    for rank in (1, 2, 3, 4):
        for axis, _ in itertools.product(range(rank), range(3)):
            shape = shape_of(model, rank)
            parts = []
            for _ in range(model.pick(2, 3, 4)):
                shape[axis] = model.pick(1, 3, 4, 8, 9, 16, 17)
                parts.append(model.value(shape))
                if model.pick(True, False, False):
                    parts[-1] = model.apply("Relu", parts[-1:])
            model.output(model.apply("Concat", parts, axis=axis))


def paddings(model):
    """Each side of each axis, in all modes."""
    for mode, rank in itertools.product(
            ("constant", "constant", "reflect", "edge", "wrap"), (1, 2, 3, 4)):
        shape = [max(size, 3) for size in shape_of(model, rank)]
        pads = numpy.array([model.pick(0, 1, 2) for _ in range(2 * rank)])
        operands = [model.value(shape), model.constant(pads)]
        if mode == "constant":
            operands.append(model.constant(numpy.float32(model.pick(0, -1))))
        model.output(model.apply("Pad", operands, mode=mode))
    # Borders wider than what they repeat, and long tensors.
    for shape, pads in (((3, 4), (7, 5, 8, 9)), ((40000,), (300, 201)),
                        ((33000, 2), (1, 0, 2, 1)), ((2, 70000), (0, 3, 1, 0))):
        for mode in ("constant", "reflect", "edge", "wrap"):
            model.output(model.apply("Pad", [
                model.value(shape), model.constant(numpy.array(pads))],
                mode=mode))


def gathers(model):
    """Constant places, also from the end, and places that are an input."""
    for rank in (1, 2, 3):
        for axis, _ in itertools.product(range(rank), range(4)):
            shape = shape_of(model, rank)
            # The inputs of integers are below 3.
            shape[axis] = max(shape[axis], 3)
            count = model.pick((), (1,), (5,), (2, 3), (17,))
            if model.pick(True, False):
                places = model.input(count, TensorProto.INT64)
            else:
                places = model.constant(model.numbers.integers(
                    -shape[axis], shape[axis], count))
            model.output(model.apply("Gather", [model.value(shape), places],
                                     axis=axis))


def pieces(model):
    slices(model)
    concatenations(model)
    paddings(model)
    gathers(model)


def resizes(model):
    """To larger and smaller maps, by factors that are whole or not."""
    for mode, transform in itertools.product(
            ("nearest", "linear"),
            ("half_pixel", "asymmetric", "align_corners",
             "pytorch_half_pixel")):
        for dims in (1, 2, 2, 2, 3):
            shape = [model.pick(1, 2), model.pick(1, 3, 8, 16, 17, 33)] + [
                model.pick(2, 3, 5, 7, 8) for _ in range(dims)]
            sizes = shape[:2] + [model.pick(size * 2, size + 3, size - 1, size)
                                 for size in shape[2:]]
            options = {"nearest_mode": model.pick(
                "round_prefer_floor", "floor", "ceil", "round_prefer_ceil")
                       } if mode == "nearest" else {}
            model.output(model.apply(
                "Resize", [model.value(shape), "", "",
                           model.constant(numpy.array(sizes))],
                mode=mode, coordinate_transformation_mode=transform,
                **options))
    for mode in ("nearest", "linear"):  # as fundamental frequencies of sound
        model.output(model.apply(
            "Resize", [model.value((1, 2, 150)), "", "",
                       model.constant(numpy.array((1, 2, 45000)))], mode=mode))


def neighbours(model):
    """Channels and those beside them."""
    for channels, size in itertools.product((1, 4, 8, 15, 17, 33), (1, 3, 4, 9)):
        model.add("LRN", (model.pick(1, 2), channels, model.pick(3, 5),
                          model.pick(4, 7)), size=size, alpha=1.5,
                  beta=model.pick(0.75, 0.5, 0.6), bias=1.0)


def squares(model):
    """Transposes around squares of 32, of elements of several sizes."""
    for kind in (TensorProto.FLOAT, TensorProto.FLOAT16, TensorProto.INT64,
                 TensorProto.BOOL):
        for _ in range(4):
            shape = [model.pick(1, 2, 3)] + [
                model.pick(8, 15, 31, 32, 33, 64, 65) for _ in range(2)]
            value = model.apply("Cast", [model.value(shape)], to=kind)
            order = model.pick((0, 2, 1), (2, 0, 1), (2, 1, 0))
            model.output(model.apply("Transpose", [value], perm=order), kind)


def kinds(model):
    """Elements of one to eight bytes, in rows that vectors divide or not."""
    for kind, own in ((TensorProto.FLOAT16, numpy.float16),
                      (TensorProto.INT64, numpy.int64),
                      (TensorProto.BOOL, bool), (TensorProto.INT8, numpy.int8)):
        for columns in (15, 16, 24, 64):
            shape = [model.pick(1, 3), model.pick(3, 4, 7), columns]
            x, y = (model.apply("Cast", [model.value(shape)], to=kind)
                    for _ in range(2))
            model.output(model.apply("Concat", [x, y, x],
                                     axis=model.pick(0, 1, 2)), kind)
            for pads in ((0, 1, 0, 0, 2, 0), (0, 0, 8, 1, 0, 16),
                         (0, 0, 1, 0, 0, 1)):
                model.output(model.apply("Pad", [
                    x, model.constant(numpy.array(pads)),
                    model.constant(numpy.array(1, own))]), kind)
            places = model.constant(model.numbers.integers(
                -shape[1], shape[1], (2, 5)))
            model.output(model.apply("Gather", [y, places], axis=1), kind)
            chosen = model.constant(model.numbers.integers(
                -columns, columns, (shape[0], shape[1], 5)))
            model.output(model.apply("GatherElements", [y, chosen], axis=2),
                         kind)
