"""groups.py - many small operators that could share kernels

Values have several users, users several values: fans, diamonds, siblings, views
in between. Every fourth network is one of integers, which are exact."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import math

from onnx import TensorProto

from . import arrays, images

EXTENTS = (1, 2, 3, 5, 6, 7, 8, 9, 12, 15, 17, 20, 31, 33)


def start(net):
    net.reach = 8
    if net.chance(0.25):
        net.kind = net.pick(TensorProto.INT32, TensorProto.INT64)
    if net.is_float() and net.chance(0.4):
        side = net.between(4, 17)
        net.start([net.pick(1, 1, 2), net.pick(1, 2, 3, 4, 5, 8, 16, 18),
                   side, net.pick(side, net.between(4, 17))])
        return
    shape = [net.pick(*EXTENTS) for _ in range(net.between(1, 4))]
    while math.prod(shape) > 8_000:
        shape.pop()
    net.start(shape)


def operators(net):
    if not net.is_float():
        return WHOLE
    return EVERYWHERE + ON_MAPS


def on_maps(operator):
    """For values that have a batch, channels, rows and columns."""
    def maybe(net, value, shape):
        return operator(net, value, shape) if len(shape) == 4 else None
    return maybe


def bound(net, value):
    """Keeps chains of products finite."""
    return net.apply(net.pick("Tanh", "Sigmoid", "Softsign"), [value])


def diamond(net, value, shape):
    top, _ = arrays.unary(net, value, shape)
    sides = [arrays.binary(net, top, shape)[0], bound(net, top)]
    if net.chance(0.3):
        net.values.append((sides[0], shape))
    return net.apply(net.pick("Add", "Sub", "Max"), sides), shape


def some_axes(net, shape):
    """The last ones, mostly; whether all of them are kept."""
    if net.chance(0.3):
        return sorted(net.sample(range(len(shape)), net.between(1, 2)))
    return list(range(len(shape) - net.between(1, min(2, len(shape))),
                      len(shape)))


def spread_back(net, value, shape):
    """A value and what it is reduced to."""
    axes = net.integers(*some_axes(net, shape))
    part = net.apply(net.pick("ReduceSum", "ReduceMax", "ReduceMin",
                              "ReduceMean"), [value, axes], keepdims=1)
    if net.chance(0.3):
        part = net.apply(net.pick("Abs", "Tanh", "Neg"), [part])
    return net.apply(net.pick("Sub", "Add", "Max"), [value, part]), shape


def normalise(net, value, shape):
    axes = net.integers(*some_axes(net, shape))
    mean = net.apply("ReduceMean", [value, axes], keepdims=1)
    away = net.apply("Sub", [value, mean])
    square = net.apply("Mul", [away, away])
    variance = net.apply("ReduceMean", [square, axes], keepdims=1)
    root = net.apply("Sqrt", [net.apply("Add", [variance, net.scalar(0.1)])])
    scaled = net.apply("Div", [away, root])
    return arrays.binary(net, scaled, shape)


def softmax_by_hand(net, value, shape):
    axes = net.integers(*some_axes(net, shape))
    most = net.apply("ReduceMax", [value, axes], keepdims=1)
    power = net.apply("Exp", [net.apply("Sub", [value, most])])
    total = net.apply("ReduceSum", [power, axes], keepdims=1)
    return net.apply("Div", [power, total]), shape


def siblings(net, value, shape):
    """Several products of one value, each with something behind it."""
    if len(shape) < 2:
        return None
    for _ in range(net.between(2, 3)):
        count = net.pick(1, 3, 8, 16, 17)
        made = net.apply("MatMul", [value, net.weights([shape[-1], count],
                                                       shape[-1])])
        own = [*shape[:-1], count]
        if net.chance(0.7):
            made, _ = arrays.binary(net, made, own)
        net.values.append((made, own))
    return net.values.pop()


def attend(net, value, shape):
    """A value to itself."""
    if len(shape) < 2 or math.prod(shape) * shape[-2] > 500_000:
        return None
    turned = net.apply("Transpose", [value], perm=[
        *range(len(shape) - 2), len(shape) - 1, len(shape) - 2])
    scores = net.apply("Mul", [net.apply("MatMul", [bound(net, value), turned]),
                               net.scalar(1 / math.sqrt(shape[-1]))])
    return net.apply("MatMul", [net.apply("Softmax", [scores], axis=-1),
                                value]), shape


def stencil(net, value, shape):
    """Neighbours of each element along one axis, added up."""
    axis = net.between(0, len(shape) - 1)
    pads = [int(i == axis) for i in range(len(shape))]
    wide = net.apply("Pad", [value, net.integers(*pads, *pads)],
                     mode=net.pick("constant", "edge"))
    parts = [net.apply("Slice", [wide, *(net.integers(n) for n in (
        first, first + shape[axis], axis))]) for first in range(3)]
    return net.apply("Add", [parts[0], net.apply(net.pick("Add", "Max"),
                                                 parts[1:])]), shape


def halves(net, value, shape):
    """Two ends of a value, each treated in its own way, put together again."""
    axis = net.between(0, len(shape) - 1)
    if shape[axis] < 2:
        return None
    cut = net.between(1, shape[axis] - 1)
    parts = []
    for first, last in ((0, cut), (cut, shape[axis])):
        part = net.apply("Slice", [value, *(net.integers(n) for n in (
            first, last, axis))])
        own = [last - first if i == axis else n for i, n in enumerate(shape)]
        treat = net.pick(*(SAME if net.is_float() else WHOLE_SAME))
        parts.append(treat(net, part, own)[0])
    if net.chance(0.5):
        parts.reverse()
    return net.apply("Concat", parts, axis=axis), shape


def heads(net, value, shape):
    """A dimension split in two, and the parts in another order."""
    axis = net.between(0, len(shape) - 1)
    parts = [n for n in range(2, shape[axis]) if shape[axis] % n == 0]
    if not parts:
        return None
    part = net.pick(*parts)
    split = [*shape[:axis], part, shape[axis] // part, *shape[axis + 1:]]
    order = net.sample(range(len(split)), len(split))
    cut = net.apply("Reshape", [value, net.integers(*split)])
    return (net.apply("Transpose", [cut], perm=order),
            [split[i] for i in order])


def merge(net, value, shape):
    """Two dimensions next to each other become one."""
    if len(shape) < 2:
        return None
    axis = net.between(0, len(shape) - 2)
    result = [*shape[:axis], shape[axis] * shape[axis + 1], *shape[axis + 2:]]
    return net.apply("Reshape", [value, net.integers(*result)]), result


def residual(net, value, shape):
    """Pointwise up, depthwise, pointwise down, and the value itself."""
    batch, channels, *size = shape
    wide = channels * net.pick(1, 2, 3)
    if math.prod(shape) * wide > 400_000:
        return None
    up = net.apply("Relu", [net.apply("Conv", [value, net.weights(
        [wide, channels, 1, 1], channels)])])
    deep = net.apply("Clip", [net.apply("Conv", [up, net.weights(
        [wide, 1, 3, 3], 9)], group=wide, pads=[1, 1, 1, 1]),
        net.scalar(0), net.scalar(6)])
    down = net.apply("Conv", [deep, net.weights([channels, wide, 1, 1], wide),
                              net.weights([channels])])
    return net.apply("Add", [down, value]), shape


def whole_unary(net, value, shape):
    return net.apply(net.pick("Abs", "Neg", "Sign"), [value]), shape


def whole_reduce(net, value, shape):
    axes = some_axes(net, shape)
    part = net.apply(net.pick("ReduceSum", "ReduceMax", "ReduceMin"),
                     [value, net.integers(*axes)], keepdims=1)
    if net.chance(0.5):
        return net.apply("Sub", [value, part]), shape
    return part, [1 if i in axes else n for i, n in enumerate(shape)]


SAME = (arrays.binary, arrays.unary, diamond, spread_back, arrays.choose)
EVERYWHERE = (
    arrays.binary, arrays.binary, arrays.combine, arrays.combine, arrays.unary,
    arrays.unary, arrays.reduce, arrays.transpose, arrays.reshape,
    arrays.slice_one, arrays.concatenate, arrays.split, arrays.expand,
    arrays.pad, arrays.softmax, arrays.product, arrays.choose, diamond, diamond,
    spread_back, spread_back, normalise, softmax_by_hand, siblings, attend,
    stencil, stencil, halves, halves, heads, merge)
ON_MAPS = tuple(on_maps(operator) for operator in (
    images.convolution, images.convolution, images.depthwise, images.pool,
    images.pool, images.excite, images.pad, images.concatenate,
    images.some_channels, images.shuffle, images.enlarge, residual, residual))
WHOLE_SAME = (arrays.binary, whole_unary, arrays.choose)
WHOLE = (
    arrays.binary, arrays.binary, arrays.combine, arrays.combine, whole_unary,
    whole_reduce, whole_reduce, arrays.transpose, arrays.reshape,
    arrays.slice_one, arrays.concatenate, arrays.split, arrays.gather,
    arrays.expand, arrays.pad, arrays.choose, stencil, halves, heads, merge)
