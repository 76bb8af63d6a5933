#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Run kernels with several plans at all sizes around where these change.

Each network is compiled without sizes, or with two typical ones. The report
says up to which count of rows a kernel takes another plan; the artifact runs
with one row less, as many and one more, and with as few as there may be, in one
batch and in two, and its outputs must be those of the interpreter. Plans for two
typical sizes cut launches in different tiles, so a profile tells that both are
taken. With a byte less of code than they need there are no other plans."""

import json
import pathlib
import subprocess
import sys
import tempfile

from check_symbols import FLOAT, Network, Point, execute


def rows(net):
    """Two products, of which the second adds the input."""
    x = net.input("x", ["batch", "seq", 768])
    wide = net.add("Relu", net.add("MatMul", x, net.weights(768, 384)))
    y = net.add("MatMul", wide, net.weights(384, 768))
    return [(net.add("Add", x, y), FLOAT)]


def pixels(net):
    """A window over images with a halo, and one of a pixel."""
    x = net.input("x", ["batch", 96, 4, "seq"])
    y = net.add("Conv", x, net.weights(256, 96, 3, 3, scale=0.03),
                pads=[1, 1, 1, 1])
    return [(net.add("Conv", net.add("Relu", y),
                     net.weights(256, 256, 1, 1, scale=0.06)), FLOAT)]


TWO = ["--typical", "batch=1,8", "--typical", "seq=4,256"]


def compile_to(artifact, model, *options):
    """All counts up to which a kernel has another plan, and bytes of code."""
    path = artifact.with_suffix(".json")
    execute("tenon-compile", model, "-o", artifact, "--quiet",
            f"--report={path}", *options)
    report = json.loads(path.read_text("utf-8"))
    return sorted({plan["most"] for each in report.get("plans_by_size", [])
                   for plan in each["plans"]}), report["code_bytes"]


def tiles(artifact, sizes):
    """Of all launches of a run."""
    dims = [f"--dim={name}={size}" for name, size in sizes.items()]
    run = subprocess.run(
        ["tenon-run", artifact, *dims, "--profile", "--by-launch", "--json",
         "--runs", "1"], check=True, capture_output=True, text=True)
    return [launch["tiles"] for launch in json.loads(run.stdout)["profile"]]


def points(most, least):
    for batch in (1, 2):
        at = most // batch
        for size in (least, at - 1, at, at + 1):
            yield {"batch": batch, "seq": max(size, least)}


def check(build, least, options, folder):
    net = Network(build.__name__)
    model = net.save(build(net), folder)
    artifact = folder / "a.tenon"
    found, code = compile_to(artifact, model, *options)
    if not found:
        return [f"{net.name}: no kernel has several plans"]
    failures = []
    again = folder / "again.tenon"
    for size, want in ((code, found), (code - 1, [])):
        got, _ = compile_to(again, model, *options, f"--code-size={size}", "-j1")
        if want and again.read_bytes() != artifact.read_bytes():
            failures.append(f"{net.name}: other bytes when compiled again")
        if got != want:
            failures.append(f"{net.name}: {size} bytes of code leave {got}")
    for most in found:
        for sizes in points(most, least):
            with tempfile.TemporaryDirectory() as place:
                point = Point(net, model, artifact, sizes, pathlib.Path(place))
                failures += [f"{net.name} {sizes}: {line}"
                             for line in point.compare()]
    few, many = (tiles(artifact, {"batch": 1, "seq": seq})
                 for seq in (1, 2 * found[-1]))
    if options and few == many:
        failures.append(f"{net.name}: few rows have the tiles of many, {few}")
    return failures


def main():
    failures = []
    with tempfile.TemporaryDirectory() as name:
        for number, (build, least, options) in enumerate(
                ((rows, 0, []), (rows, 0, TWO), (pixels, 1, []),
                 (pixels, 1, TWO))):
            folder = pathlib.Path(name) / str(number)
            folder.mkdir()
            failures += check(build, least, options, folder)
    for text in failures:
        print(text, file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
