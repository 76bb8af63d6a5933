# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the wheel as pip does, without pip: make_wheel.py FOLDER."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] /
                       "tools" / "python"))
import backend

print(backend.build_wheel(sys.argv[1]))
