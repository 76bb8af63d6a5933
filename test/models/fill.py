#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Make the weights of the model graphs beside this file.

usage: fill.py OUT_DIR [NAME...]

The metadata entry "seeded_weights" of a graph maps an initializer's name to
[mean, standard deviation, non-negative]. Values come from a generator seeded
by the name, so the bytes are the same everywhere. Needs onnx and numpy."""

import json
import pathlib
import sys
import zlib

import numpy
import onnx

HERE = pathlib.Path(__file__).parent


def draw(tensor, mean, deviation, non_negative):
    generator = numpy.random.default_rng(zlib.crc32(tensor.name.encode()))
    values = generator.standard_normal(list(tensor.dims), dtype=numpy.float32)
    values = values * numpy.float32(deviation) + numpy.float32(mean)
    values = numpy.abs(values) if non_negative else values
    return values.astype("<f4").tobytes()


def draw_weights(model):
    """Give every weight that the model has a recipe for its values."""
    recipes = {}
    for entry in list(model.metadata_props):
        if entry.key == "seeded_weights":
            recipes = json.loads(entry.value)
            model.metadata_props.remove(entry)
    for tensor in model.graph.initializer:
        if tensor.name in recipes:
            tensor.raw_data = draw(tensor, *recipes[tensor.name])


def fill(name, out):
    """Write the filled model to `out`/<name>.onnx and return the path."""
    model = onnx.load(HERE / f"{name}.onnx")
    draw_weights(model)
    path = out / f"{name}.onnx"
    partial = path.with_suffix(".partial")
    onnx.save(model, partial)
    partial.rename(path)
    return path


def main():
    if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help"):
        print(__doc__)
        return 2
    out = pathlib.Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    names = sys.argv[2:] or sorted(p.stem for p in HERE.glob("*.onnx"))
    for name in names:
        path = fill(name, out)
        print(name, f"{path.stat().st_size / 2**20:.1f} MiB", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
