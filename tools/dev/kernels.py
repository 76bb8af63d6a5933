"""kernels.py - the kernels that a build of Tenon makes of a model, as text."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# This module stops before machine code: two builds that write a kernel with
# the same text compile it to the same code, and texts take a tenth of the time.

import hashlib
import re
import subprocess
import tempfile

# A function's attributes tell launches about it; they are no code, but for what
# an assembler for GPUs is told.
OPENING = re.compile(r"  (?:func|llvm)\.func (?:\w+ )?@([\w$.-]+)\((.*)\)"
                     r"(?: attributes \{(.*)\})? \{")
TOLD = re.compile(r"nvvm\.\w+(?: = (?:array<[^>]*>|[\w.]+(?: : \w+)?))?")
GLOBAL = re.compile(r"  llvm\.mlir\.global .*?@([\w$.-]+)(.*)")
REFERENCE = re.compile(r"(?<=llvm\.mlir\.addressof )@([\w$.-]+)")


class Refused(Exception):
    """The build does not compile the model; says why."""


def options_of(shapes):
    """The options that fix the inputs' shapes: ((name, dims), ...)."""
    return [word for name, dims in shapes
            for word in ("--shape", f"{name}={'x'.join(map(str, dims))}")]


def is_gpu(target):
    return target.startswith("sm_")


def program_of(bin_dir, model, target, options=()):
    """The text of a compiled program, without the data of its constants; for a
    processor or a GPU."""
    option = f"--device=cuda:{target}" if is_gpu(target) else f"--mcpu={target}"
    with tempfile.NamedTemporaryFile(suffix=".mlir") as out:
        run = subprocess.run(
            [bin_dir / "tenon-opt", model, option,
             "--compile-to=memory", "--mlir-elide-resource-strings-if-larger=16",
             *options, "-o", out.name], capture_output=True, text=True,
            check=False)
        if run.returncode < 0:
            raise Refused(f"ended by signal {-run.returncode}")
        if run.returncode:
            lines = run.stderr.strip().splitlines() or [""]
            raise Refused(lines[0])
        with open(out.name, encoding="utf-8") as text:
            return text.read()


def split(program):
    """{hash: (name, text)} of each distinct kernel. Names are not hashed;
    constants of a kernel stand in its text for their names."""
    constants = dict(match.groups() for match in map(
        GLOBAL.match, program.splitlines()) if match)
    found, lines = {}, iter(program.splitlines())
    for line in lines:
        opening = OPENING.fullmatch(line)
        if not opening or opening[1] == "main":
            continue
        told = ", ".join(TOLD.findall(opening[3] or ""))
        body = [f"kernel({opening[2]}) {told}".rstrip()]
        for line in lines:
            if line == "  }":
                break
            body.append(REFERENCE.sub(lambda m: constants[m[1]], line))
        text = "\n".join(body) + "\n"
        digest = hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
        found.setdefault(digest, (opening[1], text))
    return found


def kernels_of(bin_dir, model, target, options=()):
    return split(program_of(bin_dir, model, target, options))
