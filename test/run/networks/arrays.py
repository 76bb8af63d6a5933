"""arrays.py - operators on arrays of one to five dimensions"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import math

from onnx import TensorProto

EXTENTS = (1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 24, 33)


def start(net):
    shape = [net.pick(*EXTENTS) for _ in range(net.between(1, 5))]
    while math.prod(shape) > 20_000:
        shape.pop()
    net.start(shape)


def spread(net, shape):
    """A constant that broadcasts to a shape."""
    extents = [n if net.chance(0.6) else 1 for n in shape]
    if net.chance(0.4):
        extents = extents[net.between(0, len(extents)):]
    return net.weights(extents)


def binary(net, value, shape):
    operands = [value, spread(net, shape)]
    net.random.shuffle(operands)
    return net.apply(net.pick("Add", "Sub", "Mul", "Max", "Min"),
                     operands), shape


def combine(net, value, shape):
    return net.apply(net.pick("Add", "Mul", "Max", "Min"),
                     [value, net.like(shape)]), shape


def unary(net, value, shape):
    return net.apply(net.pick(
        "Abs", "Neg", "Relu", "Sigmoid", "Tanh", "Erf", "Sin", "Cos", "Atan",
        "Softsign", "Elu", "Selu", "HardSwish", "Mish", "Gelu", "Celu"),
        [value]), shape


def positive(net, value, shape):
    """Of numbers that are not near to zero."""
    bounded = net.apply("Clip", [value, net.scalar(0.2), net.scalar(4)])
    return net.apply(net.pick("Reciprocal", "Sqrt", "Log", "Exp", "Softplus"),
                     [bounded]), shape


def reduce(net, value, shape):
    axes = net.sample(range(len(shape)), net.between(1, len(shape)))
    keep = net.pick(0, 1) if len(axes) < len(shape) else 1
    given = [axis - (len(shape) if net.chance(0.3) else 0) for axis in axes]
    result = [1 if i in axes else n for i, n in enumerate(shape)
              if keep or i not in axes]
    return net.apply(net.pick(
        "ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceL1",
        "ReduceL2", "ReduceSumSquare", "ReduceLogSumExp"),
        [value, net.integers(*given)], keepdims=keep), result


def transpose(net, value, shape):
    order = net.sample(range(len(shape)), len(shape))
    return (net.apply("Transpose", [value], perm=order),
            [shape[i] for i in order])


def reshape(net, value, shape):
    left, result = math.prod(shape), []
    for _ in range(net.between(0, 3)):
        result.append(net.pick(*(n for n in range(1, min(left, 70) + 1)
                                 if left % n == 0)))
        left //= result[-1]
    result.append(left)
    given = list(result)
    if net.chance(0.3):
        given[net.between(0, len(given) - 1)] = -1
    return net.apply("Reshape", [value, net.integers(*given)]), result


def slice_one(net, value, shape):
    axis = net.between(0, len(shape) - 1)
    extent, step = shape[axis], net.pick(1, 1, 2, 3, -1, -2)
    first = net.between(0, extent - 1)
    last = net.between(first + 1, extent) if step > 0 else -2 ** 40
    result = list(shape)
    result[axis] = len(range(first, max(last, -1), step))
    return net.apply("Slice", [value, *(
        net.integers(n) for n in (first, last, axis, step))]), result


def concatenate(net, value, shape):
    axis = net.between(0, len(shape) - 1)

    def rest(own):
        return len(own), own[:axis], own[axis + 1:]
    other, own = net.pick(*((name, own) for name, own in net.values
                            if rest(own) == rest(shape)))
    result = list(shape)
    result[axis] += own[axis]
    return net.apply("Concat", [value, other], axis=axis), result


def split(net, value, shape):
    axis = net.between(0, len(shape) - 1)
    if shape[axis] < 2:
        return None
    first = net.between(1, shape[axis] - 1)
    sizes = (first, shape[axis] - first)
    parts = net.results("Split", [value, net.integers(*sizes)], 2, axis=axis)
    for part, size in zip(parts, sizes):
        result = [size if i == axis else n for i, n in enumerate(shape)]
        net.values.append((part, result))
    return net.values.pop()


def gather(net, value, shape):
    axis = net.between(0, len(shape) - 1)
    count = net.pick((3,), (9,), (2, 4), *[()] * (len(shape) > 1))
    places = net.constant(net.numbers.integers(
        -shape[axis], shape[axis], count))
    return (net.apply("Gather", [value, places], axis=axis),
            [*shape[:axis], *count, *shape[axis + 1:]])


def expand(net, value, shape):
    result = [net.pick(1, 2, 3) if n == 1 else n for n in shape]
    if net.chance(0.3):
        result.insert(0, 2)
    return net.apply("Expand", [value, net.integers(*result)]), result


def tile(net, value, shape):
    repeats = [net.pick(1, 1, 2, 3) for _ in shape]
    return (net.apply("Tile", [value, net.integers(*repeats)]),
            [n * r for n, r in zip(shape, repeats)])


def pad(net, value, shape):
    low, high = ([net.between(0, min(2, n - 1)) for n in shape]
                 for _ in range(2))
    return (net.apply("Pad", [value, net.integers(*low, *high)],
                      mode=net.pick("constant", "edge", "reflect", "wrap")),
            [n + a + b for n, a, b in zip(shape, low, high)])


def softmax(net, value, shape):
    return net.apply(net.pick("Softmax", "LogSoftmax"), [value],
                     axis=net.between(0, len(shape) - 1)), shape


def product(net, value, shape):
    if len(shape) < 2:
        return None
    *outer, rows, terms = shape
    batch = [n if net.chance(0.6) else 1 for n in outer]
    count = net.pick(1, 2, 3, 7, 8, 16, 17, 33)
    if net.chance(0.5):
        return net.apply("MatMul", [value, net.weights(
            [*batch, terms, count], terms)]), [*outer, rows, count]
    return net.apply("MatMul", [net.weights([*batch, count, rows], rows),
                                value]), [*outer, count, terms]


def gemm(net, value, shape):
    if len(shape) != 2:
        return None
    turned, count = net.pick(0, 1), net.pick(1, 3, 8, 17, 32, 50)
    rows, terms = shape[::-1] if turned else shape
    weights = [terms, count]
    other = net.pick(0, 1)
    addend = net.weights(net.pick([count], [1, count], [rows, 1], [1]))
    return net.apply("Gemm", [value, net.weights(
        weights[::-1] if other else weights, terms), addend], transA=turned,
        transB=other, alpha=net.pick(1.0, 0.5), beta=2.0), [rows, count]


def normalise(net, value, shape):
    axis = net.between(0, len(shape) - 1)
    inner = shape[axis:]
    if math.prod(inner) < 4:
        return None
    return net.apply("LayerNormalization", [
        value, net.weights(inner), net.weights(inner)], axis=axis,
        epsilon=1e-3), shape


def power(net, value, shape):
    exponent = net.pick(2.0, 3.0, 0.5, -1.0, 1.5)
    bounded = net.apply("Clip", [value, net.scalar(0.3), net.scalar(3)])
    return net.apply("Pow", [bounded, net.scalar(exponent)]), shape


def choose(net, value, shape):
    """By a mask that no rounding changes."""
    mask = net.constant(net.numbers.integers(
        0, 2, [n if net.chance(0.7) else 1 for n in shape]) > 0)
    return net.apply("Where", [mask, value, spread(net, shape)]), shape


def widen(net, value, shape):
    """There and back, doubled in between."""
    wide = net.apply("Cast", [value], to=TensorProto.DOUBLE)
    return net.apply("Cast", [net.apply("Add", [wide, wide])],
                     to=TensorProto.FLOAT), shape


OPERATORS = (binary, binary, combine, unary, unary, positive, reduce, reduce,
             transpose, reshape, slice_one, concatenate, split, gather, expand,
             tile, pad, softmax, product, gemm, normalise, power, choose,
             widen)
