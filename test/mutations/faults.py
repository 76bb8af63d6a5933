"""faults.py - the list of planted faults, and sources that hold all of them."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Rewritten sources have each fault beside what it replaces. Which of them is
# meant is asked of the environment when the program runs, so that one build has
# all faults, and none where TENON_MUTANT is not set.

import dataclasses
import pathlib
import re
import tomllib

LIST = pathlib.Path(__file__).with_name("faults.toml")
HEADER = """\
/* Which planted fault this process has; 0: none. */
#ifndef TENON_MUTANT
#include <stdlib.h>
static inline int tenonMutant(int number) {
  static int chosen = -1;
  if (chosen < 0) {
    const char *text = getenv("TENON_MUTANT");
    chosen = text ? atoi(text) : 0;
  }
  return chosen == number;
}
#define TENON_MUTANT(number) tenonMutant(number)
#endif
"""


@dataclasses.dataclass
class Fault:
    """What stands in the list, and its number there."""
    number: int
    name: str
    what: str
    file: str
    original: str
    fault: str
    kind: str = "expression"
    lit: str = ""
    unit: str = ""

    def both(self):
        """The code that takes the place of the original."""
        condition = f"TENON_MUTANT({self.number})"
        if self.kind == "statement":
            return (f"{{ if ({condition}) {{ {self.fault} }} "
                    f"else {{ {self.original} }} }}")
        return f"({condition} ? ({self.fault}) : ({self.original}))"


def read(path):
    """The faults of a list; ValueError where it has no right form."""
    faults = []
    for number, entry in enumerate(
            tomllib.loads(path.read_text())["fault"], 1):
        try:
            faults.append(Fault(number=number, **entry))
        except TypeError as error:
            raise ValueError(f"fault {number}: {error}") from error
    return faults


def wrong(fault, root, names):
    """What is wrong with an entry, or None. `names`: of those before."""
    path = root / fault.file
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", fault.name):
        return "the name is not kebab case"
    if fault.name in names:
        return "the name is there twice"
    if path.suffix not in (".cpp", ".c") or not path.is_file():
        return f"{fault.file} is no source file"
    if fault.kind not in ("expression", "statement"):
        return f"'{fault.kind}' is neither an expression nor a statement"
    if fault.original == fault.fault or not fault.original:
        return "the fault is what is there"
    if not (fault.lit or fault.unit):
        return "no test is named"
    count = path.read_text().count(fault.original)
    return None if count == 1 else (
        f"{fault.file} has its original text {count} times instead of once")


def check(faults, root):
    """What is wrong with the entries, a line each."""
    names, lines = set(), []
    for fault in faults:
        reason = wrong(fault, root, names)
        names.add(fault.name)
        if reason:
            lines.append(f"{fault.name}: {reason}")
    return lines


def rewrite(faults, root):
    """Puts all faults into the tree at `root`, which has passed check()."""
    header = root / "test" / "mutations" / "mutant.h"
    header.write_text(HEADER)
    for file in sorted({fault.file for fault in faults}):
        path = root / file
        source = path.read_text()
        for fault in faults:
            if fault.file == file:
                source = source.replace(fault.original, fault.both())
        for fault in faults:
            if fault.file == file and source.count(fault.both()) != 1:
                raise ValueError(f"{fault.name}: overlaps another fault")
        path.write_text(f'#include "{header}"\n{source}')
