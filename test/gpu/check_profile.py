# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Check that what a profile says of a GPU agrees with itself:

  check_profile.py PROFILE.txt PROFILE.json TF32.json

the same rates in the text and in the JSON of one artifact, shares of a launch
that are its rates over those of the GPU, and a GPU that does more in TF32."""

import json
import math
import re
import sys


def find(value, key):
    """All that stands under `key`, wherever it is."""
    if isinstance(value, dict):
        for name, inner in value.items():
            if name == key:
                yield inner
            yield from find(inner, key)
    elif isinstance(value, list):
        for inner in value:
            yield from find(inner, key)


def check(holds, what):
    if not holds:
        sys.exit(f"check_profile: {what}")


def same(a, b):
    return math.isclose(a, b, rel_tol=2e-3)


def main():
    text, report, tf32 = (open(path, encoding="utf-8").read()
                          for path in sys.argv[1:])
    report, tf32 = json.loads(report), json.loads(tf32)
    roof, faster = (next(find(each, "roof")) for each in (report, tf32))
    flops, bandwidth = roof["peaks"][0]["gflops"], roof["reads"][0]["gbytes"]
    printed = re.search(r"roofline of (.*): ([0-9.]+) GFLOP/s of products, "
                        r"memory ([0-9.]+) GB/s", text)
    check(printed, "the text has no roofline")
    check(printed[1] == roof["device"], "two GPUs")
    check(same(float(printed[2]), flops), "two rates of products")
    check(same(float(printed[3]), bandwidth), "two rates of memory")
    check(flops > 0 and bandwidth > 0, "a GPU that does nothing")
    check(faster["peaks"][0]["gflops"] > flops, "TF32 is no faster")
    check(faster["reads"] == roof["reads"], "memory depends on the precision")
    launches = report["profile"]
    check(launches, "no launches")
    for row in launches:
        check(same(row["of_peak"], row["gflops"] / flops), "a share of the peak")
        check(same(row["of_read"], row["gbytes"] / bandwidth),
              "a share of the bandwidth")


main()
