# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a call from Python costs above the one in C: y = x + b on 2x3 floats.

The C part is measured by the program calls on the same artifact, in turns with
Python; a figure is the least of many short blocks, in microseconds. ONNX
Runtime's whole call stands beside it, and torch's tensors where torch is.
`--check` fails above 1 us of overhead for numpy, 2 us for torch."""

import argparse
import pathlib
import subprocess
import sys
import tempfile
import timeit

import numpy

import figures
from figures import ROOT

TEXT = ('<ir_version: 8, opset_import: ["" : 17]>\n'
        "net (float[2, 3] x, float[2, 3] b) => (float[2, 3] y) { y = Add(x, b) }")
BLOCK, BLOCKS, TURNS = 2000, 50, 8
BARS = {"numpy": 1.0, "torch": 2.0}


def options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--build-dir", type=pathlib.Path,
                        default=ROOT / "build" / "release")
    parser.add_argument("--check", action="store_true",
                        help="fail where an overhead is above its bar")
    figures.add_options(parser)
    return parser.parse_args()


def least(call):
    return min(timeit.repeat(call, number=BLOCK, repeat=BLOCKS)) / BLOCK * 1e6


def in_c(program, artifact):
    done = subprocess.run([program, artifact, str(BLOCKS)], check=True,
                          capture_output=True, text=True)
    return float(done.stdout) * 1e-3


def inputs():
    """(kind, x, b) for each library that is there."""
    x, b = numpy.ones((2, 3), numpy.float32), numpy.ones((2, 3), numpy.float32)
    yield "numpy", x, b
    try:
        import torch
    except ImportError:
        return
    yield "torch", torch.from_numpy(x), torch.from_numpy(b)


def of_onnx_runtime():
    """The whole call of the same model."""
    import onnx
    import onnxruntime

    model = onnx.parser.parse_model(TEXT)
    threads = onnxruntime.SessionOptions()
    threads.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), threads, providers=["CPUExecutionProvider"])
    feeds = {name: numpy.ones((2, 3), numpy.float32) for name in "xb"}
    return lambda: session.run(None, feeds)


def measure(tenon, program, artifact):
    """{what: microseconds}."""
    model = tenon.load(artifact, threads=1)
    calls = {kind: (lambda x=x, b=b: model(x, b)) for kind, x, b in inputs()}
    found = {"onnxruntime": least(of_onnx_runtime())}
    for _ in range(TURNS):
        found["c"] = min(in_c(program, artifact), found.get("c", 1e9))
        for kind, call in calls.items():
            found[kind] = min(least(call), found.get(kind, 1e9))
    return found


def install(build, folder):
    subprocess.run(["cmake", "--install", build, "--component", "python",
                    "--prefix", folder], check=True, stdout=subprocess.DEVNULL)
    sys.path.insert(0, folder)
    import tenon

    return tenon


def main():
    given = options()
    with tempfile.TemporaryDirectory() as folder:
        tenon = install(given.build_dir, folder)
        artifact = str(pathlib.Path(folder, "net.tenon"))
        tenon.compile(TEXT.encode(), name="net.onnxtxt").save(artifact)
        found = measure(tenon, given.build_dir / "bin" / "calls", artifact)
    wrong = False
    for what, microseconds in found.items():
        above = microseconds - found["c"]
        print(f"{what:12} {microseconds:6.2f} us, {above:5.2f} above C")
        wrong |= above > BARS.get(what, 1e9)
    figures.append(given, [(1, "2x3 and 2x3", f"a call, {what}", "",
                            f"{value:.2f}", "us")
                           for what, value in found.items()])
    return wrong and given.check


if __name__ == "__main__":
    sys.exit(main())
