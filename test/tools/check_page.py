# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PAGE.md SOURCE: that each block of C++ of the page stands in the source."""

import pathlib
import re
import sys

page, source = (pathlib.Path(path).read_text() for path in sys.argv[1:])
blocks = re.findall(r"```cpp\n(.*?)```", page, re.S)
missing = [block for block in blocks if block not in source]
print("\n".join(missing), end="")
sys.exit(not blocks or bool(missing))
