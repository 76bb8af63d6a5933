#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compare random tensors with Philox in numpy, and their spread with what was
asked for: means and deviations of 100,000 numbers lie within five standard
errors. Without a seed, two nodes of one model must differ."""

import pathlib
import sys
import tempfile

import numpy
from onnx import TensorProto

from references.batch import Batch, Open, report
from references.philox import bits_of

WAYS = (None, (), ("--mcpu=x86-64",))
SEED = 7.5
SHAPES = ((1,), (3,), (2, 5, 7), (4, 0), (1, 65))


def uniform(shape, part=0, seed=SEED):
    """From [0, 1)."""
    key = int(numpy.float32(seed).view(numpy.uint32))
    return (bits_of(shape, key, 0, part) >> numpy.uint64(8)) * 2.0 ** -24


def normal(shape):
    radius = numpy.sqrt(-2 * numpy.log(1 - uniform(shape)))
    return radius * numpy.cos(2 * numpy.pi * uniform(shape, 1))


def opened(value, kept=False):
    return Open(value, *"klmn"[:value.ndim], kept=kept)


def add_fills(batch, shape, numbers):
    even = (-2 + 5 * uniform(shape)).astype(numpy.float32)
    round_about = (3 + 0.5 * normal(shape)).astype(numpy.float32)
    batch.add("RandomUniform", [], even, 1e-6, shape=shape, low=-2.0, high=3.0,
              seed=SEED)
    batch.add("RandomNormal", [], round_about.astype(numpy.float64), 1e-5,
              shape=shape, mean=3.0, scale=0.5, seed=SEED,
              dtype=TensorProto.DOUBLE)
    # Only the shape is read: no other operand gives another result.
    like = opened(numbers.integers(0, 9, shape), kept=True)
    batch.add("RandomUniformLike", [like], even, 1e-6, low=-2.0, high=3.0,
              seed=SEED, dtype=TensorProto.FLOAT)
    batch.add("RandomNormalLike", [like], round_about.astype(numpy.float16),
              2e-3, mean=3.0, scale=0.5, seed=SEED, dtype=TensorProto.FLOAT16)


def add_choices(batch, numbers):
    p = numbers.uniform(0, 1, (6, 50)).astype(numpy.float32)
    drawn = uniform(p.shape)
    for operand in (p, opened(p)):
        batch.add("Bernoulli", [operand], drawn < p, seed=SEED,
                  dtype=TensorProto.BOOL)
    batch.add("Bernoulli", [p], (drawn < p).astype(numpy.float32), seed=SEED)
    chances = numbers.uniform(0.05, 1, (4, 9)).astype(numpy.float32)
    sums = numpy.cumsum(chances.astype(float), 1)
    level = uniform((4, 40)) * sums[:, -1:]
    want = (level[:, :, None] >= sums[:, None]).sum(2)
    # Up to a factor: the classes are drawn by what is left of it.
    logarithms = numpy.log(chances) + numpy.float32(5)
    for operand in (logarithms, opened(logarithms)):
        batch.add("Multinomial", [operand], want.astype(numpy.int32),
                  sample_size=40, seed=SEED)


def outputs(batch):
    """What the nodes of a batch give, one array after the other."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        batch.write(folder / "model.onnx")
        text, results = batch.outputs(folder, None, batch.inputs)
        if text:
            raise SystemExit(text)
        return results.values()


def check_spread():
    count, wrong = 100_000, []
    batch = Batch(22)
    for operator in ("RandomUniform", "RandomUniform", "RandomNormal"):
        batch.add(operator, [], numpy.float32(0), shape=[count])
    first, second, third = outputs(batch)
    for name, values, mean, deviation in (
            ("uniform", first, 0.5, 12 ** -0.5), ("normal", third, 0, 1)):
        error = 5 * deviation / count ** 0.5
        if abs(values.mean() - mean) > error or \
                abs(values.std() - deviation) > error:
            wrong.append(f"{name}: {values.mean()}, {values.std()}")
    if numpy.mean(first == second) > 0.001:
        wrong.append("two nodes without a seed draw the same")
    return wrong


def main():
    numbers, batch = numpy.random.default_rng(5), Batch(22)
    for shape in SHAPES:
        add_fills(batch, shape, numbers)
    add_choices(batch, numbers)
    return report(batch.wrong(WAYS) + check_spread())


if __name__ == "__main__":
    sys.exit(main())
