#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Make the weights of the model graphs beside this file.

usage: fill.py OUT_DIR [NAME...]

The metadata entry "seeded_weights" of a graph maps an initializer's name to
[mean, standard deviation, non-negative], or to [..., centred] where the filter of
each output sums to 0. calibrate.py has set the deviations. Values come from a
generator seeded by the name, so the bytes are the same everywhere. Needs onnx and
numpy."""

import json
import pathlib
import sys
import zlib

import numpy
import onnx

HERE = pathlib.Path(__file__).parent
ENTRY = "seeded_weights"


def draw(tensor, mean, deviation, non_negative, centred=False):
    """An array of the tensor's shape."""
    generator = numpy.random.default_rng(zlib.crc32(tensor.name.encode()))
    values = generator.standard_normal(list(tensor.dims), dtype=numpy.float32)
    if centred:
        filters = tuple(range(1, values.ndim))
        # A sum in double is the same float in whatever order.
        means = values.mean(axis=filters, keepdims=True, dtype=numpy.float64)
        values -= means.astype(numpy.float32)
    values = values * numpy.float32(deviation) + numpy.float32(mean)
    return numpy.abs(values) if non_negative else values


def recipes(model):
    """{initializer's name: its recipe}"""
    found = [e.value for e in model.metadata_props if e.key == ENTRY]
    return json.loads(found[0]) if found else {}


def set_recipes(model, made):
    """Write the recipes into the model; none leave no trace."""
    for entry in [e for e in model.metadata_props if e.key == ENTRY]:
        model.metadata_props.remove(entry)
    if made:
        model.metadata_props.add(key=ENTRY, value=json.dumps(made))


def draw_weights(model):
    """Give every weight that the model has a recipe for its values."""
    made = recipes(model)
    for tensor in model.graph.initializer:
        if tensor.name in made:
            values = draw(tensor, *made[tensor.name])
            tensor.raw_data = values.astype("<f4").tobytes()
    set_recipes(model, {})


def save_filled(model, path):
    """Write the model with its weights, whole or not at all."""
    draw_weights(model)
    partial = path.with_suffix(".partial")
    onnx.save(model, partial)
    partial.rename(path)


def fill(name, out):
    """Write the filled model to `out`/<name>.onnx and return the path."""
    path = out / f"{name}.onnx"
    save_filled(onnx.load(HERE / f"{name}.onnx"), path)
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
