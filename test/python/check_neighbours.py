# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Another MLIR, LLVM and protobuf in the process, visible to all, before or
after the compiler: check_neighbours.py before|after LIBRARY..."""

import ctypes
import sys

import tenon

TEXT = b"""<ir_version: 8, opset_import: ["" : 17]>
net (float[2, 3] x) => (float[2, 3] y) { r = Relu(x) y = Add(r, x) }
"""


def load():
    for library in sys.argv[2:]:
        ctypes.CDLL(library, ctypes.RTLD_GLOBAL)


def compile():
    return len(memoryview(tenon.compile(TEXT, name="net.onnxtxt")._source))


if sys.argv[1] == "before":
    load()
    compile()
else:
    first = compile()
    load()
    assert compile() == first
print("side by side")
