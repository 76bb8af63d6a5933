#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compare spectra and windows with numpy's in double.

Errors are bounded over the largest number of each result. The bounds are those
of sums of some hundred terms, whatever the length."""

import sys

import numpy

from references.batch import Batch, Constant, Open, report

# Short ones are one matrix; products of two and three factors; primes, also as
# factors, that are convolutions.
SHORT = (1, 2, 3, 16, 17, 128, 400, 509, 512)
LONG = (521, 1024, 1042, 4096, 30000, 65536)
BOUNDS = {numpy.float32: 1.5e-6, numpy.float64: 4e-15, numpy.float16: 1e-3}
WAYS = (None, (), ("--mcpu=x86-64",))


def parts(values, kind):
    return numpy.stack([values.real, values.imag], -1).astype(kind)


def signal(shape, kind, numbers):
    return numbers.standard_normal(shape).astype(kind)


def joined(values):
    wide = values.astype(numpy.float64)
    return wide[..., 0] + 1j * wide[..., 1] if wide.shape[-1] == 2 \
        else wide[..., 0]


def add_transforms(batch, length, kind, numbers):
    """All four, of rows along the last dimension."""
    bound, rows = BOUNDS[kind], 3
    for components in (1, 2):
        x = signal((rows, length, components), kind, numbers)
        batch.add("DFT", [x], parts(numpy.fft.fft(joined(x)), kind), bound)
        batch.add("DFT", [x], parts(numpy.fft.ifft(joined(x)), kind), bound,
                  inverse=1)
    x = signal((rows, length, 1), kind, numbers)
    batch.add("DFT", [x], parts(numpy.fft.rfft(joined(x)), kind), bound,
              onesided=1)
    half = signal((rows, length // 2 + 1, 2), kind, numbers)
    batch.add("DFT", [half, Constant(length, numpy.int64)],
              numpy.fft.irfft(joined(half), length)[..., None].astype(kind),
              bound, inverse=1, onesided=1)


def given(*values):
    """Numbers that the run is told."""
    return [Open(numpy.array(value), kept=True) for value in values]


def add_axes(batch, numbers):
    """That the model has, or the run is told."""
    x, kind = signal((6, 5, 4, 2), numpy.float32, numbers), numpy.float32
    for axis in (0, 1, 2, -2, -4):
        for length in (None, 3, 8):
            at = axis if axis >= 0 else axis + 4
            want = numpy.fft.fft(joined(x), length, axis=at)
            size = None if length is None else Constant(length, numpy.int32)
            for which in (Constant(axis, numpy.int64), *given(axis)):
                batch.add("DFT", [x, size, which], parts(want, kind),
                          BOUNDS[kind])
    half = x[..., :1]
    batch.add("DFT", [Open(half, "a", "b", "c", 1), None, *given(1)],
              parts(numpy.fft.rfft(joined(half), axis=1), kind), BOUNDS[kind],
              onesided=1)


def frames(x, step, window, length, onesided):
    count = 1 + (x.shape[1] - length) // step
    cut = numpy.stack([joined(x)[:, i * step:i * step + length]
                       for i in range(count)], 1)
    spectra = numpy.fft.fft(cut * (1 if window is None else window))
    return spectra[..., :length // 2 + 1] if onesided else spectra


def add_short_times(batch, numbers):
    for step, length, total in ((160, 400, 2000), (128, 512, 1700),
                                (256, 1024, 3000), (8, 8, 64), (10, 4, 64),
                                (3, 16, 100), (1, 200, 230)):
        for components, onesided in ((1, 1), (1, 0), (2, 0)):
            x = signal((2, total, components), numpy.float32, numbers)
            window = numpy.hanning(length).astype(numpy.float32)
            for given in (None, window, Constant(window)):
                used = None if given is None else window.astype(numpy.float64)
                batch.add("STFT", [x, Constant(step, numpy.int64), given,
                                   Constant(length, numpy.int64)],
                          parts(frames(x, step, used, length, onesided),
                                numpy.float32), 1.5e-6, onesided=onesided)


def add_windows(batch):
    for size in (1, 2, 9, 400):
        for periodic in (0, 1):
            turn = 2 * numpy.pi * numpy.arange(size) / max(
                size - 1 + periodic, 1)
            once, twice = numpy.cos(turn), numpy.cos(2 * turn)
            for name, want in (("Hann", 0.5 - 0.5 * once),
                               ("Hamming", (25 - 21 * once) / 46),
                               ("Blackman", 0.42 - 0.5 * once + 0.08 * twice)):
                for code, kind, bound in ((1, numpy.float32, 1e-7),
                                          (11, numpy.float64, 1e-15)):
                    for operand in (Constant(size, numpy.int64), *given(size)):
                        batch.add(f"{name}Window", [operand],
                                  want.astype(kind), bound, periodic=periodic,
                                  output_datatype=code)


def add_open_transforms(batch, length, kind, numbers):
    """Of a length that is known in the run only: that of the signal, or an
    operand. Numbers that may be real or complex are taken as complex."""
    bound, rows = BOUNDS[kind], 3
    dims = ("m", "n", "p")
    for components in (1, 2):
        x = signal((rows, length, components), kind, numbers)
        want = parts(numpy.fft.fft(joined(x)), kind)
        for last in ("p", components):
            batch.add("DFT", [Open(x, "m", "n", last)], want, bound)
        batch.add("DFT", [Open(x, *dims)],
                  parts(numpy.fft.ifft(joined(x)), kind), bound, inverse=1)
    x = signal((rows, length, 1), kind, numbers)
    for size in (length, length + 3, max(1, length - 2)):
        for operands in ([Open(x, *dims)], [x]):
            batch.add("DFT", [*operands, *given(size)],
                      parts(numpy.fft.rfft(joined(x), size), kind), bound,
                      onesided=1)
    half = signal((rows, length // 2 + 1, 2), kind, numbers)
    batch.add("DFT", [Open(half, *dims), *given(length)],
              numpy.fft.irfft(joined(half), length)[..., None].astype(kind),
              bound, inverse=1, onesided=1)
    # As many as numbers are stored for.
    whole = 2 * (half.shape[1] - 1)
    if whole:
        batch.add("DFT", [Open(half, *dims)], numpy.fft.irfft(
            joined(half), whole)[..., None].astype(kind), bound, inverse=1,
            onesided=1)


def add_open_short_times(batch, numbers):
    """Open signals; then frames that only the run knows."""
    for step, length, total in ((160, 400, 900), (8, 8, 8), (10, 4, 64),
                                (3, 16, 101), (256, 1024, 1300)):
        window = numpy.hanning(length + 1)[1:].astype(numpy.float32)
        for components, onesided in ((1, 1), (2, 0)):
            x = signal((2, total, components), numpy.float32, numbers)
            dims = ("m", "n", "p")
            want = parts(frames(x, step, window.astype(numpy.float64), length,
                                onesided), numpy.float32)
            size, hop = given(length, step)
            fixed = [Constant(step, numpy.int64), Constant(window), None]
            for operands in ([Open(x, *dims), *fixed], [x, hop, *fixed[1:]],
                             [Open(x, *dims), hop, Open(window, "l"), size]):
                batch.add("STFT", operands, want, 2e-6, onesided=onesided)
    x = signal((2, 30), numpy.float32, numbers)
    for signals in (x, Open(x, "m", "n")):
        batch.add("STFT", [signals, Constant(4, numpy.int64), None,
                           Constant(8, numpy.int64)],
                  parts(frames(x[..., None], 4, None, 8, 1), numpy.float32),
                  1.5e-6)


def main():
    numbers, wrong = numpy.random.default_rng(0), []
    others = numpy.random.default_rng(1)
    for kind in BOUNDS:
        batch = Batch()
        for length in SHORT:
            add_transforms(batch, length, kind, numbers)
            if length < 129:
                add_open_transforms(batch, length, kind, others)
        wrong += batch.wrong(WAYS if kind is numpy.float32 else WAYS[:2])
    # The interpreter is slow.
    batch = Batch()
    for length in LONG:
        add_transforms(batch, length, numpy.float32, numbers)
    wrong += batch.wrong(WAYS[1:])
    batch = Batch()
    add_axes(batch, numbers)
    add_short_times(batch, numbers)
    add_open_short_times(batch, others)
    add_windows(batch)
    return report(wrong + batch.wrong(WAYS))


if __name__ == "__main__":
    sys.exit(main())
