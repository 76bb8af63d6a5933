#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plant faults one at a time, and see that the default tests catch each.

A copy of the working tree gets all faults of faults.toml at once, of which the
environment chooses one, and is built once. Without a fault the tests that the
list names must pass; with it, one of them must fail (or never end). The status
is 0 if all faults are caught.

--list prints the faults, --check only looks whether their places exist."""

import argparse
import csv
import datetime
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import faults as listed

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIT = "/usr/lib/llvm-22/bin/lit"
# What tests run beside the programs that they are.
PROGRAMS = ("tenon-compile", "tenon-run", "tenon-opt", "tenon-interpret",
            "tenon-solve", "tenon_runtime_shared", "tenon-cuda-emulator")
SECONDS = 900


def options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--only", metavar="NAMES", default="",
                        help="of some faults, by name or number: a,b,7")
    parser.add_argument("--all-tests", action="store_true",
                        help="all default tests for those not caught before")
    parser.add_argument("--folder", type=pathlib.Path, metavar="DIR",
                        help="for the copy; kept, and taken as it is if there")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--results", type=pathlib.Path, metavar="FILE.csv")
    parser.add_argument("--tally", type=pathlib.Path, metavar="FILE")
    return parser.parse_args()


def chosen_of(faults, only):
    names = set(filter(None, only.split(",")))
    chosen = [f for f in faults
              if not names or {f.name, str(f.number)} & names]
    known = {name for f in faults for name in (f.name, str(f.number))}
    if names - known:
        raise ValueError(f"no fault '{min(names - known)}'")
    return chosen


#===-- The copy -----------------------------------------------------------===#

def git(*arguments):
    done = subprocess.run(["git", *arguments], cwd=ROOT, check=True,
                          capture_output=True, text=True)
    return [name for name in done.stdout.split("\0") if name]


def copy_tree(to):
    """The commit at hand, and what is not committed yet."""
    subprocess.run(["git", "clone", "-q", "--shared", ROOT, to], check=True)
    for name in git("ls-files", "-z", "-m", "-o", "--exclude-standard"):
        (to / name).parent.mkdir(parents=True, exist_ok=True)
        if (ROOT / name).is_file():
            shutil.copy2(ROOT / name, to / name)
        else:
            (to / name).unlink(missing_ok=True)


def as_deep(folder):
    """As deep as the tree: ccache has paths from the build folder on, so that
    what the faults leave alone is not compiled again."""
    return folder.joinpath(*["tree"] * (len(ROOT.parts) - len(folder.parts)))


def prepare(faults, to):
    copy_tree(to)
    listed.rewrite(faults, to)
    # lit hands on only what its configuration names.
    with (to / "test" / "lit.cfg.py").open("a") as config:
        config.write('for name in ("TENON_MUTANT", "TENON_KERNEL_CACHE"):\n'
                     '    config.environment[name] = os.environ[name]\n')


def build(folder, targets, jobs):
    build_folder = folder / "build" / "release"
    if not (build_folder / "build.ninja").is_file():
        subprocess.run(["cmake", "--preset", "release", "-S", folder,
                        "-DTENON_RELEASE_DIR=none"],
                       check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["ninja", "--quiet", "-C", build_folder, "-j", str(jobs),
                    *targets], check=True)
    return build_folder


#===-- Tests --------------------------------------------------------------===#

class Tests:
    """Runs tests of a build folder, with or without a fault."""

    def __init__(self, folder, jobs):
        self.folder, self.jobs = folder, jobs

    def run(self, command, number, cache):
        """Its status; None after too long a time."""
        environment = dict(os.environ, TENON_MUTANT=str(number),
                           TENON_KERNEL_CACHE=cache)
        process = subprocess.Popen(
            [str(word) for word in command], env=environment,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, start_new_session=True)
        try:
            return process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            return None

    def lit(self, pattern, number, cache, stop):
        """Names of the tests that failed."""
        report = self.folder / "mutant.json"
        report.unlink(missing_ok=True)
        command = [LIT, "-q", "-j", self.jobs, "--output", report,
                   "--filter", f":: ({pattern})", self.folder / "test"]
        if stop:
            command += ["--max-failures", 1]
        if self.run(command, number, cache) is None:
            return ["lit: no end"]
        tests = json.loads(report.read_text())["tests"]
        if not any(test["code"] != "EXCLUDED" for test in tests):
            return [f"lit: no test is '{pattern}'"]
        return [test["name"].removeprefix("tenon :: ") for test in tests
                if test["code"] in ("FAIL", "TIMEOUT", "UNRESOLVED")]

    def unit(self, pattern, number, cache):
        names = self.unit_names(pattern)
        command = ["ctest", "--test-dir", self.folder, "-j", self.jobs,
                   "--timeout", 300, "-R", pattern, "--no-tests=error"]
        status = self.run(command, number, cache)
        return [] if status == 0 else [" or ".join(names)]

    def unit_names(self, pattern):
        done = subprocess.run(
            ["ctest", "--test-dir", self.folder, "-N", "-R", pattern],
            capture_output=True, text=True, check=True)
        return re.findall(r"^ *Test +#\d+: (\S+)", done.stdout, re.M)

    def failures(self, number, lit, unit, stop=True):
        """Each fault has a cache of its own: not all change a kernel's text."""
        with tempfile.TemporaryDirectory(prefix="tenon-kernels-") as cache:
            found = self.unit(unit, number, cache) if unit else []
            if lit and not (stop and found):
                found += self.lit(lit, number, cache, stop)
        return found


