"""sequences.py - operators on batch, tokens, features"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import math

import numpy


def start(net):
    net.start([net.pick(1, 1, 2), net.between(1, 50),
               net.pick(7, 8, 16, 24, 32, 33, 40, 48, 64)])


def product(net, value, shape):
    features = net.pick(1, 2, 5, 16, 17, 32, 48, 64, 100)
    result = net.apply("MatMul", [value, net.weights(
        [shape[-1], features], shape[-1])])
    if net.chance(0.6):
        result = net.apply("Add", [result, net.weights([features])])
    if net.chance(0.4):
        result = net.apply("Gelu", [result])
    return result, [*shape[:2], features]


def heads_of(net, value, shape, heads):
    """A product with [features, features], as [batch, head, token, feature]."""
    batch, tokens, features = shape
    made = net.apply("MatMul", [value, net.weights(
        [features, features], features)])
    parts = net.apply("Reshape", [made, net.integers(
        batch, tokens, heads, features // heads)])
    return net.apply("Transpose", [parts], perm=[0, 2, 1, 3])


def attend(net, value, shape):
    batch, tokens, features = shape
    counts = [h for h in range(1, features) if features % h == 0]
    if not counts:
        return None
    heads = net.pick(*counts)
    queries, keys, values = (heads_of(net, value, shape, heads)
                             for _ in range(3))
    scores = net.apply("MatMul", [queries, net.apply(
        "Transpose", [keys], perm=[0, 1, 3, 2])])
    if net.chance(0.7):
        scores = net.apply("Mul", [scores, net.scalar(
            1 / math.sqrt(features // heads))])
    if net.chance(0.4):
        mask = numpy.triu(numpy.full((tokens, tokens), -1e4), 1)
        scores = net.apply("Add", [scores, net.constant(
            mask.astype(numpy.float32))])
    mixed = net.apply("MatMul", [net.apply("Softmax", [scores], axis=-1),
                                 values])
    turned = net.apply("Transpose", [mixed], perm=[0, 2, 1, 3])
    return net.apply("Reshape", [turned, net.integers(*shape)]), shape


def normalise(net, value, shape):
    return net.apply("LayerNormalization", [
        value, net.weights(shape[-1:]), net.weights(shape[-1:])], axis=-1,
        epsilon=1e-3), shape


def activate(net, value, shape):
    return net.apply(net.pick("Relu", "Tanh", "Sigmoid", "Gelu"),
                     [value]), shape


def combine(net, value, shape):
    return net.apply(net.pick("Add", "Mul"), [value, net.like(shape)]), shape


def softmax(net, value, shape):
    return net.apply("Softmax", [value], axis=net.pick(1, 2)), shape


def reduce(net, value, shape):
    """More than it is on the whole: less would be rounding errors alone where
    all are alike."""
    whole = net.apply(net.pick("ReduceMean", "ReduceSum", "ReduceMax"),
                      [value, net.integers(net.pick(1, 2))], keepdims=1)
    return net.apply("Add", [value, whole]), shape


def transpose(net, value, shape):
    batch, tokens, features = shape
    return (net.apply("Transpose", [value], perm=[0, 2, 1]),
            [batch, features, tokens])


OPERATORS = (product, product, normalise, attend, attend, activate, combine,
             softmax, reduce, transpose)
