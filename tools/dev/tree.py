"""tree.py - what the checks under tools/dev share: files, waivers, reports."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# This module lists the files of the working tree, reads tools/dev/waivers.txt
# and collects findings, so that each check is only its own rule.

import argparse
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SOURCES = {".cpp", ".h", ".c", ".def"}


def files():
    """Tracked files and new files that git does not ignore, sorted."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "-c", "-o", "--exclude-standard"],
        cwd=ROOT, check=True, capture_output=True, text=True).stdout
    names = sorted(set(filter(None, listed.split("\0"))))
    return [pathlib.PurePosixPath(n) for n in names if (ROOT / n).is_file()]


def text(path):
    return (ROOT / path).read_text(encoding="utf-8", errors="replace")


def parser(doc):
    result = argparse.ArgumentParser(
        description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    return result


def waivers(check):
    """Lines `check  subject  # reason` of waivers.txt, as {subject: reason}."""
    found = {}
    for line in text("tools/dev/waivers.txt").splitlines():
        fields, _, reason = line.partition("#")
        words = fields.split()
        if len(words) == 2 and words[0] == check:
            found[words[1]] = reason.strip()
    return found


class Report:
    """Findings of one check; a waived subject is not a finding."""

    def __init__(self, check):
        self.check, self.waived = check, waivers(check)
        self.used, self.errors, self.warnings = set(), [], []

    def error(self, subject, message, line=None):
        if str(subject) in self.waived:
            self.used.add(str(subject))
            return
        place = f"{subject}:{line}" if line else str(subject)
        self.errors.append(f"{place}: {message}")

    def warn(self, subject, message):
        self.warnings.append(f"{subject}: {message}")

    def finish(self, summary, show_warnings=False):
        for subject in sorted(set(self.waived) - self.used):
            self.errors.append(
                f"tools/dev/waivers.txt: {self.check} {subject}: not needed")
        if show_warnings:
            for line in self.warnings:
                print("warning:", line)
        for line in self.errors:
            print("error:", line, file=sys.stderr)
        print(f"{self.check}: {summary}, {len(self.errors)} errors, "
              f"{len(self.warnings)} warnings")
        return 1 if self.errors else 0


def blank_cpp(source):
    """C++ source with comments, literals and preprocessor lines blanked.

    Newlines stay, so that positions still give line numbers."""
    pattern = re.compile(
        r'R"(?P<d>[^()\\ ]{0,16})\(.*?\)(?P=d)"'
        r"|//[^\n]*|/\*.*?\*/"
        r'|"(?:\\.|[^"\\\n])*"'
        r"|(?<![0-9A-Za-z])'(?:\\.|[^'\\\n])+'"
        r"|^[ \t]*#(?:\\\n|[^\n])*", re.S | re.M)
    return pattern.sub(
        lambda m: re.sub(r"[^\n]", " ", m.group()), source)
