#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compile programs whose constants are large, or there twice, as graphs say
them: an artifact must be no larger than what is written down here, and compute
what the interpreter does. Needs tenon-compile and tenon-run in the PATH.

usage: check_sizes.py DIR [MCPU...]    without MCPU: this processor, and run"""

import pathlib
import random
import struct
import subprocess
import sys

KIB = 1024
OVERHEAD = 24 * KIB  # code, tables, alignment


def numbers(name, count):
    """An entry of the resources: floats of which no two are equal."""
    draw = random.Random(name)
    floats = [draw.uniform(-1, 1) for _ in range(count)]
    return f'{name}: "0x04000000{struct.pack(f"<{count}f", *floats).hex()}"'


def bytes_of(name, count):
    draw = random.Random(name)
    return f'{name}: "0x01000000{draw.randbytes(count).hex()}"'


def program(inputs, outputs, lines, resources=()):
    ins = ", ".join(f'%{n}: tensor<{t}> {{onnx.name = "{n}"}}' for n, t in inputs)
    outs = ", ".join(f'tensor<{t}> {{onnx.name = "{n}"}}' for n, t in outputs)
    names = ", ".join(f"%{n}" for n, _ in outputs)
    types = ", ".join(f"tensor<{t}>" for _, t in outputs)
    body = "\n".join(f"  {line}" for line in lines)
    text = f"func.func @main({ins}) -> ({outs}) {{\n{body}\n  return {names} : {types}\n}}\n"
    if resources:
        entries = ",\n".join(resources)
        text += f"{{-# dialect_resources: {{ builtin: {{ {entries} }} }} #-}}\n"
    return text


def op(result, name, operands, types, result_type, attributes=""):
    read = ", ".join(f"%{x}" for x in operands)
    return (f"%{result} = graph.{name} {read} {attributes} : "
            f"({', '.join(f'tensor<{t}>' for t in types)}) -> tensor<{result_type}>")


def dense(result, value, type_):
    return f"%{result} = graph.constant dense<{value}> : tensor<{type_}>"


def resource(result, name, type_):
    return f"%{result} = graph.constant dense_resource<{name}> : tensor<{type_}>"


def uniform():
    """8 MiB of halves times a column, and as weights."""
    return OVERHEAD, program(
        [("x", "1024x1xf32"), ("z", "4x1024xf32")],
        [("y", "1024x2048xf32"), ("w", "4x2048xf32")], [
            dense("half", "0.5", "1024x2048xf32"),
            op("y", "mul", ["x", "half"], ["1024x1xf32", "1024x2048xf32"], "1024x2048xf32"),
            op("w", "matmul", ["z", "half"], ["4x1024xf32", "1024x2048xf32"], "4x2048xf32"),
        ])


def mean():
    """64 MiB of zeros, plus 1: the mean."""
    return OVERHEAD, program([("x", "4xf32")], [("y", "4xf32")], [
        dense("zeros", "0.0", "4096x4096xf32"),
        dense("one", "1.0", "f32"),
        op("ones", "add", ["zeros", "one"], ["4096x4096xf32", "f32"], "4096x4096xf32"),
        op("mean", "reduce_mean", ["ones"], ["4096x4096xf32"], "f32",
           "{axes = array<i64: 0, 1>, keep_dims = false}"),
        op("y", "add", ["x", "mean"], ["4xf32", "f32"], "4xf32"),
    ])


def tile():
    """A row, 2048 times, and an output of it."""
    return 4 * KIB + OVERHEAD, program(
        [("x", "2048x1xf32")], [("y", "2048x1024xf32"), ("z", "2048x1024xf32")], [
            resource("row", "row", "1x1024xf32"),
            op("split", "reshape", ["row"], ["1x1024xf32"], "1x1x1024xf32"),
            op("wide", "broadcast", ["split"], ["1x1x1024xf32"], "2048x1x1024xf32"),
            op("z", "reshape", ["wide"], ["2048x1x1024xf32"], "2048x1024xf32"),
            op("y", "add", ["z", "x"], ["2048x1024xf32", "2048x1xf32"], "2048x1024xf32"),
        ], [numbers("row", 1024)])


def tied():
    """A table of 128 KiB, gathered from and, transposed, as weights."""
    return 128 * KIB + 16 * KIB + OVERHEAD, program(
        [("i", "5xi64")], [("y", "5x512xf32")], [
            resource("table", "table", "512x64xf32"),
            op("rows", "gather", ["table", "i"], ["512x64xf32", "5xi64"], "5x64xf32",
               "{axis = 0 : i64}"),
            op("columns", "transpose", ["table"], ["512x64xf32"], "64x512xf32",
               "{permutation = array<i64: 1, 0>}"),
            op("y", "matmul", ["rows", "columns"], ["5x64xf32", "64x512xf32"], "5x512xf32"),
        ], [numbers("table", 512 * 64)])


def equal():
    """64 KiB under two names and shapes, as weights and as the transpose that
    packs to the same bytes, and 64 KiB as addends under two names and types."""
    data = numbers("a", 128 * 128).split(": ")[1]
    turned = [numbers("a", 128 * 128).split("0x04000000")[1].rstrip('"')]
    turned = [turned[0][8 * (128 * k + n):8 * (128 * k + n) + 8]
              for n in range(128) for k in range(128)]
    return 2 * 64 * KIB + OVERHEAD, program(
        [("x", "32x128xf32"), ("s", "16384xf32"), ("t", "128x128xi32")],
        [("y", "32x128xf32"), ("z", "32x128xf32"), ("u", "16384xf32"), ("v", "128x128xi32")], [
            resource("a", "a", "128x128xf32"),
            resource("b", "b", "128x128xf32"),
            resource("c", "c", "16384xf32"),
            resource("d", "d", "128x128xi32"),
            op("y", "matmul", ["x", "a"], ["32x128xf32", "128x128xf32"], "32x128xf32"),
            op("z", "matmul", ["x", "b"], ["32x128xf32", "128x128xf32"], "32x128xf32",
               "{transpose_rhs}"),
            op("u", "add", ["s", "c"], ["16384xf32", "16384xf32"], "16384xf32"),
            op("v", "add", ["t", "d"], ["128x128xi32", "128x128xi32"], "128x128xi32"),
        ], [f"a: {data}", f'b: "0x04000000{"".join(turned)}"',
            numbers("e", 16384).replace("e:", "c:"), numbers("e", 16384).replace("e:", "d:")])


def quantized():
    """A table of 128 KiB with a scale per row, of which rows are gathered."""
    return 128 * KIB + 8 * KIB + OVERHEAD, program(
        [("i", "5xi64")], [("y", "5x64xf32")], [
            resource("table", "table", "2048x64xi8"),
            resource("scale", "scale", "2048x1xf32"),
            op("real", "cast", ["table"], ["2048x64xi8"], "2048x64xf32"),
            op("scaled", "mul", ["real", "scale"], ["2048x64xf32", "2048x1xf32"], "2048x64xf32"),
            op("y", "gather", ["scaled", "i"], ["2048x64xf32", "5xi64"], "5x64xf32",
               "{axis = 0 : i64}"),
        ], [bytes_of("table", 2048 * 64), numbers("scale", 2048)])


def outer():
    """A row and a column, 1 MiB together, added to an input."""
    return 4 * KIB + OVERHEAD, program([("x", "512x512xf32")], [("y", "512x512xf32")], [
        resource("row", "row", "1x512xf32"),
        resource("column", "column", "512x1xf32"),
        op("sum", "mul", ["row", "column"], ["1x512xf32", "512x1xf32"], "512x512xf32"),
        op("y", "add", ["x", "sum"], ["512x512xf32", "512x512xf32"], "512x512xf32"),
    ], [numbers("row", 512), numbers("column", 512)])


def call(*command):
    subprocess.run([str(word) for word in command], check=True, stdout=subprocess.DEVNULL)


def run(model, artifact, folder):
    call("tenon-run", "--interpret", model, "--input", "random:1", "--output-dir", folder)
    expected = [word for path in sorted(folder.glob("*.npy"))
                for word in ("--expect", f"{path.stem}={path}")]
    call("tenon-run", artifact, "--input", "random:1", *expected)


def main():
    folder = pathlib.Path(sys.argv[1])
    failed = False
    for make in (uniform, mean, tile, tied, equal, quantized, outer):
        limit, text = make()
        model = folder / f"{make.__name__}.mlir"
        model.write_text(text)
        for cpu in sys.argv[2:] or [""]:
            artifact = folder / f"{make.__name__}{cpu}.tenon"
            call("tenon-compile", model, "--quiet", "-o", artifact,
                 *([f"--mcpu={cpu}"] if cpu else []))
            size = artifact.stat().st_size
            verdict = "" if size <= limit else ": TOO LARGE"
            print(f"{artifact.stem}: {size} of {limit} bytes{verdict}")
            failed |= size > limit
        if len(sys.argv) == 2:
            outputs = folder / make.__name__
            outputs.mkdir()
            run(model, artifact, outputs)
    sys.exit(failed)


if __name__ == "__main__":
    main()
