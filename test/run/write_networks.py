#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Write random networks: up to ten operators, each of a value of the others.

The same number is the same network. Extents lie around those of vectors and
tiles, and are small enough for the interpreter. With --groups there are more
operators, and values have several users."""

import argparse
import itertools
import pathlib

from networks import arrays, decisions, groups, images, sequences
from networks.network import Network

# Kinds of networks in turn.
MIX = (images, arrays, images, arrays, sequences, decisions)


def network(seed):
    net, kind = Network(seed), MIX[seed % len(MIX)]
    kind.start(net)
    net.grow(kind.OPERATORS, net.between(2, 10))
    return net if net.finish() else None


def grouped(seed):
    net = Network(seed)
    groups.start(net)
    net.grow(groups.operators(net), net.between(5, 25))
    return net if net.finish() else None


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--first", type=int, default=0, metavar="N",
                        help="number of the first one (0)")
    parser.add_argument("--count", type=int, default=20, metavar="N",
                        help="so many (20)")
    parser.add_argument("--groups", action="store_true",
                        help="of many operators that could share kernels")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    numbers = itertools.count(arguments.first)
    make = grouped if arguments.groups else network
    made = ((n, net) for n in numbers if (net := make(n)))
    for number, net in itertools.islice(made, arguments.count):
        net.write(arguments.folder / f"network-{number}.onnx")


if __name__ == "__main__":
    main()
