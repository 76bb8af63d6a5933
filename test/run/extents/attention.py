"""attention.py - attention as exporters write it"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import itertools

import numpy


def split(model, value, batch, heads, order):
    """Tokens of all heads side by side, as a matrix for each head."""
    size = model.constant(numpy.array([batch, -1, heads, value[1] // heads]))
    return model.apply("Transpose", [
        model.apply("Reshape", [value[0], size])], perm=order)


def joined_heads(model, value, batch, columns):
    """Matrices of heads as tokens of all heads side by side."""
    size = model.constant(numpy.array([batch, -1, columns]))
    return model.apply("Reshape", [
        model.apply("Transpose", [value], perm=(0, 2, 1, 3)), size])


def weighted(model, query, keys, values, head, mask):
    """Softmax of scaled and masked scores, times values."""
    scores = model.apply("MatMul", [query, keys])
    scale = numpy.float32(head ** 0.5)
    if model.pick(True, False):
        scores = model.apply("Mul", [scores, model.constant(1 / scale)])
    else:
        scores = model.apply("Div", [scores, model.constant(scale)])
    if mask:
        scores = model.apply("Add", [scores, model.value(mask)])
    return model.apply("MatMul", [
        model.apply("Softmax", [scores], axis=-1), values])


def encode(model, batch, heads, tokens, sources, head):
    """Queries of some tokens, keys and values of the same or of others."""
    columns = heads * head
    query = model.value((batch, tokens, columns))
    keys = model.value((batch, sources, columns))
    values = model.value((batch, sources, columns))
    # None, one of keys, one that is causal, one of everything.
    mask = model.pick((), (batch, 1, 1, sources), (tokens, sources),
                      (batch, heads, tokens, sources))
    result = weighted(
        model, split(model, (query, columns), batch, heads, (0, 2, 1, 3)),
        split(model, (keys, columns), batch, heads, (0, 2, 3, 1)),
        split(model, (values, columns), batch, heads, (0, 2, 1, 3)), head, mask)
    model.output(joined_heads(model, result, batch, columns))


def decode(model, heads, past, head):
    """One query; its key and value follow those of the past."""
    columns = heads * head
    every = []
    for _ in ("keys", "values"):
        new = split(model, (model.value((1, 1, columns)), columns), 1, heads,
                    (0, 2, 1, 3))
        every.append(model.apply("Concat", [
            model.value((1, heads, past, head)), new], axis=2))
        model.output(every[-1])
    query = split(model, (model.value((1, 1, columns)), columns), 1, heads,
                  (0, 2, 1, 3))
    keys = model.apply("Transpose", every[:1], perm=(0, 1, 3, 2))
    result = weighted(model, query, keys, every[1], head,
                      model.pick((), (1, 1, 1, past + 1)))
    model.output(joined_heads(model, result, 1, columns))


def attention(model):
    tokens = itertools.cycle((1, 5, 8, 15, 17, 29, 33, 49, 64, 77))
    for head in (8, 12, 16, 24, 31, 32, 33, 40, 48, 64, 72, 80):
        size = next(tokens)
        encode(model, model.pick(1, 2), model.pick(1, 2, 3), size, size, head)
    for head in (16, 20, 65):
        encode(model, 2, 2, next(tokens), next(tokens), head)
    for head, past in ((8, 1), (20, 15), (32, 16), (64, 31), (64, 64),
                       (80, 130)):
        decode(model, model.pick(1, 3), past, head)
