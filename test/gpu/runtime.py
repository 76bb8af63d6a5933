# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Time an artifact on tensors that lie on a GPU, by the run time's C API
(include/tenon-c/Runtime.h, Device.h):

  runtime.py LIBTENON-RUNTIME.SO MODEL.tenon RUNS

prints JSON: `device_us` on the GPU, and `host_us` as the caller sees it, both
the median of RUNS."""

import ctypes as c
import itertools
import json
import os
import random
import statistics
import sys
import time

CUDA = 2


class Dtype(c.Structure):
    _fields_ = [("code", c.c_uint8), ("bits", c.c_uint8), ("lanes", c.c_uint16)]


class Device(c.Structure):
    _fields_ = [("type", c.c_int32), ("id", c.c_int32)]


class Tensor(c.Structure):
    _fields_ = [("data", c.c_void_p), ("device", Device), ("ndim", c.c_int32),
                ("dtype", Dtype), ("shape", c.POINTER(c.c_int64)),
                ("strides", c.POINTER(c.c_int64)), ("byte_offset", c.c_uint64)]


class TensorInfo(c.Structure):
    _fields_ = [("struct_size", c.c_size_t), ("name", c.c_char_p),
                ("dtype", Dtype), ("rank", c.c_int32),
                ("shape", c.POINTER(c.c_int64)), ("byte_size", c.c_size_t),
                ("kind", c.c_int)]


class LoadOptions(c.Structure):
    _fields_ = [("struct_size", c.c_size_t), ("verify_weights", c.c_bool),
                ("variant", c.c_char_p), ("device", Device)]


class ContextOptions(c.Structure):
    _fields_ = [("struct_size", c.c_size_t), ("threads", c.c_int32),
                ("profile", c.c_bool), ("allocator", c.c_void_p * 3),
                ("executor", c.c_void_p * 3), ("arena", c.c_void_p),
                ("arena_size", c.c_size_t), ("entry", c.c_char_p),
                ("trace", c.c_void_p), ("trace_user", c.c_void_p),
                ("max_steps", c.c_uint64), ("device", Device),
                ("device_stream", c.c_void_p), ("device_clock", c.c_bool)]


class Model:
    """An artifact on a GPU, and a context for it. `allocate(bytes)` gives the
    address of memory on the GPU."""

    def __init__(self, library, path, allocate):
        self.library = c.CDLL(str(library))
        for name in ("tenon_model_load_file", "tenon_context_create",
                     "tenon_model_input", "tenon_model_output",
                     "tenon_run_async", "tenon_wait"):
            getattr(self.library, name).restype = c.c_void_p
        self.library.tenon_device_nanoseconds.restype = c.c_int64
        self.library.tenon_status_message.restype = c.c_char_p
        self.model, self.context = c.c_void_p(), c.c_void_p()
        loading = LoadOptions(c.sizeof(LoadOptions), False, None,
                              Device(CUDA, 0))
        self.take(self.library.tenon_model_load_file(
            str(path).encode(), c.byref(loading), c.byref(self.model)))
        running = ContextOptions(struct_size=c.sizeof(ContextOptions),
                                 device_clock=True)
        self.take(self.library.tenon_context_create(
            self.model, c.byref(running), c.byref(self.context)))
        self.inputs = self.tensors("input", allocate)
        self.outputs = self.tensors("output", allocate)

    def take(self, status):
        if status:
            message = self.library.tenon_status_message(c.c_void_p(status))
            raise RuntimeError(message.decode())

    def tensors(self, kind, allocate):
        count = getattr(self.library, f"tenon_model_{kind}_count")(self.model)
        tensors = (Tensor * count)()
        for i in range(count):
            info = TensorInfo(struct_size=c.sizeof(TensorInfo))
            self.take(getattr(self.library, f"tenon_model_{kind}")(
                self.model, c.c_size_t(i), c.byref(info)))
            tensors[i] = Tensor(allocate(info.byte_size), Device(CUDA, 0),
                                info.rank, info.dtype, info.shape, None, 0)
        return tensors

    def run(self):
        """Microseconds on the GPU."""
        self.take(self.library.tenon_run_async(
            self.context, self.inputs, c.c_size_t(len(self.inputs)),
            self.outputs, c.c_size_t(len(self.outputs))))
        self.take(self.library.tenon_wait(self.context))
        return self.library.tenon_device_nanoseconds(self.context) / 1000

    def close(self):
        self.library.tenon_context_destroy(self.context)
        self.library.tenon_model_destroy(self.model)


class Gpu:
    """Memory on the first GPU, by the driver."""

    def __init__(self):
        self.driver = c.CDLL(os.environ.get("TENON_CUDA_LIBRARY",
                                            "libcuda.so.1"))
        context = c.c_void_p()
        self.take(self.driver.cuInit(0))
        self.take(self.driver.cuDevicePrimaryCtxRetain(c.byref(context), 0))
        self.take(self.driver.cuCtxPushCurrent_v2(context))

    @staticmethod
    def take(result):
        if result:
            raise RuntimeError(f"the driver says {result}")

    def allocate(self, size):
        pointer = c.c_uint64()
        self.take(self.driver.cuMemAlloc_v2(c.byref(pointer),
                                            c.c_size_t(max(size, 16))))
        return pointer.value

    def write(self, address, data):
        self.take(self.driver.cuMemcpyHtoD_v2(
            c.c_uint64(address), data, c.c_size_t(c.sizeof(data))))


def fill(gpu, tensor):
    """Numbers that do not make units draw less power, and small indices."""
    count = 1
    for i in range(tensor.ndim):
        count *= tensor.shape[i]
    if (tensor.dtype.code, tensor.dtype.bits) == (2, 32):
        random.seed(1)
        some = [random.gauss(0, 1) for _ in range(min(count, 1 << 16))]
        data = (c.c_float * count)(*itertools.islice(itertools.cycle(some),
                                                     count))
    else:
        data = (c.c_uint8 * (count * tensor.dtype.bits // 8))()
    gpu.write(tensor.data, data)


def main():
    library, path, runs = sys.argv[1], sys.argv[2], int(sys.argv[3])
    gpu = Gpu()
    model = Model(library, path, gpu.allocate)
    for tensor in model.inputs:
        fill(gpu, tensor)
    on_card, for_caller = [], []
    for i in range(runs + min(runs, 10)):
        start = time.perf_counter()
        took = model.run()
        if i >= min(runs, 10):
            for_caller.append((time.perf_counter() - start) * 1e6)
            on_card.append(took)
    model.close()
    print(json.dumps({"device_us": statistics.median(on_card),
                      "host_us": statistics.median(for_caller)}))


if __name__ == "__main__":
    main()
