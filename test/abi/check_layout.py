# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compare sizes and offsets of the C API's structs, and the values of its
enumerators, with those recorded: programs that are compiled rely on them.

Structs that state their size may grow at the end: record it by --update, which
refuses to change or remove what is there while the size of no struct without
`struct_size` changes."""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

SIZED = "size_t struct_size"


def declarations(text, kind):
    text = re.sub(r"//[^\n]*", "", text)
    return re.findall(rf"typedef {kind} (\w+) \{{(.*?)\n\}} \1;", text, re.S)


def fields(body):
    for statement in filter(None, map(str.strip, body.split(";"))):
        pointer = re.search(r"\(\*(\w+)\)\s*\(", statement)
        yield pointer[1] if pointer else re.search(r"(\w+)(\[.*\])?$",
                                                   statement)[1]


def program(headers):
    lines = []
    for header in headers:
        text = header.read_text(encoding="utf-8")
        for name, body in declarations(text, "struct"):
            lines.append(f'printf("{name} %zu\\n", sizeof({name}));')
            lines += [f'printf("{name}.{field} %zu\\n", '
                      f"offsetof({name}, {field}));" for field in fields(body)]
        for _, body in declarations(text, "enum"):
            lines += [f'printf("{value} %d\\n", {value});'
                      for value in re.findall(r"^\s*(TENON_\w+)", body, re.M)]
    return ('#include "tenon-c/Compiler.h"\n#include <stdio.h>\n'
            "int main(void) {\n" + "\n".join(lines) + "\nreturn 0;\n}\n")


def layout(compiler, include, headers):
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder, "layout.c")
        source.write_text(program(headers), encoding="utf-8")
        binary = source.with_suffix("")
        subprocess.run([compiler, "-I", include, source, "-o", binary],
                       check=True)
        return subprocess.run([binary], check=True, capture_output=True,
                              text=True).stdout.splitlines()


def broken(old, new, sized):
    """What compiled programs would see: another offset, or another size of a
    struct that does not state it."""
    after = dict(line.rsplit(" ", 1) for line in new)
    for line in old:
        name, value = line.rsplit(" ", 1)
        if name in sized and int(after.get(name, 0)) >= int(value):
            continue
        if after.get(name) != value:
            yield f"{name} was {value}, is {after.get(name, 'gone')}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("compiler")
    parser.add_argument("include", type=pathlib.Path)
    parser.add_argument("record", type=pathlib.Path)
    parser.add_argument("--update", action="store_true")
    options = parser.parse_args()
    headers = sorted(options.include.glob("tenon-c/*.h"))
    sized = {name for header in headers for name, body in declarations(
        header.read_text(encoding="utf-8"), "struct") if SIZED in body}
    new = layout(options.compiler, options.include, headers)
    old = (options.record.read_text(encoding="utf-8").splitlines()
           if options.record.exists() else [])
    wrong = list(broken(old, new, sized))
    print("\n".join(wrong))
    if not wrong and options.update:
        options.record.write_text("\n".join(new) + "\n", encoding="utf-8")
    elif not wrong and old != new:
        wrong = sorted(set(old) ^ set(new))
        print("not recorded (--update does it):", *wrong, sep="\n")
    print(f"{len(new)} sizes, offsets and values:",
          "FAILED" if wrong else "as recorded")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
