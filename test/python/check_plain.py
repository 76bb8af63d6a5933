# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The package without numpy: y = relu(x) + x on 2x3, from a text to results."""

import array
import sys

import tenon

TEXT = b"""<ir_version: 8, opset_import: ["" : 17]>
net (float[batch, 3] x) => (float[batch, 3] y) { r = Relu(x) y = Add(r, x) }
"""

model = tenon.compile(TEXT, name="net.onnxtxt", dims={"batch": 2})
print(model.inputs, model.outputs)
x = memoryview(array.array("f", [-2, -1, 0, 1, 2, 3])).cast("B").cast("f", [2, 3])
y, = model(x)
print(y.shape, y.dtype, memoryview(y).tolist())
model.save(sys.argv[1])
z = tenon.load(sys.argv[1], threads=1).run({"x": x})["y"]
print("same" if memoryview(z).tolist() == memoryview(y).tolist() else "other")
assert "numpy" not in sys.modules
