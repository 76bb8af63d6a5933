# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whole programs, in the operators that exporters make of them: chains of
stencils over images, recurrences, and what lies between products."""

import dataclasses
import typing


@dataclasses.dataclass(frozen=True)
class Program:
    """`make` gives the ONNX model, `halide` the same for Halide's autoscheduler.
    Outputs are compared but for `margin` rows and columns at each border: where
    each operator of ONNX pads anew, Halide's programs pad their input alone."""
    shape: str
    make: typing.Callable
    halide: typing.Callable | None = None
    margin: int = 0