def any_of(patterns):
    """One for all; CMake's regular expressions have few parentheses."""
    return "|".join(sorted(set(filter(None, patterns))))


def exactly(pattern):
    return f"^({pattern})$" if pattern else ""


def targets_of(faults, all_tests):
    if all_tests:
        return ["all"]
    units = {name for fault in faults for name in fault.unit.split("|")
             if name}
    return [*PROGRAMS, *sorted(units)]


def passes_without(tests, faults):
    """Whether all tests that the list names pass when there is no fault."""
    failed = tests.failures(0, any_of(f.lit for f in faults),
                            exactly(any_of(f.unit for f in faults)),
                            stop=False)
    for name in failed:
        print(f"error: without any fault: {name}", file=sys.stderr)
    return not failed


def catch(tests, fault, all_tests):
    """The row of a fault."""
    start = time.monotonic()
    found = tests.failures(fault.number, fault.lit, exactly(fault.unit))
    if not found and all_tests:
        found = tests.failures(fault.number, ".", ".")
    row = {"fault": fault.name, "file": fault.file,
           "caught_by": found[0] if found else "",
           "seconds": round(time.monotonic() - start)}
    print(f"{'caught' if found else 'MISSED'} {fault.number:2} {fault.name} "
          f"({row['seconds']} s): {row['caught_by']}", flush=True)
    return row


#===-- All of it ----------------------------------------------------------===#

def plant(faults, chosen, given, folder):
    if not (folder / "test").is_dir():
        prepare(faults, folder)
    tests = Tests(build(folder, targets_of(chosen, given.all_tests),
                        given.jobs), given.jobs)
    if not passes_without(tests, chosen):
        return []
    return [catch(tests, fault, given.all_tests) for fault in chosen]


def write(rows, path):
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(
            file, ["date", "fault", "file", "caught_by", "seconds"],
            lineterminator="\n")
        writer.writeheader()
        today = datetime.date.today().isoformat()
        writer.writerows({"date": today, **row} for row in rows)


def plant_all(faults, given):
    chosen = chosen_of(faults, given.only)
    if given.folder:
        rows = plant(faults, chosen, given, given.folder.absolute())
    else:
        with tempfile.TemporaryDirectory(prefix="tenon-mutants-") as folder:
            rows = plant(faults, chosen, given, as_deep(pathlib.Path(folder)))
    caught = sum(bool(row["caught_by"]) for row in rows)
    if given.results and rows:
        write(rows, given.results)
    if given.tally:
        given.tally.write_text(f"{caught} {len(chosen) - caught} 0\n")
    print(f"{caught} of {len(chosen)} faults are caught")
    return 0 if caught == len(chosen) else 1


def main():
    given = options()
    try:
        faults = listed.read(listed.LIST)
        wrong = listed.check(faults, ROOT)
        for line in wrong:
            print(f"error: {line}", file=sys.stderr)
        if given.check or wrong:
            print(f"{len(faults)} faults, {len(wrong)} errors")
            return 1 if wrong else 0
        if given.list:
            for fault in faults:
                print(f"{fault.number:2} {fault.name}: {fault.what}")
            return 0
        return plant_all(faults, given)
    except (ValueError, OSError, subprocess.CalledProcessError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
