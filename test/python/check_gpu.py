# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tensors and streams of a GPU, as $TENON_CUDA_LIBRARY emulates one, and what
is said where there is none: check_gpu.py."""

import ctypes
import os
import unittest

import numpy as np
import tenon

TEXT = (b'<ir_version: 8, opset_import: ["" : 17]>\n'
        b"net (float[2, 3] x, float[3] b) => (float[2, 3] y) { y = Add(x, b) }")


def compile(*options):
    return tenon.compile(TEXT, name="net.onnxtxt", options=options)


class OnGpu:
    """A tensor that lies at an address of a GPU's."""

    def __init__(self, array, address):
        self.array, self.address, self.asked = array, address, {}

    def __dlpack_device__(self):
        return 2, 0

    def __dlpack__(self, **asked):
        self.asked = asked
        capsule = self.array.__dlpack__()
        pointer = ctypes.pythonapi.PyCapsule_GetPointer
        pointer.restype = ctypes.c_void_p
        pointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
        tensor = pointer(capsule, b"dltensor")
        ctypes.c_void_p.from_address(tensor).value = self.address
        ctypes.c_int32.from_address(tensor + 8).value = 2
        return capsule


class Gpu(unittest.TestCase):
    def setUp(self):
        self.x = np.arange(6, dtype=np.float32).reshape(2, 3)
        self.b = np.ones(3, np.float32)

    def test_none(self):
        model = compile()
        with self.assertRaisesRegex(tenon.TensorError, "'x' is not in CPU"):
            model(OnGpu(self.x, self.x.ctypes.data), self.b)
        with self.assertRaisesRegex(tenon.Error, "takes no stream"):
            model.context(stream=4096)

    @unittest.skipUnless("TENON_CUDA_LIBRARY" in os.environ, "no GPU")
    def test_a_stream_of_the_caller(self):
        cuda = ctypes.CDLL(os.environ["TENON_CUDA_LIBRARY"])
        device, owner = ctypes.c_int(), ctypes.c_void_p()
        stream, address = ctypes.c_void_p(), ctypes.c_uint64()
        for wrong in (cuda.cuInit(0),
                      cuda.cuDeviceGet(ctypes.byref(device), 0),
                      cuda.cuDevicePrimaryCtxRetain(ctypes.byref(owner), device),
                      cuda.cuCtxPushCurrent_v2(owner),
                      cuda.cuStreamCreate(ctypes.byref(stream), 1),
                      cuda.cuMemAlloc_v2(ctypes.byref(address),
                                         ctypes.c_size_t(256)),
                      cuda.cuMemcpyHtoDAsync_v2(
                          address, ctypes.c_void_p(self.x.ctypes.data),
                          ctypes.c_size_t(24), stream)):
            self.assertEqual(wrong, 0)
        model = compile("--device=cuda")
        context = model.context(stream=stream.value)
        x = OnGpu(self.x, address.value)
        context.run_async(x, self.b)
        self.assertEqual(x.asked["stream"], stream.value)
        np.testing.assert_array_equal(np.asarray(context.wait()[0]), self.x + 1)


if __name__ == "__main__":
    unittest.main()
