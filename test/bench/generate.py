# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measure how fast a decoder generates tokens, from nothing kept.

    generate.py gpt2_decode.onnx --state 'past_*=present_*' --tokens 200

The model takes one token and states, and gives its logits first; each next
token is the likeliest. Token by token, three alternate in one process: the
artifact with its state, the artifact without, whose caller hands each output
on, and ONNX Runtime with all tensors bound. All must generate the same tokens.
A figure is of the sum over all tokens of the fastest round's time."""

import argparse
import ctypes
import fnmatch
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import figures
from figures import ROOT


def options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--build-dir", type=pathlib.Path,
                        default=ROOT / "build" / "release")
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--tokens", type=int, default=200)
    parser.add_argument("--first", type=int, default=464,
                        help="the token to begin with")
    parser.add_argument("--state", default="past_*=present_*")
    figures.add_options(parser)
    parser.add_argument("--child", nargs=2, help=argparse.SUPPRESS)
    parser.add_argument("model", type=pathlib.Path)
    return parser.parse_args()


class Artifact:
    """A compiled decoder, through the C API of the run time."""

    def __init__(self, build, path, threads, keeps):
        import engines
        self.engines, self.keeps = engines, keeps
        self.lib = ctypes.CDLL(build / "lib" / "libtenon-runtime.so")
        self.lib.tenon_status_message.restype = ctypes.c_char_p
        for name in ("model_load_file", "context_create", "run", "run_state",
                     "model_input", "model_output", "state_create"):
            getattr(self.lib, f"tenon_{name}").restype = ctypes.c_void_p
        for name in ("input", "output"):
            count = getattr(self.lib, f"tenon_model_{name}_count")
            count.restype = ctypes.c_size_t
        self.model, self.context = ctypes.c_void_p(), ctypes.c_void_p()
        self.check(self.lib.tenon_model_load_file(
            str(path).encode(), None, ctypes.byref(self.model)))
        given = engines.ContextOptions(
            ctypes.sizeof(engines.ContextOptions), threads, False)
        self.check(self.lib.tenon_context_create(
            self.model, ctypes.byref(given), ctypes.byref(self.context)))
        self.inputs, self.outputs = self.infos("input"), self.infos("output")

    def check(self, status):
        if status:
            status = ctypes.c_void_p(status)
            raise RuntimeError(self.lib.tenon_status_message(status).decode())

    def infos(self, side):
        infos = []
        count = getattr(self.lib, f"tenon_model_{side}_count")(self.model)
        for index in range(count):
            info = self.engines.TensorInfo(
                ctypes.sizeof(self.engines.TensorInfo))
            self.check(getattr(self.lib, f"tenon_model_{side}")(
                self.model, ctypes.c_size_t(index), ctypes.byref(info)))
            infos.append(info)
        return infos

    def tensor(self, info, array):
        """Over the array, which must outlive it."""
        shape = (ctypes.c_int64 * array.ndim)(*array.shape)
        tensor = self.engines.Tensor(
            data=array.ctypes.data, ndim=array.ndim, dtype=info.dtype,
            shape=shape)
        tensor.device[0] = 1
        return tensor

    def generate(self, first, count):
        import numpy
        ids = numpy.full([1, 1], first, numpy.int64)
        logits = numpy.zeros([1, 1, self.outputs[0].shape[2]], numpy.float32)
        own = (self.engines.Tensor * 1)(self.tensor(self.inputs[0], ids))
        result = (self.engines.Tensor * 1)(
            self.tensor(self.outputs[0], logits))
        step = self.stepper(own, result, count)
        for length in range(count):
            step(length)
            ids[0, 0] = logits.argmax()
            yield int(ids[0, 0])

    def stepper(self, own, result, count):
        if not self.keeps:
            return self.handed_on(own, result, count)
        state = ctypes.c_void_p()
        self.check(self.lib.tenon_state_create(
            self.model, None, ctypes.byref(state)))

        def step(length):
            self.check(self.lib.tenon_run_state(
                self.context, state, own, ctypes.c_size_t(1), result,
                ctypes.c_size_t(1)))
            if length + 1 == count:
                self.lib.tenon_state_destroy(state)
        return step

    def handed_on(self, own, result, count):
        """Two buffers for each output take turns."""
        import numpy

        def shape(info, length):
            extents = [info.shape[i] for i in range(info.rank)]
            return [length if extent < 0 else extent for extent in extents]

        kept = [[numpy.zeros(numpy.prod(shape(info, count)), numpy.float32)
                 for info in self.inputs[1:]] for _ in range(2)]

        def views(infos, arrays, length):
            return [self.tensor(info, array[:numpy.prod(
                shape(info, length))].reshape(shape(info, length)))
                for info, array in zip(infos, arrays)]

        def step(length):
            past = views(self.inputs[1:], kept[length % 2], length)
            present = views(self.outputs[1:], kept[1 - length % 2], length + 1)
            inputs = (self.engines.Tensor * len(self.inputs))(own[0], *past)
            outputs = (self.engines.Tensor * len(self.outputs))(
                result[0], *present)
            self.check(self.lib.tenon_run(
                self.context, inputs, ctypes.c_size_t(len(inputs)), outputs,
                ctypes.c_size_t(len(outputs))))
        return step


