#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compare casts from and to elements of eight bits and fewer with onnx's own.

One model per source type holds a Cast to every other type in every mode. All
numbers of 16 bits and fewer are converted; of f32, all upper halves with lower
halves around ties; of integers, what lies around every limit."""

import argparse
import os
import subprocess
import sys
import warnings

import ml_dtypes
import numpy as np
import onnx
from onnx import TensorProto as T
from onnx.reference.ops.op_cast import cast_to

import agreement

F8 = (T.FLOAT8E4M3FN, T.FLOAT8E4M3FNUZ, T.FLOAT8E5M2, T.FLOAT8E5M2FNUZ)
SMALL = {T.FLOAT4E2M1: 4, T.INT4: 4, T.UINT4: 4, T.INT2: 2, T.UINT2: 2}
SIGNED = {T.INT4, T.INT2}
WIDE = (T.FLOAT, T.DOUBLE, T.FLOAT16, T.BFLOAT16, T.INT8, T.UINT8, T.INT32,
        T.INT64, T.BOOL)

# No number of this type is zero, so all are true.
SAME = (T.FLOAT8E8M0, T.BOOL)


def name(kind):
    return T.DataType.Name(kind)


def dtype(kind):
    return onnx.helper.tensor_dtype_to_np_dtype(kind)


def floats():
    upper = np.arange(0x10000, dtype=np.uint32) << 16
    lower = np.array([0, 1, 0x7fff, 0x8000, 0x8001, 0xffff], np.uint32)
    return (upper[:, None] | lower).ravel().view(np.float32)


def numbers(kind):
    """Everything there is to convert from a type."""
    if kind == T.FLOAT:
        return floats()
    if kind == T.DOUBLE:
        # What lies beside the f32 numbers, too: there is one rounding only.
        x = floats()[::7].astype(np.float64)
        return np.concatenate([x, np.nextafter(x, np.inf),
                               np.nextafter(x, -np.inf)])
    if kind in (T.FLOAT16, T.BFLOAT16):
        return np.arange(0x10000, dtype=np.uint16).view(dtype(kind))
    if kind == T.BOOL:
        return np.array([False, True])
    if kind in (T.INT32, T.INT64):
        info = np.iinfo(dtype(kind))
        return np.concatenate([np.arange(-70000, 70000),
                               [info.min, info.max]]).astype(dtype(kind))
    values = np.arange(1 << SMALL.get(kind, 8), dtype=np.uint8)
    return values.view(dtype(kind))


def modes(kind):
    """The attributes that say something of casts to a type."""
    if kind in F8:
        return [{"saturate": 1}, {"saturate": 0}]
    if kind == T.FLOAT8E8M0:
        return [{"saturate": saturate, "round_mode": mode}
                for saturate in (1, 0) for mode in ("up", "down", "nearest")]
    return [{}]


def expected(x, source, to, attributes):
    """What onnx's reference gives, by way of f32 where it cannot directly."""
    if x.dtype.name.startswith(("int2", "uint2", "int4", "uint4")):
        x = x.astype(np.int32)
    elif source in F8 + (T.FLOAT8E8M0, T.FLOAT4E2M1):
        x = x.astype(np.float32)
    elif source == T.DOUBLE and to in F8 + (T.FLOAT4E2M1,):
        x = once(x)
    return cast_to(x, to, bool(attributes.get("saturate", 1)),
                   attributes.get("round_mode", "up"))


def once(x):
    """f32 numbers that round as the f64 numbers do: to odd."""
    y = x.astype(np.float32)
    back = y.astype(np.float64)
    bits = y.view(np.uint32).copy()
    bits[np.abs(back) > np.abs(x)] -= 1
    bits[(back != x) & ~np.isnan(x)] |= 1
    return bits.view(np.float32)


