# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compare tenon-solve checkpoint with Checkmate's integer programme, solved by
HiGHS: random training programs of 20 to 40 steps, where a kernel computes
nothing itself and overwrites nothing, as Checkmate has it. Then the time that
data/checkpoint takes. Seconds are of one core. The status is 1 if the mean of
time over time is above 1.02, or a problem takes above 5 s."""

import argparse
import json
import pathlib
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time

import checkpoint_program
import figures
from figures import ROOT

MOST_MEAN, MOST_SECONDS = 1.02, 5


def options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--build-dir", type=pathlib.Path,
                        default=ROOT / "build" / "release")
    parser.add_argument("--programs", type=int, default=40)
    parser.add_argument("--seconds", type=float, default=600,
                        help="that the programme may take for one of them")
    parser.add_argument("--seed", type=int, default=1)
    figures.add_options(parser)
    return parser.parse_args()


def frontier(given, path):
    """Our plans as (bytes, microseconds), and the seconds they took."""
    start = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    output = subprocess.run(
        [str(given.build_dir / "bin" / "tenon-solve"), "checkpoint", str(path),
         "--json"], check=True, capture_output=True, text=True).stdout
    result = json.loads(output)
    points = [(p["peak_bytes"], p["time_ps"] / 1e6) for p in result["front"]]
    end = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    return points, result, end - start


def programme(given, program, budget, path):
    """The best time that HiGHS finds, or None; whether it is proven; seconds."""
    import highspy
    path.write_text(checkpoint_program.Programme(program, budget).text(),
                    encoding="utf-8")
    solver = highspy.Highs()
    solver.setOptionValue("output_flag", False)
    solver.setOptionValue("time_limit", given.seconds)
    solver.setOptionValue("threads", 1)
    solver.readModel(str(path))
    start = time.perf_counter()
    solver.run()
    info = solver.getInfo()
    found = info.primal_solution_status == \
        highspy.SolutionStatus.kSolutionStatusFeasible
    proven = solver.getModelStatus() == highspy.HighsModelStatus.kOptimal
    return (info.objective_function_value if found else None, proven,
            time.perf_counter() - start)


def compare(given, number, rng, folder):
    """(ratio of ours to the programme's, or None; proven; both seconds)."""
    while True:
        program = checkpoint_program.draw(rng, rng.randint(9, 20))
        if 20 <= len(program.steps) <= 40:
            break
    path = folder / "program.txt"
    path.write_text(program.text(), encoding="utf-8")
    points, result, seconds = frontier(given, path)
    whole = result["program"]
    least = min(size for size, _ in points)
    budget = least + (whole["peak_bytes"] - least) * (1 + number % 2) // 4
    ours = min(took for size, took in points if size <= budget)
    theirs, proven, took = programme(given, program, budget,
                                     folder / "program.lp")
    ratio = ours / theirs if theirs else None
    print(f"{number:3} {len(program.steps)} steps, {len(program.values)} "
          f"values, {budget / 2**20:.0f} MiB: ours {ours:.0f} us in "
          f"{seconds:.2f} s, {ours / (whole['time_ps'] / 1e6):.3f} of the "
          "program's; theirs "
          f"{f'{theirs:.0f}' if theirs else 'none'} us in {took:.0f} s"
          f"{', proven' if proven else ''}"
          f"{f'; ratio {ratio:.4f}' if ratio else ''}", flush=True)
    return ratio, proven, seconds, took


def compare_all(given):
    """Rows of figures, and the mean ratio."""
    rng = random.Random(given.seed)
    with tempfile.TemporaryDirectory() as folder:
        rows = [compare(given, number, rng, pathlib.Path(folder))
                for number in range(given.programs)]
    ratios = [row[0] for row in rows if row[0]]
    if not ratios:
        return [], 1
    mean = statistics.mean(ratios)
    proven = sum(row[1] for row in rows)
    print(f"{len(rows)} programs, {len(ratios)} solved by the programme, "
          f"{proven} proven: mean ratio {mean:.4f}, "
          f"{min(ratios):.4f} to {max(ratios):.4f}")
    shape = f"{len(rows)} random programs of 20 to 40 steps"
    against = f"Checkmate's programme, HiGHS, {given.seconds:g} s each"
    return [
        (1, shape, "time, mean", against, f"{mean:.4f}", "ratio"),
        (1, shape, "time", against,
         f"{min(ratios):.4f}..{max(ratios):.4f}", "ratio"),
        (1, shape, "the programme: solved, proven", "",
         f"{len(ratios)}, {proven}", "programs"),
        (1, shape, "search, longest", "",
         f"{max(row[2] for row in rows):.2f}", "s"),
        (1, shape, "the programme, longest", "",
         f"{max(row[3] for row in rows):.0f}", "s"),
    ], mean


def measure_data(given):
    """Rows of figures, and the most seconds."""
    rows, most = [], 0
    for path in sorted((ROOT / "test/bench/data/checkpoint").iterdir()):
        points, result, seconds = frontier(given, path)
        shape = f"{path.stem}, {result['nodes']} steps"
        print(f"{shape}: {seconds:.2f} s, {len(points)} plans")
        rows.append((1, shape, "search and proof", "", f"{seconds:.2f}", "s"))
        whole = result["program"]
        for part in (.6, .4, .25):
            size = part * whole["peak_bytes"]
            took = min(t for b, t in points if b <= size)
            rows.append((1, shape, f"time in {part:g} of the bytes",
                         "the program as it is",
                         f"{took * 1e6 / whole['time_ps']:.4f}", "ratio"))
        most = max(most, seconds)
    return rows, most


def main():
    given = options()
    compared, mean = compare_all(given)
    measured, most = measure_data(given)
    figures.append(given, compared + measured)
    return 0 if mean <= MOST_MEAN and most <= MOST_SECONDS else 1


if __name__ == "__main__":
    sys.exit(main())
