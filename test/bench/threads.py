# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measure how runs scale to the processors of this machine.

    threads.py squeezenet.onnx randwire.onnx

Each model is compiled for each number of threads and runs on as many
processors, with its waves, if it has any, and one launch after the other. All
runs of a round take turns. A figure is the median over the rounds of the
median of a round's runs; ratios are of the same round: one thread's time over
that of more, and waves over one launch after the other."""

import argparse
import dataclasses
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

import figures
from figures import ROOT


def counts_up_to(processors):
    """Powers of two below, and all of them."""
    counts = [1]
    while counts[-1] * 2 < processors:
        counts.append(counts[-1] * 2)
    return counts + [processors] * (processors > 1)


def options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--build-dir", type=pathlib.Path,
                        default=ROOT / "build" / "release")
    parser.add_argument("--threads", type=int, nargs="+",
                        default=counts_up_to(len(os.sched_getaffinity(0))))
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.5,
                        help="of each program in each round, about")
    parser.add_argument("--compile", nargs="+", default=[], metavar="OPTION",
                        help="of tenon-compile, without the dashes")
    figures.add_options(parser)
    parser.add_argument("models", nargs="+", type=pathlib.Path)
    given = parser.parse_intermixed_args()
    processors = len(os.sched_getaffinity(0))
    if not all(1 <= count <= processors for count in given.threads):
        parser.error(f"--threads: from 1 to {processors} here")
    return given


@dataclasses.dataclass(frozen=True)
class Way:
    """How a model runs."""
    threads: int
    schedule: str  # "waves" or "order"


class Model:
    """Its artifacts, and the times of all ways, round by round."""

    def __init__(self, given, folder, path):
        self.given, self.name = given, path.stem
        self.folder = folder
        self.ways = []
        for threads in given.threads:
            self.ways.append(Way(threads, "order"))
            if self.compile(path, threads):
                self.ways.append(Way(threads, "waves"))
        self.times = {way: [] for way in self.ways}
        self.runs = {way: 1 for way in self.ways}

    def artifact(self, threads):
        return self.folder / f"{self.name}.{threads}.tenon"

    def compile(self, path, threads):
        """Whether there are waves."""
        report = self.folder / "report.json"
        more = [f"--{option}" for option in self.given.compile]
        subprocess.run(
            [self.given.build_dir / "bin" / "tenon-compile", path,
             f"--threads={threads}", "-o", self.artifact(threads), "--quiet",
             f"--report={report}", *more], check=True)
        parts = json.loads(report.read_text(encoding="utf-8"))
        return parts.get("schedule", {}).get("waves", 0) > 0

    def run(self, way):
        """Median of the runs of one round, in ms."""
        order = {"TENON_SCHEDULE": "order"} if way.schedule == "order" else {}
        processors = sorted(os.sched_getaffinity(0))[:way.threads]
        result = subprocess.run(
            ["taskset", "-c", ",".join(map(str, processors)),
             self.given.build_dir / "bin" / "tenon-run",
             self.artifact(way.threads), "--input", "random:1", "--benchmark",
             "--json", "--runs", str(self.runs[way]), "--threads",
             str(way.threads)],
            check=True, capture_output=True, text=True,
            env={**os.environ, **order})
        return json.loads(result.stdout)["median_ms"]

    def warm_up(self):
        for way in self.ways:
            milliseconds = max(self.run(way), 1e-3)
            most = self.given.seconds * 1000 / milliseconds
            self.runs[way] = max(3, min(1000, int(most)))

    def measure(self):
        for way in self.ways:
            self.times[way].append(self.run(way))

    def ratio(self, way, other):
        """Of one way's time over another's, in the same rounds."""
        return statistics.median(
            a / b for a, b in zip(self.times[way], self.times[other]))

    def rows(self):
        first = Way(self.given.threads[0], "order")
        for way in self.ways:
            start = (way.threads, self.name, way.schedule)
            time = statistics.median(self.times[way])
            yield (*start, "", f"{time:.3f}", "ms")
            if way.threads != first.threads:
                fewest = f"{first.threads} threads" if first.threads > 1 \
                    else "one thread"
                yield (*start, fewest,
                       f"{self.ratio(first, way):.2f}", "times as fast")
            order = Way(way.threads, "order")
            if way != order:
                yield (*start, "order", f"{self.ratio(way, order):.3f}",
                       "ratio")


def main():
    given = options()
    with tempfile.TemporaryDirectory() as name:
        models = [Model(given, pathlib.Path(name), path)
                  for path in given.models]
        for model in models:
            model.warm_up()
        for _ in range(given.rounds):
            for model in models:
                model.measure()
        rows = [row for model in models for row in model.rows()]
    for row in rows:
        print(*row)
    figures.append(given, rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
