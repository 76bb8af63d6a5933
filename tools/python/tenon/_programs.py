# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The programs of the package, as scripts that pip makes."""

from __future__ import annotations

import os
import pathlib
import sys
from typing import NoReturn


def _become(name: str) -> NoReturn:
    path = pathlib.Path(__file__).parent / "bin" / name
    os.execv(path, [os.fspath(path), *sys.argv[1:]])


def compile() -> NoReturn:
    _become("tenon-compile")


def run() -> NoReturn:
    _become("tenon-run")