def defined(x, source, to):
    """Where onnx says what comes out, or all implementations agree."""
    if to in F8 + (T.FLOAT8E8M0, T.FLOAT4E2M1):
        return np.full(x.shape, True)
    real = x.astype(np.float64)
    if to in SMALL:
        return np.abs(real) < 2.0 ** 31
    if np.issubdtype(dtype(to), np.integer):
        info = np.iinfo(dtype(to))
        return (real > float(info.min) - 1) & (real < float(info.max) + 1)
    return np.full(x.shape, True)


def stored(values, kind):
    """As tenon-run writes them: a byte each where numpy has no such type."""
    if kind in SIGNED:
        return values.astype(np.int8)
    if kind in SMALL or kind in F8 or kind == T.FLOAT8E8M0:
        return values.view(np.uint8)
    if kind == T.BFLOAT16:
        return values.view(np.uint16)
    return values


def same(got, want):
    if np.issubdtype(want.dtype, np.floating):
        nan = np.isnan(want)
        return np.where(nan, np.isnan(got), got == want) & (
            nan | (np.signbit(got) == np.signbit(want)))
    return got == want


def make_model(source, path):
    targets = F8 + tuple(SMALL) + (T.FLOAT8E8M0,)
    if source not in WIDE:
        targets += WIDE
    nodes, outputs = [], []
    for to in targets:
        # A cast to the type that there is changes nothing.
        for attributes in modes(to) if to != source else []:
            result = "_".join([name(to), *map(str, attributes.values())])
            nodes.append(onnx.helper.make_node("Cast", ["x"], [result], to=to,
                                               **attributes))
            outputs.append((result, to, attributes))
    shape = [numbers(source).size]
    graph = onnx.helper.make_graph(
        nodes, "casts", [onnx.helper.make_tensor_value_info("x", source, shape)],
        [onnx.helper.make_tensor_value_info(result, to, shape)
         for result, to, _ in outputs])
    model = onnx.helper.make_model(
        graph, opset_imports=[onnx.helper.make_opsetid("", 25)], ir_version=12)
    onnx.save(model, path)
    return outputs


def check(source, folder, cpu):
    path = os.path.join(folder, name(source))
    outputs = make_model(source, path + ".onnx")
    x = numbers(source)
    np.save(path + ".npy", x if source == T.BFLOAT16 else stored(x, source))
    command = ["tenon-run", "--interpret", path + ".onnx"]
    if cpu != "interpret":
        subprocess.run(["tenon-compile", path + ".onnx", "-o", path + ".tenon",
                        "--mcpu", cpu, "--quiet"], check=True)
        command = ["tenon-run", path + ".tenon"]
    subprocess.run([*command, "--input", f"x={path}.npy", "--output-dir",
                    path], check=True, stdout=subprocess.DEVNULL)
    failures = 0
    for result, to, attributes in outputs:
        got = np.load(os.path.join(path, result + ".npy"))
        want = stored(expected(x, source, to, attributes), to)
        if to == T.BFLOAT16:
            got, want = (a.view(ml_dtypes.bfloat16).astype(np.float32)
                         for a in (got, want))
        counted = defined(x, source, to)
        # Elements are cast one by one: reversed inputs, reversed results.
        text = agreement.weakness(want[counted], want[counted][::-1], 0)
        if text and (source, to) != SAME:
            failures += 1
            print(f"{cpu}: {name(source)} to {result}: {text}")
        wrong = np.flatnonzero(~same(got, want) & counted)
        if wrong.size:
            failures += 1
            at = wrong[0]
            print(f"{cpu}: {name(source)} to {result}: {wrong.size} differ; "
                  f"{x[at]} gives {got[at]}, not {want[at]}")
    return failures


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder")
    parser.add_argument("--mcpu", default="interpret",
                        help="names of processors, or 'interpret'")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    os.makedirs(arguments.folder, exist_ok=True)
    sources = WIDE + F8 + tuple(SMALL) + (T.FLOAT8E8M0,)
    failures = sum(check(source, arguments.folder, cpu)
                   for cpu in arguments.mcpu.split(",") for source in sources)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
