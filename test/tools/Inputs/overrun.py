# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A compiler with a fault: the last kernel of the node $PLANTED writes behind its
result. overrun.py MODEL -o ARTIFACT OPTION..."""

import os
import re
import subprocess
import sys

model, _, output, *options = sys.argv[1:]
node = os.environ["PLANTED"]
STORE = re.compile(r"llvm\.store (%\w+), (%\w+) .*: (\S+), !llvm\.ptr")

early = [o for o in options if o.startswith("--fusion")]
program = subprocess.run(
    ["tenon-opt", model, "--compile-to=codegen", "--mcpu=native",
     "--mlir-print-debuginfo", *early], check=True, capture_output=True,
    text=True).stdout.split("\n")

# Locations that are of the node, alone or with others.
places = [f'"{node}"']
for line in program:
    found = re.match(r"(#loc\d+) = loc\((.*)\)", line)
    if found and any(re.search(p + r"(?!\d)", found[2]) for p in places):
        places.append(found[1])

inside, last = False, None
for number, line in enumerate(program):
    if "func.func private @" in line:
        inside = any(re.search(p + r"(?!\d)", line) for p in places)
    elif inside and STORE.search(line):
        last = number
if last is not None:
    value, pointer, kind = STORE.search(program[last]).groups()
    for i in range(1, 65):
        program[last] += (
            f"\n%behind{i} = llvm.getelementptr {pointer}[{32 * i}] : "
            f"(!llvm.ptr) -> !llvm.ptr, i8"
            f"\nllvm.store {value}, %behind{i} : {kind}, !llvm.ptr")
with open(model + ".mlir", "w", encoding="utf-8") as file:
    file.write("\n".join(program))
late = [o for o in options if o not in early]
os.execvp("tenon-compile", ["tenon-compile", model + ".mlir", "-o", output,
                            "--no-kernel-cache", *late])
