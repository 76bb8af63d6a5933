# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measure one artifact for all sizes against one compiled for each size.

    symbols.py bert.onnx --ints 30000 x=1x16 x=1x128

Each further argument is a point: shapes of inputs, with commas between them. At
each, the dynamic artifact, the static one and ONNX Runtime run in turn, each in
a process of its own. A figure is the median of the fastest run of each round; a
ratio is the dynamic artifact's over the other's in the same round."""

import argparse
import json
import pathlib
import statistics
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
    parser.add_argument("--seconds", type=float, default=0.7,
                        help="of ONNX Runtime in each round")
    parser.add_argument("--ints", type=int, default=100,
                        help="integers of inputs are below this")
    figures.add_options(parser)
    parser.add_argument("--runtime", nargs=3, help=argparse.SUPPRESS)
    parser.add_argument("model", nargs="?", type=pathlib.Path)
    parser.add_argument("points", nargs="*", metavar="NAME=SHAPE,...")
    given = parser.parse_intermixed_args()
    if not given.runtime and not given.points:
        parser.error("a model and at least one point are needed")
    return given


def execute(*command):
    return subprocess.run([str(word) for word in command], check=True,
                          capture_output=True, text=True).stdout


def measure_runtime(model, point, threads, given):
    """The fastest run of ONNX Runtime in ms, in this process."""
    import numpy
    import onnxruntime
    setup = onnxruntime.SessionOptions()
    setup.intra_op_num_threads = int(threads)
    session = onnxruntime.InferenceSession(
        model, setup, providers=["CPUExecutionProvider"])
    shapes = dict(part.split("=") for part in point.split(","))
    random = numpy.random.default_rng(1)
    feeds = {}
    for value in session.get_inputs():
        shape = [int(extent) for extent in shapes[value.name].split("x")]
        feeds[value.name] = (
            random.integers(0, given.ints, shape).astype(value.type[7:-1])
            if "int" in value.type
            else random.standard_normal(shape).astype(numpy.float32))
    fastest, end = float("inf"), time.monotonic() + given.seconds
    while time.monotonic() < end:
        begin = time.perf_counter()
        session.run(None, feeds)
        fastest = min(fastest, time.perf_counter() - begin)
    return fastest * 1000


def measure(given, folder, point, threads):
    """{who: [ms of each round]}."""
    shapes = [word for part in point.split(",") for word in ("--shape", part)]
    tenon = given.build_dir / "bin"
    static = folder / "static.tenon"
    execute(tenon / "tenon-compile", given.model, *shapes, "-o", static,
            "--quiet")
    random = ["--input", f"random:1:{given.ints}", "--threads", threads,
              "--benchmark", "--json"]

    def run(artifact, *sizes):
        text = execute(tenon / "tenon-run", artifact, *sizes, *random)
        return json.loads(text)["min_ms"]

    times = {"dynamic": [], "static": [], "ONNX Runtime": []}
    for _ in range(given.rounds):
        times["dynamic"].append(run(folder / "dynamic.tenon", *shapes))
        times["static"].append(run(static))
        times["ONNX Runtime"].append(float(execute(
            sys.executable, "-B", __file__, "--ints", given.ints, "--seconds",
            given.seconds, "--runtime", given.model, point, threads)))
    return times


def rows(given, point, threads, times):
    start = (threads, point, given.model.stem)
    dynamic = times["dynamic"]
    yield (*start, "", f"{statistics.median(dynamic):.3f}", "ms")
    for other in ("static", "ONNX Runtime"):
        ratio = statistics.median(a / b for a, b in zip(dynamic, times[other]))
        yield (*start, other, f"{ratio:.2f}", "ratio")


def main():
    given = options()
    if given.runtime:
        print(measure_runtime(*given.runtime, given))
        return 0
    out = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        execute(given.build_dir / "bin" / "tenon-compile", given.model, "-o",
                folder / "dynamic.tenon", "--quiet")
        for point in given.points:
            for threads in given.threads:
                times = measure(given, folder, point, threads)
                for row in rows(given, point, threads, times):
                    print(*row, flush=True)
                    out.append(row)
    figures.append(given, out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
