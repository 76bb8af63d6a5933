#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Write a model with every dimension of every input open.

Shapes of values and outputs are dropped. Initialisers that older models list as
inputs stay as they are."""

import argparse
import pathlib

import onnx


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=pathlib.Path)
    parser.add_argument("out", metavar="OUT.onnx", type=pathlib.Path)
    given = parser.parse_args()
    model = onnx.load(given.model)
    graph = model.graph
    known = {tensor.name for tensor in graph.initializer}
    for value in graph.input:
        if value.name in known:
            continue
        for i, dim in enumerate(value.type.tensor_type.shape.dim):
            dim.dim_param = f"{value.name}_{i}"
    for value in graph.output:
        value.type.tensor_type.ClearField("shape")
    del graph.value_info[:]
    onnx.save(model, given.out)


if __name__ == "__main__":
    main()
