# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plan the memory of public, generated and model instances.

Prints one row per instance: buffers, the bytes that are needed at once
(bound), the arena, both as a ratio, beside it the ratio of a plain
greedy-by-size planner, the solver that won, seconds and peak memory of
tenon-solve.

Every plan is proven by tenon-solve; placements of buffers are checked again
here. The status is 1 if a plan is wrong, a public instance does not fit where
it is known to fit, or the generated instance of 60,000 buffers needs more than
30 s or 1 GiB."""

import argparse
import csv
import sys
import tempfile
import pathlib

import memory_instances as instances
from memory_run import Solver, greedy_by_size, overlap

COLUMNS = ["instance", "n", "bound", "arena", "ratio", "by size",
           "solver", "seconds", "peak MiB", "ok"]
WIDTHS = [24, 6, 11, 11, 7, 8, 8, 8, 9, 6]
MOST_FOR_GREEDY = 3000  # the plain planner is quadratic


def judge(instance, row, boxes, baseline):
    """What is wrong with a plan, or "yes"."""
    if baseline and row["arena_bytes"] > baseline:
        return "no: larger than by size"
    if overlap(boxes):
        return f"no: {overlap(boxes)} overlap"
    if boxes and row["arena_bytes"] != max(b[2] + b[3] for b in boxes):
        return "no: the arena is not the highest end"
    if instance.capacity and row["arena_bytes"] > instance.capacity:
        return f"no: above {instance.capacity}"
    if instance.seconds and row["wall"] > instance.seconds:
        return f"no: longer than {instance.seconds} s"
    if instance.mib and row["mib"] > instance.mib:
        return f"no: more than {instance.mib} MiB"
    return "yes"


def over(value, base):
    return f"{value / base:.4f}" if base else ""


def measure(solver, instance):
    """The row of one instance."""
    result, placed = solver.solve(instance)
    if placed is None:
        return [instance.name] + [""] * 8 + [f"no: {result}"]
    baseline = 0
    if 0 < len(placed) <= MOST_FOR_GREEDY:
        baseline = greedy_by_size(placed)
    return [instance.name, result["buffers"], result["lower_bound_bytes"],
            result["arena_bytes"], f"{result['ratio']:.4f}",
            over(baseline, result["lower_bound_bytes"] if baseline else 0),
            result["solver"] + ("*" if result["optimal"] else ""),
            f"{result['wall']:.2f}", f"{result['mib']:.0f}",
            judge(instance, result, placed, baseline)]


def show(row):
    cells = [str(c).ljust(w) if i in (0, 6, 9) else str(c).rjust(w)
             for i, (c, w) in enumerate(zip(row, WIDTHS))]
    print(" ".join(cells).rstrip(), flush=True)


def arguments():
    parser = argparse.ArgumentParser(
        prog="memory", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=pathlib.Path, action="append",
                        help="a folder of instances, any text form "
                        "(default: test/bench/data)")
    parser.add_argument("--onnx", type=pathlib.Path, action="append",
                        default=[], help="a folder of further models")
    parser.add_argument("--only", default="", metavar="TEXT",
                        help="instances whose names hold this")
    parser.add_argument("--no-models", action="store_true")
    parser.add_argument("--budget", default="500M",
                        help="of models and networks, as tenon-solve takes it "
                        "(default: %(default)s)")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--csv", type=pathlib.Path, help="also write this")
    parser.add_argument("--build-dir", type=pathlib.Path,
                        default=instances.ROOT / "build" / "release")
    return parser.parse_args()


def main():
    options = arguments()
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        solver = Solver(options, folder)
        show(COLUMNS)
        for instance in instances.every(options, folder):
            rows.append(measure(solver, instance))
            show(rows[-1])
    if options.csv:
        with options.csv.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([COLUMNS, *rows])
    failed = [row[0] for row in rows if row[-1] != "yes"]
    print(f"\n{len(rows)} instances, {len(failed)} failed; "
          "* is proven optimal")
    return 1 if failed or not rows else 0


if __name__ == "__main__":
    sys.exit(main())
