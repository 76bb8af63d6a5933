# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Write inputs of a speech detector: two of each of two rates, and a chunk that
is too long."""

import pathlib
import sys

import numpy

folder = pathlib.Path(sys.argv[1])
random = numpy.random.default_rng(5)
for name, batch, samples, rate in (("fast", 1, 576, 16000),
                                   ("fast-other", 1, 576, 16000),
                                   ("slow", 3, 288, 8000),
                                   ("slow-other", 3, 288, 8000),
                                   ("long", 1, 2000, 16000)):
    for what, values in (
            ("input", random.standard_normal((batch, samples)) * 0.1),
            ("state", random.standard_normal((2, batch, 128)) * 0.1)):
        numpy.save(folder / f"{name}-{what}.npy", values.astype(numpy.float32))
    numpy.save(folder / f"{name}-sr.npy", numpy.array(rate))
