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


def separate(model, batch, tokens, widths):
    """Values that somebody computes, side by side, and apart again."""
    both = model.apply("Mul", [
        model.value((batch, tokens, sum(widths))),
        model.constant(numpy.float32(0.75))])
    if len(widths) == 1:
        return [both]
    return model.results("Split", [both, model.constant(numpy.array(widths))],
                         len(widths), axis=2)


def hide(model, scores, batch, heads, rows, keys, kind):
    """Scores of which some do not count."""
    kind = kind or model.pick("none", "keys", "all", "causal", "later")
    if kind == "keys":
        return model.apply("Add", [scores, model.value((batch, 1, 1, keys))])
    if kind == "all":
        bias = model.value((batch, heads, rows, keys))
        return model.apply("Add", [scores, bias])
    if kind in ("causal", "next"):
        # A query may see the next key as well.
        first = 2 if kind == "next" else 1
        mask = numpy.triu(numpy.full((rows, keys), -numpy.inf, "f4"), first)
        return model.apply("Add", [scores, model.constant(mask)])
    if kind == "later":
        # Rows behind the last key have none at all.
        mask = numpy.triu(numpy.ones((rows, keys), bool))
        return model.apply("Where", [
            model.constant(mask), scores,
            model.constant(numpy.float32(-numpy.inf))])
    return scores


def attend(model, batch, heads, rows, keys, depth, width, shared=False,
           mask=None):
    """All that a kernel for attention takes, as it comes from products; all
    heads may have the same keys and values."""
    counts = (heads, 1, 1) if shared else (heads, heads, heads)
    columns = [count * size
               for count, size in zip(counts, (depth, depth, width))]
    if rows == keys:
        values = separate(model, batch, rows, columns)
    else:
        values = separate(model, batch, rows, columns[:1]) + separate(
            model, batch, keys, columns[1:])
    orders = ((0, 2, 1, 3), (0, 2, 3, 1), (0, 2, 1, 3))
    query, key, value = (
        split(model, (each, size), batch, count, order) for each, size, count,
        order in zip(values, columns, counts, orders))
    scores = model.apply("Mul", [
        model.apply("MatMul", [query, key]),
        model.constant(numpy.float32(depth ** -0.5))])
    weights = model.apply("Softmax", [
        hide(model, scores, batch, heads, rows, keys, mask)], axis=-1)
    if model.pick(True, False):
        # As exporters write it: rows that have no keys are zero.
        weights = model.apply("Where", [
            model.apply("IsNaN", [weights]),
            model.constant(numpy.float32(0)), weights])
    result = model.apply("MatMul", [weights, value])
    model.output(joined_heads(model, result, batch, heads * width))


def heads(model):
    for batch, count, rows, keys, depth, width in (
            (1, 2, 1, 1, 8, 8), (2, 4, 5, 16, 16, 24), (1, 3, 16, 32, 64, 64),
            (2, 2, 17, 33, 64, 64), (1, 12, 31, 31, 32, 32),
            (2, 2, 65, 65, 64, 64), (2, 4, 63, 129, 96, 96),
            (2, 3, 33, 127, 128, 128), (1, 2, 15, 64, 40, 72),
            (2, 4, 130, 300, 64, 64), (2, 1, 128, 128, 64, 64),
            (1, 3, 197, 197, 64, 64), (2, 30, 190, 70, 32, 32),
            (2, 40, 64, 96, 8, 16)):
        attend(model, batch, count, rows, keys, depth, width)
    attend(model, 2, 6, 48, 80, 64, 64, shared=True)
    for tokens in (32, 190, 300):
        attend(model, 2, 4, tokens, tokens, 64, 64, mask="causal")
    attend(model, 4, 32, 150, 150, 16, 16, mask="causal")
    attend(model, 1, 2, 192, 192, 16, 16, mask="next")
