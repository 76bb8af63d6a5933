# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""test/bench/results/gpus.csv: what is known, and rows that are added."""

import csv
import dataclasses
import os
import pathlib
import sys

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS / "run"))
from force import FORCE  # noqa: E402

RESULTS = TESTS / "bench/results/gpus.csv"
HEADER = ("date", "commit", "machine", "isa", "threads", "shape", "measured",
          "against", "figure", "unit")
# Largest errors, as parts of the scale of what the processor computes.
ERRORS = {"f32": 1e-5, "tf32": 2e-3, "f16": 1e-2, "bf16": 5e-2}
# What PyTorch runs: a network of its libraries, or the graph (twins/).
EAGER = {"library": "torch in a graph",
         "graph": "torch in a graph, from ONNX"}
COMPILED = {"library": "torch.compile in a graph",
            "graph": "torch.compile in a graph, from ONNX"}


@dataclasses.dataclass
class Result:
    """One model, batch and precision on one machine, by one commit."""
    date: str
    commit: str
    milliseconds: float = 0.0
    error: float | None = None
    change: float | None = None  # of the result, by another input
    eager: float | None = None
    compiled: float | None = None
    network: str = ""

    def is_good(self, precision):
        """Whether it agrees, and could not have done so by chance."""
        return self.error is None or self.error <= ERRORS[precision] and (
            self.change is None or self.error * FORCE <= self.change)

    def take(self, row):
        figure = row["figure"]
        if row["measured"] == "largest error":
            self.error = float(figure)
        if row["measured"] == "another input":
            self.change = float(figure)
        if row["measured"] != "a run":
            return
        if not row["against"]:
            self.milliseconds = float(figure)
        for field, names in (("eager", EAGER), ("compiled", COMPILED)):
            for network, name in names.items():
                if row["against"] == name:
                    setattr(self, field, float(figure))
                    self.network = network


def read(path=RESULTS):
    """{machine: {(shape, precision): newest Result with a time}}."""
    runs = {}
    with open(path, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            if None in row.values() or " " not in row["isa"]:
                continue  # cut off, or of no precision
            key = (row["machine"], row["shape"], row["isa"].split()[1],
                   row["date"], row["commit"])
            result = runs.setdefault(key, Result(row["date"], row["commit"]))
            result.take(row)
    known = {}
    for (machine, *what, _, _), result in runs.items():
        results = known.setdefault(machine, {})
        old = results.get(tuple(what))
        if result.milliseconds and (not old or result.date >= old.date):
            results[tuple(what)] = result
    return known


def append(path, start, rows):
    """Rows of (measured, against, figure, unit) after (date, commit, machine,
    isa, threads, shape); they are on the disk when this returns."""
    is_new = not path.exists()
    with open(path, "a", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        if is_new:
            writer.writerow(HEADER)
        writer.writerows((*start, *row) for row in rows)
        file.flush()
        os.fsync(file.fileno())
