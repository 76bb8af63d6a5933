#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compare Attention over caches that are updated outside with numpy's results.

Of a sequence with n valid keys, query i of S sees keys up to i + n - S if it is
causal; one that sees none gets zeros."""

import sys

import numpy

from references.batch import Batch, Open, report

WAYS = (None, (), ("--mcpu=x86-64",))
BOUND = 1e-5


def heads_first(value, heads):
    """[batch, heads, rows, columns] of [batch, rows, heads * columns]."""
    if value.ndim == 4:
        return value
    batch, rows, columns = value.shape
    return value.reshape(batch, rows, heads, columns // heads).transpose(
        0, 2, 1, 3)


def padded(mask, keys):
    """A shorter mask hides what is behind it."""
    hidden = False if mask.dtype == bool else -numpy.inf
    width = [(0, 0)] * (mask.ndim - 1) + [(0, keys - mask.shape[-1])]
    return numpy.pad(mask, width, constant_values=hidden)


def seen(queries, keys, valid, causal):
    """Which query may see which key: [batch or 1, 1, queries, keys]."""
    key, query = numpy.arange(keys), numpy.arange(queries)[:, None]
    if valid is None:
        return (key <= query if causal else key >= 0 * query)[None, None]
    valid = numpy.asarray(valid)[:, None, None, None]
    last = query + valid - queries if causal else numpy.inf * (query + 1)
    return (key < valid) & (key <= last)


def attention(operands, causal, heads=(1, 1)):
    q, k, v, mask, valid = (operands + [None] * 5)[:5]
    wide = [heads_first(x.astype(numpy.float64), count)
            for x, count in ((q, heads[0]), (k, heads[1]), (v, heads[1]))]
    groups = wide[0].shape[1] // wide[1].shape[1]
    keys, values = (numpy.repeat(x, groups, 1) for x in wide[1:])
    scores = wide[0] @ keys.swapaxes(2, 3) / numpy.sqrt(keys.shape[3])
    allowed = seen(*scores.shape[2:], valid, causal)
    if mask is not None:
        mask = padded(mask, keys.shape[2])
        if mask.dtype == bool:
            allowed = allowed & mask
        else:
            scores = scores + mask
    weights = numpy.where(allowed, numpy.exp(scores), 0)
    total = weights.sum(3, keepdims=True)
    weights /= numpy.where(total > 0, total, 1)
    result = weights @ values
    if q.ndim == 3:
        result = result.transpose(0, 2, 1, 3).reshape(
            q.shape[:2] + (heads[0] * wide[2].shape[3],))
    return result.astype(q.dtype)


class Cases:
    """One model, whose sizes are fixed or open."""

    def __init__(self, is_open):
        self.is_open = is_open
        self.numbers = numpy.random.default_rng(3)
        self.batch = Batch(opset=24)

    def real(self, *shape):
        return self.numbers.standard_normal(shape).astype(numpy.float32)

    def open(self, values):
        """Batch, queries and keys have names; a mask's keys are its own."""
        q, k, v, mask, valid = (values + [None] * 5)[:5]
        flat = q.ndim == 3
        names = [("b", "s", q.shape[2]), ("b", "t", k.shape[2]),
                 ("b", "t", v.shape[2])] if flat else [
            ("b", q.shape[1], "s", q.shape[3]),
            ("b", k.shape[1], "t", k.shape[3]),
            ("b", v.shape[1], "t", v.shape[3])]
        names.append(None if mask is None else
                     mask.shape[:-2] + ("s", "t"))
        names.append(("b",))
        return [value if value is None else Open(value, *dims)
                for value, dims in zip((q, k, v, mask, valid), names)]

    def add(self, values, causal, heads=None):
        want = attention(values, causal, heads or (1, 1))
        operands = self.open(values) if self.is_open else values
        (q, k, v, mask, valid) = (operands + [None] * 5)[:5]
        counts = {"q_num_heads": heads[0],
                  "kv_num_heads": heads[1]} if heads else {}
        self.batch.add("Attention", [q, k, v, mask, None, None, valid], want,
                       BOUND, is_causal=int(causal), **counts)

    def fill(self):
        """Decoding, several queries, none, too few keys; heads that share keys;
        three dimensions; all with masks, too."""
        for queries, keys, valid, heads in (
                (1, 8, (3, 8), (2, 2)), (3, 8, (5, 8), (2, 2)),
                (4, 6, (2, 0), (4, 2)), (5, 5, (5, 3), (3, 1)),
                (0, 4, (2, 4), (2, 2)), (17, 33, (33, 9), (4, 2))):
            size = self.numbers.integers(2, 9)
            shapes = ((2, heads[0], queries, size), (2, heads[1], keys, size),
                      (2, heads[1], keys, size))
            flat = tuple((2, rows, count * size)
                         for _, count, rows, _ in shapes)
            valid = numpy.array(valid)
            for causal in (True, False):
                for mask in self.masks(queries, keys, heads[0]):
                    self.add([self.real(*shape) for shape in shapes] +
                             [mask, valid], causal)
                # Of no rows, nobody knows the size of a head.
                if queries or self.is_open:
                    self.add([self.real(*shape) for shape in flat] +
                             [None, valid], causal, heads)
            # A row of a mask that hides all, without a cache.
            self.add([self.real(*shape) for shape in shapes] +
                     [self.numbers.random((queries, keys)) < 0.1], False)

    def masks(self, queries, keys, heads):
        yield None
        yield self.numbers.random((queries, keys)) < 0.6
        yield self.real(heads, queries, keys)
        if not self.is_open:
            yield self.numbers.random((2, 1, queries, keys)) < 0.6
            yield self.real(queries, keys // 2 + 1)


def main():
    wrong = []
    for is_open in (False, True):
        cases = Cases(is_open)
        cases.fill()
        wrong += cases.batch.wrong(WAYS)
    return report(wrong)


if __name__ == "__main__":
    sys.exit(main())