class OnnxRuntime:
    """A session that binds each output to the input that it is next."""

    def __init__(self, path, threads, state):
        import onnxruntime
        setup = onnxruntime.SessionOptions()
        setup.intra_op_num_threads = threads
        setup.log_severity_level = 3
        setup.add_session_config_entry("session.force_spinning_stop", "1")
        self.session = onnxruntime.InferenceSession(
            str(path), setup, providers=["CPUExecutionProvider"])
        before, after = state.split("=")
        names = [each.name for each in self.session.get_inputs()]
        self.pairs = [(name, after.replace("*", name[before.index("*"):]))
                      for name in names if fnmatch.fnmatch(name, before)]
        self.token = next(name for name in names
                          if name not in dict(self.pairs))
        self.logits = self.session.get_outputs()[0].name

    def generate(self, first, count):
        import numpy
        import onnxruntime
        shapes = {each.name: each.shape for each in self.session.get_inputs()}
        empty = {name: onnxruntime.OrtValue.ortvalue_from_numpy(numpy.zeros(
            [extent if isinstance(extent, int) else 0
             for extent in shapes[name]], numpy.float32))
            for name, _ in self.pairs}
        order = [each.name for each in self.session.get_outputs()]
        ids = numpy.full([1, 1], first, numpy.int64)
        for _ in range(count):
            binding = self.session.io_binding()
            binding.bind_cpu_input(self.token, ids)
            for name, _ in self.pairs:
                binding.bind_ortvalue_input(name, empty[name])
            for name in order:
                binding.bind_output(name)
            self.session.run_with_iobinding(binding)
            values = dict(zip(order, binding.get_outputs()))
            empty = {name: values[output] for name, output in self.pairs}
            ids = numpy.full([1, 1], values[self.logits].numpy().argmax(),
                             numpy.int64)
            yield int(ids[0, 0])


def measure(given, folder, threads):
    """{who: s of all tokens}, in this process."""
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:threads])
    sources = {
        "state": Artifact(given.build_dir, folder / "state.tenon", threads,
                          True),
        "handed on": Artifact(given.build_dir, folder / "plain.tenon", threads,
                              False),
        "ONNX Runtime": OnnxRuntime(given.model, threads, given.state)}
    fastest = {name: [float("inf")] * given.tokens for name in sources}
    for _ in range(given.rounds):
        rounds = {name: source.generate(given.first, given.tokens)
                  for name, source in sources.items()}
        for index in range(given.tokens):
            made = {}
            for name, tokens in rounds.items():
                begin = time.perf_counter()
                made[name] = next(tokens)
                seconds = time.perf_counter() - begin
                fastest[name][index] = min(fastest[name][index], seconds)
            if len(set(made.values())) > 1:
                raise SystemExit(f"token {index} differs: {made}")
    return {name: sum(seconds) for name, seconds in fastest.items()}


def rows(given, threads, seconds):
    start = (threads, f"{given.tokens} tokens", given.model.stem)
    speed = given.tokens / seconds["state"]
    yield (*start, "", f"{speed:.1f}", "tokens/s")
    for other in ("handed on", "ONNX Runtime"):
        ratio = seconds["state"] / seconds[other]
        yield (*start, other, f"{ratio:.3f}", "ratio")


def main():
    given = options()
    if given.child:
        folder, threads = given.child
        print(json.dumps(measure(given, pathlib.Path(folder), int(threads))))
        return 0
    out = []
    with tempfile.TemporaryDirectory() as folder:
        for name, more in (("state", ["--state", given.state]), ("plain", [])):
            subprocess.run([given.build_dir / "bin" / "tenon-compile",
                            given.model, *more, "--quiet", "-o",
                            f"{folder}/{name}.tenon"], check=True)
        for threads in given.threads:
            text = subprocess.run(
                [sys.executable, "-B", __file__, *sys.argv[1:], "--child",
                 folder, str(threads)], check=True, stdout=subprocess.PIPE,
                text=True).stdout
            for row in rows(given, threads, json.loads(text)):
                print(*row, flush=True)
                out.append(row)
    figures.append(given, out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
