# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import sys
from typing import Any, final

@final
class Artifact:
    if sys.version_info >= (3, 12):
        def __buffer__(self, flags: int, /) -> memoryview: ...

def compile(source: Any, name: str | None, words: tuple[str, ...],
            external: Any, isolate: bool, /
            ) -> tuple[Artifact, list[tuple[str, str]], dict[str, Any]]: ...
def check(source: Any, name: str | None, words: tuple[str, ...],
          external: Any, isolate: bool, /
          ) -> list[tuple[str, str, str | None, str | None]]: ...
