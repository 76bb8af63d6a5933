"""images.py - operators on maps: batch, channels, one to three dimensions"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import math

import numpy

from networks.network import MOST_PRODUCTS

CHANNELS = (1, 2, 3, 4, 5, 8, 12, 16, 17, 24, 32, 34, 42, 48, 64, 96)
FILTERS = (1, 1, 2, 3, 8, 10, 16, 18, 24, 28, 32, 42, 48, 64, 68)


def start(net):
    dims = net.pick(1, 2, 2, 2, 2, 3)
    most = {1: 60, 2: 24, 3: 9}[dims]
    net.start([net.pick(1, 1, 1, 2), net.pick(*CHANNELS),
               *(net.between(3, most) for _ in range(dims))])


def window(net, size, sides):
    """Attributes of windows that fit on a map, and how many there are along
    each dimension; None where they do not."""
    kernel = [net.pick(*sides)] * len(size)
    if net.chance(0.2):
        kernel = [net.pick(*sides) for _ in size]
    stride = [net.pick(1, 1, 1, 2, 3)] * len(size)
    dilation = [net.pick(1, 1, 1, 2)] * len(size)
    reach = [(k - 1) * d + 1 for k, d in zip(kernel, dilation)]
    pads = [net.between(0, r // 2) for r in reach * 2]
    dims = len(size)
    padded = [n + pads[i] + pads[i + dims] for i, n in enumerate(size)]
    if any(n < r for n, r in zip(padded, reach)):
        return None
    counts = [(n - r) // s + 1 for n, r, s in zip(padded, reach, stride)]
    return {"kernel_shape": kernel, "strides": stride, "dilations": dilation,
            "pads": pads}, counts


def convolve(net, value, shape, filters, group):
    batch, channels, *size = shape
    found = window(net, size, (1, 1, 3, 3, 5, 2, 7))
    if not found:
        return None
    options, counts = found
    terms = channels // group * math.prod(options["kernel_shape"])
    result = [batch, filters, *counts]
    if math.prod(result) * terms > MOST_PRODUCTS:
        return None
    operands = [value, net.weights(
        [filters, channels // group, *options["kernel_shape"]], terms)]
    if net.chance(0.6):
        operands.append(net.weights([filters]))
    return net.apply("Conv", operands, group=group, **options), result


def convolution(net, value, shape):
    return convolve(net, value, shape, net.pick(*FILTERS), 1)


def depthwise(net, value, shape):
    return convolve(net, value, shape, shape[1] * net.pick(1, 1, 1, 2, 3),
                    shape[1])


def grouped(net, value, shape):
    group = net.pick(*(g for g in range(1, shape[1] + 1) if shape[1] % g == 0))
    return convolve(net, value, shape, group * net.pick(1, 2, 4, 7, 8, 12),
                    group)


def transposed(net, value, shape):
    batch, channels, *size = shape
    side, stride = net.pick(1, 2, 3, 4), net.pick(1, 2, 2, 3)
    filters, pad = net.pick(1, 3, 8, 16), net.between(0, (side - 1) // 2)
    result = [batch, filters,
              *((n - 1) * stride + side - 2 * pad for n in size)]
    terms = channels * side ** len(size)
    if min(result) < 1 or math.prod(result) * terms > MOST_PRODUCTS:
        return None
    weights = net.weights([channels, filters, *[side] * len(size)], terms)
    return net.apply("ConvTranspose", [value, weights],
                     strides=[stride] * len(size),
                     pads=[pad] * 2 * len(size)), result


def pool(net, value, shape):
    found = window(net, shape[2:], (2, 3, 3, 5))
    if not found:
        return None
    options, counts = found
    operator = "MaxPool"
    if net.chance(0.5):
        operator = "AveragePool"
        options["count_include_pad"] = net.pick(0, 1)
    return net.apply(operator, [value], **options), [*shape[:2], *counts]


def activate(net, value, shape):
    return net.apply(net.pick("Relu", "Sigmoid", "Tanh", "HardSigmoid",
                              "HardSwish", "LeakyRelu", "Elu", "Erf"),
                     [value]), shape


def normalise(net, value, shape):
    scales = [net.constant((net.numbers.random(shape[1]) + 0.5).astype(
        numpy.float32)) for _ in range(4)]
    return net.apply("BatchNormalization", [value, *scales]), shape


def combine(net, value, shape):
    other = net.like(shape)
    if net.chance(0.3):
        other = net.weights([1, shape[1], *[1] * (len(shape) - 2)])
    return net.apply(net.pick("Add", "Mul"), [value, other]), shape


def concatenate(net, value, shape):
    fitting = [(name, own) for name, own in net.values
               if own[:1] + own[2:] == shape[:1] + shape[2:]]
    other, own = net.pick(*fitting)
    return (net.apply("Concat", [value, other], axis=1),
            [shape[0], shape[1] + own[1], *shape[2:]])


def excite(net, value, shape):
    """Squeeze and excitation."""
    channels, ones = shape[1], [1] * (len(shape) - 2)
    few = max(1, channels // 4)
    mean = net.apply("GlobalAveragePool", [value])
    inner = net.apply("Relu", [net.apply("Conv", [mean, net.weights(
        [few, channels, *ones], channels)])])
    scale = net.apply(net.pick("Sigmoid", "HardSigmoid"), [net.apply(
        "Conv", [inner, net.weights([channels, few, *ones], few)])])
    return net.apply("Mul", [value, scale]), shape


def pad(net, value, shape):
    dims = len(shape) - 2
    low, high = ([net.between(0, 2) for _ in range(dims)] for _ in range(2))
    return (net.apply("Pad", [value, net.integers(0, 0, *low, 0, 0, *high)]),
            shape[:2] + [n + a + b for n, a, b in zip(shape[2:], low, high)])


def enlarge(net, value, shape):
    if len(shape) != 4:
        return None
    scales = net.constant(numpy.array([1, 1, 2, 2], numpy.float32))
    return net.apply("Resize", [value, "", scales],
                     mode=net.pick("nearest", "linear"), nearest_mode="floor",
                     coordinate_transformation_mode=net.pick(
                         "asymmetric", "half_pixel")), \
        shape[:2] + [2 * n for n in shape[2:]]


def some_channels(net, value, shape):
    if shape[1] < 3:
        return None
    first = net.between(0, shape[1] // 2)
    last = net.between(first + 1, shape[1])
    return net.apply("Slice", [value, net.integers(first), net.integers(last),
                               net.integers(1)]), \
        [shape[0], last - first, *shape[2:]]


def shuffle(net, value, shape):
    batch, channels, *size = shape
    groups = [g for g in range(2, channels) if channels % g == 0]
    if not groups:
        return None
    group = net.pick(*groups)
    parts = net.apply("Reshape", [value, net.integers(
        batch, group, channels // group, *size)])
    turned = net.apply("Transpose", [parts],
                       perm=[0, 2, 1, *range(3, len(size) + 3)])
    return net.apply("Reshape", [turned, net.integers(*shape)]), shape


OPERATORS = (convolution, convolution, convolution, depthwise, grouped,
             transposed, pool, activate, normalise, combine, concatenate,
             excite, pad, enlarge, some_channels, shuffle)
