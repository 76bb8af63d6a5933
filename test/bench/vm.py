# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measure the steps of loops that do next to nothing: what the virtual machine
costs, beside ONNX Runtime.

Each network is one loop. A figure is the median over rounds of the fastest run,
divided by the number of steps. `instruction` is the time of a step of `count`,
over its instructions; `kernel` is what a step of `add` takes beyond one of
`count`: a call of a program with one launch, its shape looked up."""

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

STEPS = 20000

HEAD = """<ir_version: 8, opset_import: ["" : 19]>
net (float[%s] x, int64 n) => (float[%s] y)
{
  t = Constant<value = bool {1}>()
"""

#: name: the extents of `x`, its shape, the loop. Each network takes the number
#: of steps as an input, so that none is unrolled.
NETWORKS = {
    "count": ("4", "4", """
  y = Loop (n, t, x) <body = step (int64 i, bool c, float[4] a)
      => (bool c, float[4] a) {}>"""),
    "add": ("4", "4", """
  y = Loop (n, t, x) <body = step (int64 i, bool c, float[4] a)
      => (bool d, float[4] b) { d = Identity(c) b = Add(a, a) }>"""),
    "add, open size": ("L", "4", """
  y = Loop (n, t, x) <body = step (int64 i, bool c, float[L] a)
      => (bool d, float[L] b) { d = Identity(c) b = Add(a, a) }>"""),
    "branch": ("4", "4", """
  y = Loop (n, t, x) <body = step (int64 i, bool c, float[4] a)
      => (bool d, float[4] b) {
        d = Identity(c)
        two = Constant<value = int64 {2}>()
        zero = Constant<value = int64 {0}>()
        r = Mod(i, two)
        e = Equal(r, zero)
        b = If (e) <then_branch = p () => (float[4] u) { u = Add(a, a) },
                    else_branch = q () => (float[4] v) { v = Mul(a, a) }>
      }>"""),
    "scan": ("4", "4", """
  z, s = Loop (n, t, x) <body = step (int64 i, bool c, float[4] a)
      => (bool d, float[4] b, float[4] o) {
        d = Identity(c) b = Add(a, a) o = Identity(b) }>
  axes = Constant<value = int64[1] {0}>()
  m = ReduceMax<keepdims = 0>(s, axes)
  y = Add(z, m)"""),
}


def options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--build-dir", type=pathlib.Path,
                        default=ROOT / "build" / "release")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=1)
    figures.add_options(parser)
    parser.add_argument("networks", nargs="*", default=list(NETWORKS))
    return parser.parse_args()


def execute(*command):
    return subprocess.run([str(word) for word in command], check=True,
                          capture_output=True, text=True).stdout


def text_of(name):
    extents, _, body = NETWORKS[name]
    return HEAD % (extents, extents) + body + "\n}\n"


def run_tenon(given, folder, artifact, shape, steps, *more):
    import numpy
    numpy.save(folder / "n.npy", numpy.array(steps, numpy.int64))
    return execute(given.build_dir / "bin" / "tenon-run", artifact, "--shape",
                   f"x={shape}", "--input", f"n={folder / 'n.npy'}",
                   "--threads", given.threads, *more)


def measure_tenon(given, folder, artifact, shape):
    text = run_tenon(given, folder, artifact, shape, STEPS, "--benchmark",
                     "--json")
    return json.loads(text)["min_ms"] * 1e6 / STEPS


def count_instructions(given, folder, artifact, shape):
    """Those of a step: what ten more of them add to a trace."""
    def traced(steps):
        text = run_tenon(given, folder, artifact, shape, steps, "--trace")
        return sum(" us  " in line for line in text.splitlines())
    return (traced(20) - traced(10)) / 10


def measure_runtime(model, shape, threads):
    import numpy
    import onnxruntime
    setup = onnxruntime.SessionOptions()
    setup.intra_op_num_threads = threads
    session = onnxruntime.InferenceSession(
        model, setup, providers=["CPUExecutionProvider"])
    feeds = {"x": numpy.ones([int(e) for e in shape.split("x")],
                             numpy.float32),
             "n": numpy.array(STEPS, numpy.int64)}
    fastest = float("inf")
    for _ in range(5):
        begin = time.perf_counter()
        session.run(None, feeds)
        fastest = min(fastest, time.perf_counter() - begin)
    return fastest * 1e9 / STEPS


def measure(given, folder, name):
    """Of a step: nanoseconds, those of ONNX Runtime, instructions."""
    import onnx.parser
    shape = NETWORKS[name][1]
    model, artifact = folder / "net.onnx", folder / "net.tenon"
    model.write_bytes(onnx.parser.parse_model(text_of(name))
                      .SerializeToString())
    execute(given.build_dir / "bin" / "tenon-compile", model, "-o", artifact,
            "--quiet")
    ours, peers = [], []
    for _ in range(given.rounds):
        ours.append(measure_tenon(given, folder, artifact, shape))
        peers.append(measure_runtime(str(model), shape, given.threads))
    return (statistics.median(ours), statistics.median(peers),
            count_instructions(given, folder, artifact, shape))


def rows(threads, found):
    def row(network, measured, against, figure, unit):
        return (threads, network, measured, against, figure, unit)
    for name, (ours, peer, instructions) in found.items():
        yield row(name, "step", "", f"{ours:.0f}", "ns")
        yield row(name, "step", "ONNX Runtime", f"{ours / peer:.2f}", "ratio")
        yield row(name, "instructions", "", f"{instructions:.0f}", "")
    if "count" in found:
        ours, _, instructions = found["count"]
        yield row("count", "instruction", "", f"{ours / instructions:.0f}",
                  "ns")
        for name in ("add", "add, open size"):
            if name in found:
                yield row(name, "kernel", "", f"{found[name][0] - ours:.0f}",
                          "ns")


def main():
    given = options()
    with tempfile.TemporaryDirectory() as name:
        found = {network: measure(given, pathlib.Path(name), network)
                 for network in given.networks}
    out = list(rows(given.threads, found))
    for row in out:
        print(*row)
    figures.append(given, out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
