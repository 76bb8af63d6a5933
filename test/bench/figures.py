# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The rows of results/*.csv: when, what and where; then what was measured."""

import csv
import datetime
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
HEADER = ("date", "commit", "machine", "isa", "threads", "shape", "measured",
          "against", "figure", "unit")


def add_options(parser):
    """Those of programs that append to such a file."""
    parser.add_argument("--csv", type=pathlib.Path, metavar="FILE",
                        help="append the figures to this file")
    parser.add_argument("--machine", default="", help="for the file")
    parser.add_argument("--isa", default="", help="for the file")


def append(chosen, rows):
    """Rows of (threads, shape, measured, against, figure, unit), where the
    options ask for it."""
    if not chosen.csv:
        return
    commit = subprocess.run(["git", "-C", ROOT, "rev-parse", "--short", "HEAD"],
                            check=True, capture_output=True,
                            text=True).stdout.strip()
    start = (datetime.date.today().isoformat(), commit, chosen.machine,
             chosen.isa)
    is_new = not chosen.csv.exists()
    with chosen.csv.open("a", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        if is_new:
            writer.writerow(HEADER)
        writer.writerows(start + row for row in rows)
