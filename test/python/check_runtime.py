# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The package tenon_runtime alone: check_runtime.py ARTIFACT."""

import array
import sys

import tenon_runtime

x = memoryview(array.array("f", [-2, -1, 0, 1, 2, 3])).cast("B").cast("f", [2, 3])
model = tenon_runtime.load(sys.argv[1], threads=1)
y, = model(x)
print(memoryview(y).tolist())
y, = tenon_runtime.InferenceSession(sys.argv[1]).run(None, {"x": x})
print(memoryview(y).tolist())
try:
    tenon_runtime.InferenceSession(b"a model")
except ValueError as error:
    print(error)
try:
    tenon_runtime.load(b"no artifact")
except tenon_runtime.Error as error:
    print(type(error).__module__, error.code)
print(len(model.profile(x)), "launches")
assert "tenon" not in sys.modules
