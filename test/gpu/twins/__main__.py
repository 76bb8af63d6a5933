# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Print modules as text, without PyTorch: python -m twins FILE.onnx
[NAME=1x3x224x224]... [FILE.onnx ...]. Shapes are those of inputs of the file
before them."""

import pathlib
import sys

from . import module


def main():
    files = []
    for word in sys.argv[1:]:
        name, given, dims = word.rpartition("=")
        if given:
            files[-1][1][name] = [int(size) for size in dims.split("x")]
        else:
            files.append((word, {}))
    for path, shapes in files:
        try:
            _, lines = module.text_of(path, shapes)
        except ValueError as error:
            print(f"error: {path}: {error}", file=sys.stderr)
            return 1
        print(f"# {pathlib.Path(path).stem}\n{lines}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
