# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measure what the search for groups gains over growing them greedily.

Each model is compiled twice, with the options --base and --other of
tenon-compile --fusion. The artifacts run in turn, each in a process of its own;
a ratio is of the fastest runs, other over base, and of the medians of all
rounds. Then a profile of one thread is held against what each group was
predicted to take: Spearman's rank correlation, 1 where the order is the same.
"""

import argparse
import json
import math
import pathlib
import statistics
import subprocess
import sys
import tempfile

import figures
import models

sys.path.insert(0, str(models.ROOT / "tools" / "dev"))
import kernels  # noqa: E402

MODES = ("off", "atoms", "greedy", "full")


def options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--build-dir", type=pathlib.Path,
                        default=figures.ROOT / "build" / "release")
    parser.add_argument("--models", nargs="*", default=[], metavar="NAME",
                        help="of the benchmark, or kinds of them (all)")
    parser.add_argument("--files", nargs="*", default=[], type=pathlib.Path,
                        metavar="FILE", help="other programs: .onnx or .mlir; "
                        "without --models only these")
    parser.add_argument("--base", choices=MODES, default="greedy")
    parser.add_argument("--other", choices=MODES, default="full")
    parser.add_argument("--mcpu", default="native")
    parser.add_argument("--threads", type=int, nargs="*", default=[1, 2])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--groups", type=int, default=0, metavar="N",
                        help="also list the N groups furthest from their "
                        "predictions, of each model")
    figures.add_options(parser)
    return parser.parse_args()


def programs(chosen):
    """(name, file, options of the compiler)."""
    if chosen.models or not chosen.files:
        for model in models.select(chosen.models):
            yield model.name, model.path(), kernels.options_of(model.shapes)
    for path in chosen.files:
        yield path.stem, path, []


def compile_program(chosen, program, mode, folder):
    """(artifact, report)."""
    name, path, fixed = program
    artifact = folder / f"{name}-{mode}.tenon"
    report = artifact.with_suffix(".json")
    subprocess.run([chosen.build_dir / "bin" / "tenon-compile", path, *fixed,
                    f"--fusion={mode}", f"--mcpu={chosen.mcpu}", "--quiet",
                    f"--report={report}", "-o", artifact], check=True)
    return artifact, json.loads(report.read_text(encoding="utf-8"))


def run(chosen, artifact, threads, *what):
    done = subprocess.run(
        [chosen.build_dir / "bin" / "tenon-run", artifact, "--input",
         "random:1", "--threads", str(threads), "--json", *what],
        check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def measure(chosen, artifacts, threads):
    """[(fastest, median) in ms] of each artifact; who is first alternates."""
    times = [[] for _ in artifacts]
    for number in range(chosen.rounds):
        order = list(enumerate(artifacts))
        for i, artifact in order if number % 2 == 0 else reversed(order):
            result = run(chosen, artifact, threads, "--benchmark")
            times[i].append((result["min_ms"], result["median_ms"]))
    return [(min(fast for fast, _ in rounds),
             statistics.median(median for _, median in rounds))
            for rounds in times]


def seconds_of(report, phase="fuse"):
    return sum(each["seconds"] for each in report["phases"]
               if each["name"] == phase)


def ranks(values):
    """From 1; equal values share the mean of theirs."""
    order = sorted(range(len(values)), key=values.__getitem__)
    result, first = [0.0] * len(values), 0
    while first < len(order):
        end = first
        while end < len(order) and values[order[end]] == values[order[first]]:
            end += 1
        for i in order[first:end]:
            result[i] = (first + 1 + end) / 2
        first = end
    return result


def rank_correlation(pairs):
    """Spearman's, of [(predicted, measured)]; None of fewer than three or of
    values that are all the same."""
    if len(pairs) < 3:
        return None
    x, y = (ranks(column) for column in zip(*pairs))
    middle = (len(pairs) + 1) / 2
    across = sum((a - middle) * (b - middle) for a, b in zip(x, y))
    spread = math.sqrt(sum((a - middle) ** 2 for a in x) *
                       sum((b - middle) ** 2 for b in y))
    return across / spread if spread else None


def predictions(chosen, artifact, report):
    """[(group, measured us)] of one thread; empty where launches cannot be
    told, as in programs with control flow."""
    rows = [row for row in run(chosen, artifact, 1, "--profile")["profile"]
            if row["nodes"] != ["zero halo"]]
    groups = report["groups"]
    if [row["kernel"] for row in rows] != [group["kernel"] for group in groups]:
        return []
    return [(group, row["us"]) for group, row in zip(groups, rows)
            if group["nanoseconds"]]


def show_groups(measured, count):
    """Those that take the largest part more or less than predicted, of
    predictions that are right in all."""
    scale = (sum(us for _, us in measured) /
             sum(group["nanoseconds"] for group, _ in measured))
    rows = [(us, us / (group["nanoseconds"] * scale), group)
            for group, us in measured]
    rows.sort(key=lambda row: -abs(row[0] - row[0] / row[1]))
    for us, factor, group in rows[:count]:
        print(f"    {us:9.1f} us, {factor:5.2f} of the predicted part  "
              f"{group['kernel']}  {group['operators'][0]['nodes'][:60]}")


def mean(values):
    return math.exp(statistics.fmean(map(math.log, values)))


def show_speed(chosen, name, times, rows):
    """One line for each number of threads; returns {threads: ratio}."""
    ratios = {}
    for threads, (base, other) in times.items():
        ratios[threads] = other[0] / base[0]
        print(f"{name:26}{threads:8}{base[0]:11.3f}{other[0]:11.3f}"
              f"{ratios[threads]:8.3f}{base[1]:11.3f}{other[1]:11.3f}"
              f"{other[1] / base[1]:8.3f}", flush=True)
        rows.append((threads, name, chosen.other, chosen.base,
                     f"{ratios[threads]:.3f}", "ratio"))
    return ratios


def show_facts(chosen, name, reports, measured, rows):
    base, other = map(models.arena_bytes, reports)
    seconds = [seconds_of(report) for report in reports]
    traffic = [sum(group["bytes"] for group in report["groups"]) / 1e6
               for report in reports]
    counts = [len(report["groups"]) for report in reports]
    print(f"  groups {counts[0]} -> {counts[1]}, traffic {traffic[0]:.2f} -> "
          f"{traffic[1]:.2f} MB, arena {base / 2**20:.2f} -> "
          f"{other / 2**20:.2f} MiB{' LARGER' if other > base else ''}, "
          f"fuse {seconds[0]:.3f} -> {seconds[1]:.3f} s")
    for mode, pairs in zip((chosen.base, chosen.other), measured):
        found = rank_correlation([(group["nanoseconds"], us) for group, us in pairs])
        if found is not None:
            print(f"  {mode}: rank correlation of predicted and measured time "
                  f"{found:.3f}, {len(pairs)} groups", flush=True)
            rows.append((1, name, f"prediction, {mode}", "measured",
                         f"{found:.3f}", "rank correlation"))
        if pairs and chosen.groups:
            show_groups(pairs, chosen.groups)
    rows += [("", name, f"arena, {chosen.other}", chosen.base,
              f"{other / base if base else 1:.3f}", "ratio"),
             ("", name, f"fuse phase, {chosen.other}", "", f"{seconds[1]:.3f}",
              "s")]


def measure_program(chosen, program, folder, rows):
    """({threads: ratio}, [(predicted, measured)] of the other artifact)."""
    made = [compile_program(chosen, program, mode, folder)
            for mode in (chosen.base, chosen.other)]
    artifacts, reports = zip(*made)
    times = {threads: measure(chosen, artifacts, threads)
             for threads in chosen.threads}
    ratios = show_speed(chosen, program[0], times, rows)
    measured = [predictions(chosen, *each) for each in made]
    show_facts(chosen, program[0], reports, measured, rows)
    for artifact in artifacts:
        artifact.unlink()
    return ratios, [(group["nanoseconds"], us) for group, us in measured[1]]


def show_means(chosen, all_ratios, pairs, rows):
    print()
    for threads in chosen.threads:
        ratios = [each[threads] for each in all_ratios]
        print(f"{len(ratios)} programs, threads {threads}: geometric mean "
              f"{mean(ratios):.3f}, worst {max(ratios):.3f}")
        rows.append((threads, f"{len(ratios)} programs, geometric mean",
                     chosen.other, chosen.base, f"{mean(ratios):.3f}",
                     "ratio"))
    found = rank_correlation(pairs)
    if found is not None:
        print(f"{len(pairs)} groups of all programs: rank correlation of "
              f"predicted and measured time {found:.3f}")
        rows.append((1, "all groups", f"prediction, {chosen.other}",
                     "measured", f"{found:.3f}", "rank correlation"))


def main():
    chosen, rows, all_ratios, pairs = options(), [], [], []
    print(f"{'':26}{'threads':>8}{chosen.base + ' ms':>11}"
          f"{chosen.other + ' ms':>11}{'ratio':>8}{'median':>11}{'median':>11}"
          f"{'ratio':>8}")
    with tempfile.TemporaryDirectory() as folder:
        for program in programs(chosen):
            ratios, known = measure_program(chosen, program,
                                            pathlib.Path(folder), rows)
            all_ratios.append(ratios)
            pairs += known
    show_means(chosen, all_ratios, pairs, rows)
    figures.append(chosen, rows)


if __name__ == "__main__":
    main()
