# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measure what an ensemble gains over its members, run one after the other.

    ensembles.py randwire squeezenet1_1
    ensembles.py --device cuda:sm_90a --precision f16 squeezenet1_1

Members are the model with its weights in other orders. All artifacts are loaded
in one process and run in turn: the ensemble, with each --schedule, and all
members once. Figures are ratios, ensemble over members, of the fastest turns and
of the medians, for each number of threads. Results must be equal, bit for bit.

With --device nothing runs: the ratio is of what reports predict."""

import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import numpy
import onnx
from onnx import numpy_helper

import engines
import figures
import models


def options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--build-dir", type=pathlib.Path,
                        default=figures.ROOT / "build" / "release")
    parser.add_argument("--members", type=int, default=4)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--schedules", nargs="+", default=["order", "waves"])
    parser.add_argument("--seconds", type=float, default=10,
                        help="of each model and number of threads, about")
    parser.add_argument("--device", default="")
    parser.add_argument("--precision", default="f32", help="with --device")
    figures.add_options(parser)
    parser.add_argument("models", nargs="+", help="of the benchmark")
    return parser.parse_intermixed_args()


def write_member(model, number, path):
    """The model with each of its tensors of weights in another order."""
    numbers = numpy.random.default_rng(number)
    for tensor in model.graph.initializer:
        if tensor.data_type == onnx.TensorProto.FLOAT and len(tensor.dims) > 1:
            values = numpy_helper.to_array(tensor)
            mixed = numbers.permutation(values.ravel()).reshape(values.shape)
            tensor.CopyFrom(numpy_helper.from_array(mixed, tensor.name))
    onnx.save(model, path)


class Network:
    """A model of the benchmark, and the files of its members."""

    def __init__(self, given, name, folder):
        self.given, self.folder = given, folder
        self.model, = models.select([name])
        self.files = [folder / f"{name}.{i}.onnx" for i in range(given.members)]
        for number, file in enumerate(self.files):
            write_member(onnx.load(self.model.fixed_path()), number, file)

    def compile(self, files, name, *more):
        """The artifact, and what the report says of its schedule."""
        artifact = self.folder / f"{self.model.name}.{name}.tenon"
        report = self.folder / "report.json"
        subprocess.run([self.given.build_dir / "bin" / "tenon-compile", *files,
                        "-o", artifact, "--quiet", f"--report={report}", *more],
                       check=True)
        parts = json.loads(report.read_text(encoding="utf-8"))
        return artifact, parts.get("schedule", {})

    #-- Runs ---------------------------------------------------------------

    def engine(self, artifact, threads):
        return engines.Tenon(self.given.build_dir, artifact,
                             self.model.inputs(), threads)

    def measure(self, threads):
        """Rows of the ensemble's time over that of its members."""
        more = [f"--threads={threads}"]
        singles = [
            self.engine(self.compile([file], number, *more)[0], threads)
            for number, file in enumerate(self.files)]
        ways = {"members": lambda: [single.run() for single in singles]}
        for schedule in self.given.schedules:
            artifact, _ = self.compile(["--ensemble", *self.files], "all",
                                       f"--schedule={schedule}", *more)
            whole = self.engine(artifact, threads)
            ways[schedule] = whole.run
            compare(whole, singles, ways)
        times = in_turn(ways, self.given.seconds)
        for schedule in self.given.schedules:
            for name, of in (("fastest", min), ("median", statistics.median)):
                ratio = of(times[schedule]) / of(times["members"])
                yield (threads, self.model.name, f"{schedule}, {name}",
                       f"{self.given.members} runs", f"{ratio:.3f}", "ratio")

    #-- Predictions --------------------------------------------------------

    def predict(self):
        """The same by what reports predict for a device."""
        more = [f"--device={self.given.device}",
                f"--precision={self.given.precision}", "--emit=none"]
        _, single = self.compile(self.files[:1], 0, *more)
        _, whole = self.compile(["--ensemble", *self.files], "all", *more)
        # What gains nothing alone runs in turn.
        in_turn = whole["nanoseconds_in_turn"]
        members = (self.given.members * single["nanoseconds"]
                   if "nanoseconds" in single else in_turn)
        ratio = whole["nanoseconds"] / members
        yield ("", self.model.name, self.given.device + " [model]",
               f"{self.given.members} runs", f"{ratio:.3f}", "ratio")


def compare(whole, singles, ways):
    """Fails where a member of the ensemble gives anything else than alone."""
    ways["members"]()
    whole.run()
    for number, single in enumerate(singles):
        for name, value in single.outputs().items():
            same = whole.outputs()[f"{name}.{number}"]
            if value.tobytes() != same.tobytes():
                sys.exit(f"ensembles: '{name}' of member {number} differs")


def in_turn(ways, seconds):
    """{way: the seconds of its runs}, which alternate."""
    times = {way: [] for way in ways}
    end = time.perf_counter() + seconds
    while time.perf_counter() < end or len(times["members"]) < 5:
        for way, run in ways.items():
            start = time.perf_counter()
            run()
            times[way].append(time.perf_counter() - start)
    return times


def main():
    given = options()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for name in given.models:
            network = Network(given, name, pathlib.Path(folder))
            found = list(network.predict()) if given.device else [
                row for threads in given.threads
                for row in network.measure(threads)]
            for row in found:
                print(*row, flush=True)
            rows += found
    figures.append(given, rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
