# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the wheel as pip does, without pip: make_wheel.py [--runtime] FOLDER.

--runtime: that of tenon-runtime, and its source archive."""

import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]

if sys.argv[1] == "--runtime":
    sys.path.insert(0, str(ROOT / "tools" / "python" / "runtime"))
    import backend_runtime

    print(backend_runtime.build_wheel(sys.argv[2]))
    print(backend_runtime.build_sdist(sys.argv[2]))
else:
    sys.path.insert(0, str(ROOT / "tools" / "python"))
    import backend

    print(backend.build_wheel(sys.argv[1]))
