# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compare two builds of Tenon: which kernels changed, and what that costs.

A kernel's symbol is the hash of its text, so a model whose two artifacts hold
the same symbols runs the same code: it is listed and not timed. The others run
in turn, each build in a process of its own; a ratio is of the fastest runs, new
over old. The status is 0 when the geometric mean over all models (1 for those
with the same kernels) is at most 1.01 and none is above 1.03."""

import argparse
import json
import math
import pathlib
import subprocess
import sys

import models

sys.path.insert(0, str(models.ROOT / "tools" / "dev"))
import kernels  # noqa: E402

MEAN_BAR, WORST_BAR = 1.01, 1.03


def command_of(build, model, folder, mcpu):
    return [build / "bin/tenon-compile", model.path(), f"--mcpu={mcpu}",
            "--quiet", f"--kernel-cache={folder / 'kernels'}",
            *kernels.options_of(model.shapes)]


def compile_model(build, model, folder, mcpu):
    """(artifact, hashes of its kernels, report)."""
    folder.mkdir(parents=True, exist_ok=True)
    artifact = folder / f"{model.name}.tenon"
    report = folder / f"{model.name}.json"
    subprocess.run([*command_of(build, model, folder, mcpu), "-o", artifact,
                    f"--report={report}"], check=True)
    facts = json.loads(report.read_text(encoding="utf-8"))
    hashes = set(kernels.kernels_of(build / "bin", model.path(), mcpu,
                                    kernels.options_of(model.shapes)))
    return artifact, hashes, facts


def fastest(build, artifact, threads):
    run = subprocess.run(
        [build / "bin/tenon-run", artifact, "--input", "random:1",
         "--benchmark", "--threads", str(threads), "--json"],
        check=True, capture_output=True, text=True)
    return json.loads(run.stdout)["min_ms"]


def ratio(options, old, new, threads):
    times = [(fastest(options.old, old, threads),
              fastest(options.new, new, threads))
             for _ in range(options.rounds)]
    before, after = (min(column) for column in zip(*times))
    return after / before


def compare(options, model):
    """The ratios of a model, one for each number of threads."""
    old, before, facts = compile_model(options.old, model,
                                       options.out / "old", options.mcpu)
    new, after, changed = compile_model(options.new, model,
                                        options.out / "new", options.mcpu)
    sizes = (f"artifact {facts['artifact_bytes'] / 2**20:.1f} -> "
             f"{changed['artifact_bytes'] / 2**20:.1f} MiB, arena "
             f"{models.arena_bytes(facts) / 2**20:.2f} -> "
             f"{models.arena_bytes(changed) / 2**20:.2f} MiB")
    if before == after:
        print(f"{model.name:22} same kernels; {sizes}", flush=True)
        return [1.0]
    ratios = [] if options.kernels else [
        ratio(options, old, new, threads) for threads in (1, 2)]
    times = ", ".join(f"{value:.3f}" for value in ratios)
    print(f"{model.name:22} {times or 'not timed'}; "
          f"{len(after - before)} of {len(after)} kernels are new; {sizes}",
          flush=True)
    return ratios or [1.0]


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("old", type=pathlib.Path, help="build folder")
    parser.add_argument("new", type=pathlib.Path, help="build folder")
    parser.add_argument("--models", nargs="*", default=[], metavar="NAME")
    parser.add_argument("--mcpu", default="native")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--kernels", action="store_true",
                        help="only compare kernels, time nothing")
    parser.add_argument("--out", type=pathlib.Path, required=True,
                        help="folder for artifacts and kernels")
    options = parser.parse_args()
    ratios = [value for model in models.select(options.models)
              for value in compare(options, model)]
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    print(f"geometric mean {mean:.3f}, worst {max(ratios):.3f}")
    return mean > MEAN_BAR or max(ratios) > WORST_BAR


if __name__ == "__main__":
    sys.exit(main())
