#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Write a model with smaller inputs, so that an interpreter can run it.

usage: shrink.py NAME|FILE.onnx INPUT=DIMxDIM... OUT.onnx

NAME is a graph beside this file, whose weights are made on the way. All
stored shapes but the new ones are dropped; those that the graph's own
constants imply must fit, which the checker then tells."""

import pathlib
import sys
import tempfile

import onnx
import onnx.shape_inference

import fill


def load(source):
    if source.endswith(".onnx"):
        return onnx.load(source)
    with tempfile.TemporaryDirectory() as folder:
        return onnx.load(fill.fill(source, pathlib.Path(folder)))


def shrink(model, shapes):
    del model.graph.value_info[:]
    for value in model.graph.output:
        value.type.tensor_type.ClearField("shape")
    for value in model.graph.input:
        if value.name not in shapes:
            continue
        shape = value.type.tensor_type.shape
        for dim, size in zip(shape.dim, shapes.pop(value.name), strict=True):
            dim.Clear()
            dim.dim_value = size
    if shapes:
        raise SystemExit(f"error: no input {', '.join(shapes)}")
    inferred = onnx.shape_inference.infer_shapes(model, strict_mode=True,
                                                 data_prop=True)
    del model.graph.output[:]
    model.graph.output.extend(inferred.graph.output)


def main():
    if len(sys.argv) < 4:
        print(__doc__)
        return 2
    model = load(sys.argv[1])
    shapes = {}
    for argument in sys.argv[2:-1]:
        name, _, dims = argument.rpartition("=")
        shapes[name] = [int(d) for d in dims.split("x")]
    shrink(model, shapes)
    onnx.checker.check_model(model)
    onnx.save(model, sys.argv[-1])
    return 0


if __name__ == "__main__":
    sys.exit(main())
