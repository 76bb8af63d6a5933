# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measure inverted residuals as one kernel of stages against three kernels.

The blocks are those of MobileNetV2. Each is compiled once with three groups and
once for each tile; the artifacts run in turn, each in a process of its own. A
ratio is of the fastest runs, one kernel over three."""

import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

from figures import ROOT
import figures

sys.path.insert(0, str(ROOT / "test" / "run" / "stages"))
import inverted_residual  # noqa: E402

# Maps, channels, expanded and projected channels, stride.
BLOCKS = ((112, 16, 96, 24, 2), (56, 24, 144, 24, 1), (28, 32, 192, 32, 1),
          (14, 96, 576, 96, 1))
TILES = ({1: 1}, {1: 2}, {1: 4}, {1: 7}, {1: 14}, {1: 4, 2: 14}, {1: 7, 2: 14})


def options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--build-dir", type=pathlib.Path,
                        default=ROOT / "build" / "release")
    parser.add_argument("--mcpu", default="native")
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--runs", type=int, default=40,
                        help="of an artifact in each round")
    figures.add_options(parser)
    return parser.parse_args()


def title(tile):
    """What a tile is called: its rows, and columns where they are cut."""
    if not tile:
        return "three kernels"
    return "tiles of " + "x".join(map(str, tile.values())) + (
        "" if 2 in tile else " rows")


def compile_block(chosen, block, folder, name):
    source, artifact = folder / f"{name}.mlir", folder / f"{name}.tenon"
    source.write_text(inverted_residual.program([block]), encoding="ascii")
    subprocess.run([chosen.build_dir / "bin" / "tenon-compile", source, "-o",
                    artifact, "--quiet", f"--mcpu={chosen.mcpu}"], check=True)
    return artifact


def run(chosen, artifact, threads):
    """(fastest, median) in ms."""
    done = subprocess.run(
        [chosen.build_dir / "bin" / "tenon-run", artifact, "--input",
         "random:3", "--benchmark", f"--runs={chosen.runs}", "--threads",
         str(threads), "--json"], check=True, capture_output=True, text=True)
    times = json.loads(done.stdout)
    return times["min_ms"], times["median_ms"]


def measure(chosen, artifacts, threads):
    """{tile's title: (fastest of all rounds, median of their medians)}."""
    times = {name: [] for name in artifacts}
    for _ in range(chosen.rounds):
        for name, artifact in artifacts.items():
            times[name].append(run(chosen, artifact, threads))
    return {name: (min(fast for fast, _ in rounds),
                   statistics.median(median for _, median in rounds))
            for name, rounds in times.items()}


def measure_block(chosen, numbers, folder):
    """(shape, threads, measured times) of a block."""
    size, channels, expanded, filters, stride = numbers
    artifacts = {}
    for i, tile in enumerate((None, *TILES)):
        block = inverted_residual.Block(size, size, channels, expanded, filters,
                                        stride, tile=tile)
        artifacts[title(tile)] = compile_block(chosen, block, folder, str(i))
    shape = (f"{channels}x{size}x{size} to {expanded} to {filters}"
             f"{', stride 2' if stride == 2 else ''}")
    for threads in chosen.threads:
        yield shape, threads, measure(chosen, artifacts, threads)


def rows_of(shape, threads, times):
    """(threads, shape, measured, against, figure, unit)."""
    base = times["three kernels"][0]
    for name, (fastest, _) in times.items():
        if name == "three kernels":
            yield threads, shape, name, "", f"{base * 1e3:.0f}", "us"
        else:
            yield (threads, shape, f"one kernel, {name}", "three kernels",
                   f"{fastest / base:.2f}", "ratio")


def show(shape, threads, times):
    print(f"\n{shape}, threads: {threads}")
    print(f"{'':22}{'min us':>9}{'median us':>11}{'ratio':>7}")
    base = times["three kernels"][0]
    for name, (fastest, median) in times.items():
        print(f"{name:22}{fastest * 1e3:9.1f}{median * 1e3:11.1f}"
              f"{fastest / base:7.2f}", flush=True)


def main():
    chosen, rows = options(), []
    with tempfile.TemporaryDirectory() as folder:
        for numbers in BLOCKS:
            for result in measure_block(chosen, numbers, pathlib.Path(folder)):
                show(*result)
                rows += rows_of(*result)
    figures.append(chosen, rows)


if __name__ == "__main__":
    main()
