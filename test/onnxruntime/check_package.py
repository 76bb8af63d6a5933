# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tenon.onnxruntime registers the library of the package, once; without
ONNX Runtime, and with one that is too old, it says what to do."""

import sys
import types

import numpy

import networks
import tenon.onnxruntime


def refusal(module):
    sys.modules["onnxruntime"] = module
    try:
        tenon.onnxruntime.register()
    except ImportError as reason:
        print("refused:", reason)
    del sys.modules["onnxruntime"]


refusal(None)
refusal(types.SimpleNamespace(__version__="1.20.0"))

import onnxruntime

devices = tenon.onnxruntime.register()
assert [device.ep_name for device in devices] == [tenon.onnxruntime.ep_name()]
assert len(tenon.onnxruntime.register()) == 1
options = onnxruntime.SessionOptions()
options.add_provider_for_devices(devices, {"threads": "1"})
model = networks.perceptron().SerializeToString()
session = onnxruntime.InferenceSession(model, sess_options=options,
                                       enable_fallback=0)
assert session.get_providers()[0] == tenon.onnxruntime.ep_name()
plain = onnxruntime.InferenceSession(model)
given = networks.feeds(plain, 1, 3)
assert numpy.allclose(session.run(None, given)[0], plain.run(None, given)[0],
                      atol=1e-4)
print("registered", tenon.onnxruntime.library_path())
