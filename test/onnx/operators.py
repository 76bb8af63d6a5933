#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Write the table of operators from onnx's schemas and the lists of tests.

Each operator of ai.onnx and ai.onnx.preview.training has a row: the opsets that
changed it, how many of onnx's node tests with it pass (expected-pass.txt), and
how many of these with open sizes (open-refused.txt has the rest). Without
--out, the page goes to the standard output."""

import argparse
import collections
import pathlib
import re
import sys

import onnx

HERE = pathlib.Path(__file__).parent
DOMAINS = ("", "ai.onnx.preview.training")
# Written as a function of other operators, or once more for a backend.
DERIVED = re.compile(r"_expanded(_ver\d+)?$")

HEADER = """# Operators

Written by `test/onnx/operators.py` from the schemas of onnx {version} and the \
lists that the tests compare with. *Versions* are the opsets that changed the \
operator: all are read. *Right* counts onnx's node tests with the operator \
whose results Tenon reproduces, of those there are; *open*, how many of these \
also compile, and are right, when the sizes of all inputs are left open: a \
number in brackets says how many are refused, by node and reason. A dash means \
that onnx has no test; `test/run` has, as it has for random numbers, which no \
test of onnx's can know. Operators of \
other domains are refused, unless the model has a function for them.
"""


def options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", required=True, type=pathlib.Path,
                        help="folder of onnx's node tests")
    parser.add_argument("--out", type=pathlib.Path, help="file to write")
    return parser.parse_args()


def first_words(path):
    """The lines of a list, as words, without comments."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line.split() for line in lines if line and line[0] != "#"]


def refused_open():
    """The tests that are refused when the sizes of all inputs are open."""
    return {name for name, *modes in first_words(HERE / "open-refused.txt")
            if "all" in modes}


def nodes_of(graph):
    """(domain, type) of each node, bodies of control flow included."""
    for node in graph.node:
        yield "" if node.domain == "ai.onnx" else node.domain, node.op_type
        for attribute in node.attribute:
            yield from nodes_of(attribute.g)


def subjects(folder):
    """The operators that a test is about: what makes its operands is not."""
    model = onnx.load(folder / "model.onnx", load_external_data=False)
    found = set(nodes_of(model.graph))
    return found - {("", "Constant")} or found


def tests_by_operator(data):
    tests = collections.defaultdict(set)
    for folder in sorted(data.iterdir()):
        if DERIVED.search(folder.name) or not (folder / "model.onnx").exists():
            continue
        for operator in subjects(folder):
            tests[operator].add(folder.name)
    return tests


def schema_versions():
    """Operator -> the opsets that changed it, and whether it is deprecated."""
    versions = collections.defaultdict(list)
    for schema in onnx.defs.get_all_schemas_with_history():
        if schema.domain in DOMAINS:
            versions[schema.domain, schema.name].append(
                (schema.since_version, schema.deprecated))
    return {name: sorted(entries) for name, entries in versions.items()}


def row(operator, versions, tests, passing, refused):
    domain, name = operator
    label = f"`{name}`" + (f" ({domain})" if domain else "")
    opsets = ", ".join(str(version) for version, _ in versions)
    if versions[-1][1]:
        opsets += " (withdrawn)"
    right = tests & passing
    closed = right & refused
    opened = f"{len(right) - len(closed)}"
    if closed:
        opened += f" ({len(closed)})"
    counts = f"{len(right)} of {len(tests)} | {opened}" if tests else "- | -"
    return f"| {label} | {opsets} | {counts} |"


def page(data):
    tests = tests_by_operator(data)
    passing = {words[0] for words in first_words(HERE / "expected-pass.txt")}
    refused = refused_open()
    lines = [HEADER.format(version=onnx.__version__),
             "| operator | versions | right | open |", "|---|---|---|---|"]
    lines += [row(operator, versions, tests.get(operator, set()), passing,
                  refused)
              for operator, versions in sorted(schema_versions().items())]
    return "\n".join(lines) + "\n"


def main():
    arguments = options()
    text = page(arguments.data)
    if arguments.out:
        arguments.out.write_text(text, encoding="utf-8")
    else:
        sys.stdout.write(text)


if __name__ == "__main__":
    main()
