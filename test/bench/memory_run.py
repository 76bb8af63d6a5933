# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs tenon-solve and checks what it says, with a planner of its own."""

import bisect
import csv
import json
import os
import subprocess
import time


class Solver:
    """tenon-solve memory, measured."""

    def __init__(self, options, folder):
        self.program = options.build_dir / "bin" / "tenon-solve"
        self.budget = options.budget
        self.flags = [f"--threads={options.threads}"]
        self.placed = folder / "placed.csv"

    def solve(self, instance):
        """(JSON with wall seconds and MiB, boxes), or (message, None). What
        must fit somewhere gets the default budget, all else a small one."""
        command = [self.program, "memory", instance.path, "--json", "-o",
                   self.placed, *self.flags]
        if instance.capacity:
            command.append(f"--capacity={instance.capacity}")
        elif not instance.seconds:
            command.append(f"--budget={self.budget}")
        start = time.perf_counter()
        with subprocess.Popen([str(c) for c in command], text=True,
                              stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE) as process:
            output, message = process.stdout.read(), process.stderr.read()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            return f"status {process.returncode}: {message.strip()}", None
        result = json.loads(output)
        result["wall"] = time.perf_counter() - start
        result["mib"] = usage.ru_maxrss / 1024
        return result, boxes(self.placed)


def boxes(path):
    """(lower, upper, offset, size, alignment) of each row; none for a program,
    which has nodes instead of lives and is proven by tenon-solve alone."""
    with path.open(encoding="utf-8", newline="") as file:
        if not file.readline().startswith("id,"):
            return []
        file.seek(0)
        columns = "lower", "upper", "offset", "size", "alignment"
        return [tuple(int(row.get(c) or 1) for c in columns)
                for row in csv.DictReader(file)]


def overlap(placed):
    """Two rows that share a byte while both live, or None. A sweep over time
    that keeps what lives sorted by offset: as long as nothing overlaps, only
    neighbours can."""
    events = sorted([(box[1], 0, i) for i, box in enumerate(placed) if box[3]] +
                    [(box[0], 1, i) for i, box in enumerate(placed) if box[3]])
    live = []
    for _, born, i in events:
        item = (placed[i][2], i)
        at = bisect.bisect_left(live, item)
        if not born:
            del live[at]
            continue
        for other in live[max(0, at - 1):at + 1]:
            low, high = sorted((item, other))
            if low[0] + placed[low[1]][3] > high[0]:
                return other[1], i
        live.insert(at, item)
    return None


def greedy_by_size(placed):
    """The arena of the largest-first, lowest-gap planner: the baseline."""
    done, arena = [], 0
    for lower, upper, _, size, alignment in sorted(placed, key=lambda b: -b[3]):
        at = 0
        for begin, end, lower2, upper2 in done:  # sorted by where they begin
            if lower < upper2 and lower2 < upper:
                if at + size <= begin:
                    break
                at = max(at, -(-end // alignment) * alignment)
        bisect.insort(done, (at, at + size, lower, upper))
        arena = max(arena, at + size)
    return arena
