# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The engines of the benchmark behind one face.

Each class loads a model for a number of threads and binds its inputs; run()
is one inference and nothing else; outputs() gives {name: array}. All of them
compute in f32: reduced precision would compare different work."""

import ctypes
import importlib
import pathlib
import sys

import numpy


def aligned(shape, dtype):
    """Zeros that begin with a cache line: numpy's begin 16 bytes behind one, so
    that each whole vector would lie in two."""
    dtype = numpy.dtype(dtype)
    size = int(numpy.prod(shape)) * dtype.itemsize
    memory = numpy.zeros(size + 64, "u1")
    first = -memory.ctypes.data % 64
    return memory[first:first + size].view(dtype).reshape(shape)


class DType(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint8), ("bits", ctypes.c_uint8),
                ("lanes", ctypes.c_uint16)]

    def numpy(self):
        if self.code == 6:
            return numpy.dtype(bool)
        kind = {0: "i", 1: "u", 2: "f"}[self.code]
        return numpy.dtype(f"{kind}{self.bits // 8}")


class Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device", ctypes.c_int32 * 2),
                ("ndim", ctypes.c_int32), ("dtype", DType),
                ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)),
                ("byte_offset", ctypes.c_uint64)]


class TensorInfo(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("name", ctypes.c_char_p),
                ("dtype", DType), ("rank", ctypes.c_int32),
                ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("byte_size", ctypes.c_size_t)]


class ContextOptions(ctypes.Structure):
    # The fields up to `profile`: absent ones count as zero.
    _fields_ = [("struct_size", ctypes.c_size_t), ("threads", ctypes.c_int32),
                ("profile", ctypes.c_bool)]


class ProfileEntry(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_size_t), ("kernel", ctypes.c_char_p),
                ("nodes", ctypes.POINTER(ctypes.c_char_p)),
                ("node_count", ctypes.c_size_t),
                ("tiles", ctypes.c_int64), ("flops", ctypes.c_int64),
                ("bytes", ctypes.c_int64), ("calls", ctypes.c_int64),
                ("nanoseconds", ctypes.c_int64),
                ("last_begin", ctypes.c_int64),
                ("last_nanoseconds", ctypes.c_int64)]

    def node_names(self):
        return [self.nodes[i].decode() for i in range(self.node_count)]


class Tenon:
    """A compiled artifact, through the C API of the run time."""

    def __init__(self, build, artifact, inputs, threads, profile=False):
        self.lib = ctypes.CDLL(pathlib.Path(build) / "lib/libtenon-runtime.so")
        self.lib.tenon_status_message.restype = ctypes.c_char_p
        self.lib.tenon_tensor_over.restype = Tensor
        for function in (
                "tenon_model_load_file", "tenon_context_create", "tenon_run",
                "tenon_model_input", "tenon_model_output",
                "tenon_profile_get"):
            getattr(self.lib, function).restype = ctypes.c_void_p
        for function in ("tenon_model_input_count", "tenon_model_output_count",
                         "tenon_profile_count"):
            getattr(self.lib, function).restype = ctypes.c_size_t
        self.model, self.context = ctypes.c_void_p(), ctypes.c_void_p()
        self.check(self.lib.tenon_model_load_file(
            str(artifact).encode(), None, ctypes.byref(self.model)))
        options = ContextOptions(ctypes.sizeof(ContextOptions), threads,
                                 profile)
        self.check(self.lib.tenon_context_create(
            self.model, ctypes.byref(options), ctypes.byref(self.context)))
        self.arrays, self.keep = {}, []
        self.inputs = self.bind("input", inputs)
        self.results = self.bind("output", None)
        self.names = list(self.arrays)

    def check(self, status):
        if status:
            status = ctypes.c_void_p(status)
            raise RuntimeError(self.lib.tenon_status_message(status).decode())

    def bind(self, side, values):
        count = getattr(self.lib, f"tenon_model_{side}_count")(self.model)
        tensors = (Tensor * count)()
        for index in range(count):
            info = TensorInfo(ctypes.sizeof(TensorInfo))
            self.check(getattr(self.lib, f"tenon_model_{side}")(
                self.model, ctypes.c_size_t(index), ctypes.byref(info)))
            name = info.name.decode()
            shape = [info.shape[i] for i in range(info.rank)]
            if values is None:
                array = aligned(shape, info.dtype.numpy())
                self.arrays[name] = array
            else:
                array = numpy.ascontiguousarray(values[name])
                if list(array.shape) != shape or \
                        array.dtype != info.dtype.numpy():
                    raise RuntimeError(f"input {name}: the artifact wants "
                                       f"{info.dtype.numpy()} {shape}")
            self.keep += [array, info]
            tensors[index] = self.lib.tenon_tensor_over(
                ctypes.byref(info), ctypes.c_void_p(array.ctypes.data))
        return tensors

    def run(self):
        status = self.lib.tenon_run(
            self.context, self.inputs, ctypes.c_size_t(len(self.inputs)),
            self.results, ctypes.c_size_t(len(self.results)))
        if status:
            self.check(status)

    def outputs(self):
        return self.arrays

    def launches(self):
        """What the latest run's launches did; needs `profile`."""
        entries = []
        for index in range(self.lib.tenon_profile_count(self.context)):
            entry = ProfileEntry(ctypes.sizeof(ProfileEntry))
            self.check(self.lib.tenon_profile_get(
                self.context, ctypes.c_size_t(index), ctypes.byref(entry)))
            entries.append(entry)
        return entries


