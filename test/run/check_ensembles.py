#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compare members of an ensemble with themselves alone, bit for bit.

check_ensembles.py FOLDER: SqueezeNet with three draws of its weights, with all
schedules, caps and inputs that an ensemble may have."""

import json
import pathlib
import subprocess
import sys

import numpy
import onnx
from onnx import numpy_helper

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "models"))
import fill  # noqa: E402

MEMBERS = range(3)
NETWORK = "squeezenet1_1"
# Options of the ensemble, and of each member alone.
WAYS = (((), ()),
        (("--ensemble-inputs=each", "--schedule=waves", "--threads=2"), ()),
        (("--threads=24",), ("--threads=24",)),
        (("--arena-cap=3M", "--schedule=waves"), ()))


def run(*words):
    return subprocess.run([str(word) for word in words], check=True,
                          capture_output=True, text=True).stdout


def write_member(folder, number):
    """The network with each tensor's weights in another order."""
    model = onnx.load(folder / f"{NETWORK}.onnx")
    numbers = numpy.random.default_rng(number)
    for tensor in model.graph.initializer:
        if tensor.data_type == onnx.TensorProto.FLOAT:
            values = numpy_helper.to_array(tensor)
            mixed = numbers.permutation(values.ravel()).reshape(values.shape)
            tensor.CopyFrom(numpy_helper.from_array(mixed, tensor.name))
    path = folder / f"{number}.onnx"
    onnx.save(model, path)
    return path


def image(folder, seed):
    path = folder / f"image-{seed}.npy"
    numbers = numpy.random.default_rng(seed)
    numpy.save(path, numbers.standard_normal((1, 3, 224, 224), numpy.float32))
    return path


def results(folder, artifact, threads, *inputs):
    """{output: array} of a run."""
    out = folder / "results"
    run("tenon-run", artifact, "--threads", threads, "--output-dir", out,
        *(word for given in inputs for word in ("--input", given)))
    return {path.stem: numpy.load(path) for path in out.glob("*.npy")}


def check(folder, files, whole, alone):
    artifact, single = folder / "all.tenon", folder / "one.tenon"
    run("tenon-compile", "--ensemble", *files, *whole, "--quiet", "-o", artifact)
    each = "--ensemble-inputs=each" in whole
    want = []
    for number, file in enumerate(files):
        run("tenon-compile", file, *alone, "--quiet", "-o", single)
        want.append(results(folder, single, 2,
                            image(folder, number if each else 0))["y"])
    assert len({value.tobytes() for value in want}) == len(files)
    inputs = [f"x.{i}={image(folder, i)}" for i in MEMBERS] if each \
        else [image(folder, 0)]
    for threads in (1, 2, 5):
        got = results(folder, artifact, threads, *inputs)
        for number, value in enumerate(want):
            same = got[f"y.{number}"].tobytes() == value.tobytes()
            assert same, (whole, threads, number)


def check_prediction(folder, files):
    """Members of a GPU side by side, in the arena that they would have apart."""
    report = folder / "report.json"

    def schedule(*words):
        run("tenon-compile", *words, "--device=cuda:sm_90a", "--precision=f16",
            "--emit=none", "--quiet", f"--report={report}")
        parts = json.loads(report.read_text(encoding="utf-8"))
        return parts["schedule"]["nanoseconds"], parts["arena_bytes"]

    single, arena = schedule(files[0])
    whole, whole_arena = schedule("--ensemble", *files)
    assert whole <= 0.6 * len(files) * single, (whole, single)
    assert whole_arena <= 1.3 * len(files) * arena, (whole_arena, arena)


def main():
    folder = pathlib.Path(sys.argv[1])
    fill.fill(NETWORK, folder)
    files = [write_member(folder, number) for number in MEMBERS]
    for whole, alone in WAYS:
        check(folder, files, whole, alone)
    check_prediction(folder, files)
    return 0


if __name__ == "__main__":
    sys.exit(main())
