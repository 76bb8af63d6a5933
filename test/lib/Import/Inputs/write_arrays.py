#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""write_arrays.py FOLDER: arrays for fixed-values.onnxtxt, good and bad."""
import pathlib
import struct
import sys

folder = pathlib.Path(sys.argv[1])


def npy(name, descr, shape, data, order="False"):
    header = f"{{'descr': {descr}, 'fortran_order': {order}, {shape}}}"
    header = header.encode() + b" " * (63 - (10 + len(header)) % 64) + b"\n"
    (folder / name).write_bytes(
        b"\x93NUMPY\1\0" + struct.pack("<H", len(header)) + header + data)


def tensor(name, *fields):
    (folder / name).write_bytes(b"".join(fields))


npy("x=1.npy", "'<f4'", "'shape': (2, 2)", struct.pack("<4f", 0, 1, 2, 3))
npy("b.npy", "'|b1'", "'shape': (2,)", b"\1\0")
npy("untyped.npy", "[('a', '<f4')]", "'shape': (2,)", b"\1\0")
npy("big.npy", "'>f4'", "'shape': (2,)", b"\1\0")
npy("columns.npy", "'|b1'", "'shape': (2,)", b"\1\0", "True")
npy("shapeless.npy", "'|b1'", "'shape': (-2,)", b"\1\0")
npy("short.npy", "'|b1'", "'shape': (3,)", b"\1\0")
(folder / "noise.npy").write_bytes(b"noise that is no array")
(folder / "header.npy").write_bytes(b"\x93NUMPY\1\0\xff\xff{'descr'")
(folder / "noise.pb").write_bytes(b"\xff\xff\xff")

# TensorProto: dims = 1, data_type = 2, int64_data = 7, external_data = 13.
shape, int64 = b"\x08\x02", b"\x10\x07"
tensor("l.pb", shape, int64, b"\x3a\x02\x05\x06")
tensor("external.pb", shape, int64, b"\x6a\x00")