class OnnxRuntime:
    """An ONNX Runtime session with all graph optimisations."""

    def __init__(self, path, inputs, threads):
        import onnxruntime
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        # Spinning helps inside a run; behind it, it would take the processor
        # from the engine whose turn it is.
        options.add_session_config_entry("session.force_spinning_stop", "1")
        self.session = onnxruntime.InferenceSession(
            str(path), options, providers=["CPUExecutionProvider"])
        self.binding = self.session.io_binding()
        for name, array in inputs.items():
            self.binding.bind_cpu_input(name, array)
        self.names = [output.name for output in self.session.get_outputs()]
        for name in self.names:
            self.binding.bind_output(name)

    def run(self):
        self.session.run_with_iobinding(self.binding)

    def outputs(self):
        return dict(zip(self.names, self.binding.copy_outputs_to_cpu()))


class OpenVino:
    """An OpenVINO CPU model compiled for latency."""

    def __init__(self, path, inputs, threads):
        # It would report its use from a fork, which may hang (and reports).
        sys.modules["openvino_telemetry"] = None
        import openvino
        core = openvino.Core()
        model = core.read_model(str(path))
        compiled = core.compile_model(model, "CPU", {
            "INFERENCE_NUM_THREADS": threads, "NUM_STREAMS": 1,
            "PERFORMANCE_HINT": "LATENCY", "INFERENCE_PRECISION_HINT": "f32",
            "ENABLE_CPU_PINNING": False})
        self.request = compiled.create_infer_request()
        self.keep = [compiled, inputs]
        for port in compiled.inputs:
            name = next(n for n in port.get_names() if n in inputs)
            self.request.set_tensor(port, openvino.Tensor(inputs[name]))
        self.ports = list(compiled.outputs)

    def run(self):
        self.request.start_async()
        self.request.wait()

    def outputs(self):
        return {name: numpy.array(self.request.get_tensor(port).data)
                for port in self.ports for name in port.get_names()}


def prepare(engine):
    """Imports what an engine needs: no part of loading a model."""
    if engine != "tenon":
        importlib.import_module(engine)


def make(engine, job):
    """An engine for the `job` that compare.py hands to its child."""
    if engine == "tenon":
        return Tenon(job["build"], job["artifact"], job["inputs"],
                     job["threads"], job.get("profile", False))
    peer = {"onnxruntime": OnnxRuntime, "openvino": OpenVino}[engine]
    return peer(job["path"], job["inputs"], job["threads"])
