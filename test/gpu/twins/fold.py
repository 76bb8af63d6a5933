# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scales and shifts of channels become part of the convolution or the
normalisation before them, as users do for inference."""

import collections

import numpy

from .graph import Node


def of_channels(graph, value, constant):
    """A constant operand as one number per channel of a value, or None."""
    shape, array = graph.shape(value), graph.constants[constant]
    if len(shape) < 3 or array.ndim > len(shape):
        return None
    wide = array.reshape((1,) * (len(shape) - array.ndim) + array.shape)
    if wide.size != wide.shape[1] or wide.size not in (1, shape[1]):
        return None
    return numpy.broadcast_to(wide.reshape(-1).astype("f8"), shape[1])


def of_normalisation(graph, node):
    scale, shift, mean, variance = (
        graph.constants[name].astype("f8") for name in node.inputs[1:5])
    scale = scale / numpy.sqrt(variance + node.attributes.get("epsilon", 1e-5))
    return node.inputs[0], scale, shift - mean * scale


def of_product_or_sum(graph, node):
    for value, other in (node.inputs, node.inputs[::-1]):
        if other not in graph.constants or value in graph.constants:
            continue
        numbers = of_channels(graph, value, other)
        if numbers is None:
            return None
        if node.op == "Mul":
            return value, numbers, numpy.zeros_like(numbers)
        return value, numpy.ones_like(numbers), numbers
    return None


def affine(graph, node):
    """(value, scale, shift) where the node is that, channel by channel."""
    if node.op == "BatchNormalization":
        return of_normalisation(graph, node)
    if node.op in ("Mul", "Add"):
        return of_product_or_sum(graph, node)
    return None


def scaled(graph, node, scale, shift):
    """The operands of `node` whose result is so scaled, or None."""
    arrays = [graph.constants.get(name) for name in node.inputs[1:]]
    if any(array is None for array in arrays):
        return None
    if node.op == "BatchNormalization":
        gamma, beta, mean, variance = arrays
        return [gamma * scale, beta * scale + shift, mean, variance]
    if node.op == "ConvTranspose" and node.attributes.get("group", 1) != 1:
        return None
    axis = 1 if node.op == "ConvTranspose" else 0
    shape = [1] * arrays[0].ndim
    shape[axis] = len(scale)
    bias = arrays[1] * scale if len(arrays) > 1 else 0
    return [arrays[0] * scale.reshape(shape), bias + shift]


def fold_channels(graph):
    uses = collections.Counter(
        name for node in graph.nodes for name in node.inputs)
    uses.update(graph.outputs)
    before, kept = {}, []
    for node in graph.nodes:
        found = affine(graph, node)
        first = found and before.get(found[0])
        arrays = first and uses[found[0]] == 1 and scaled(graph, first,
                                                          *found[1:])
        if arrays:
            made = Node(first.op, [first.inputs[0]] + [
                graph.constant(array.astype("f4")) for array in arrays],
                node.outputs, first.attributes, first.name)
            kept[kept.index(first)] = made
            before[node.outputs[0]] = made
            continue
        kept.append(node)
        if node.op in ("Conv", "ConvTranspose", "BatchNormalization"):
            before[node.outputs[0]] = node
    graph.nodes = kept
    graph.drop_unused()
