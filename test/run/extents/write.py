#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Write models whose extents lie around every tile boundary.

Each file holds many operators of one family, each with inputs and an output of
its own. Vectors have 4, 8 or 16 lanes and register tiles up to 28 rows by 8
vectors; so extents are one less, equal and one more than multiples of these,
combined with strides, dilations, groups and paddings by a fixed sequence of
random numbers."""

import argparse
import pathlib

import attention
import elementwise
import model
import movement
import products
import recurrences
import rows
import windows

# A family's place is its seed: new ones come last.
FAMILIES = (
    products.products, windows.convolutions, windows.joined, windows.filtered,
    windows.depthwise, windows.walks, windows.transposed, windows.pools,
    rows.rows, windows.apart, products.folded, attention.attention,
    recurrences.recurrences, elementwise.broadcasts, rows.reductions,
    rows.places, movement.transposes, movement.pieces, movement.resizes,
    movement.neighbours, windows.spread, windows.lines_and_volumes,
    rows.normalisations, windows.mixed, rows.teams, movement.squares,
    windows.borders, attention.heads, products.few, movement.kinds,
    windows.responses)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--half", action="store_true",
                        help="numbers of f16 instead of f32")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("families", nargs="+",
                        choices=[family.__name__ for family in FAMILIES])
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    for seed, family in enumerate(FAMILIES):
        if family.__name__ in arguments.families:
            collected = model.Model(seed, arguments.half)
            family(collected)
            collected.write(arguments.folder / f"{family.__name__}.onnx")


if __name__ == "__main__":
    main()
