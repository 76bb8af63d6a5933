# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Does each sentence that refuses something have a code, and each code a use?

check_codes.py ROOT TENON-COMPILE reads the sentences from the sources."""

import pathlib
import re
import subprocess
import sys

FOLDERS = ["lib/Import/Onnx", "passes/Normalize", "lib/Compiler",
           "passes/Differentiate"]
EMITTERS = re.compile(r"\b(?:emitError|createStringError|error|refuse|unsupported"
                      r"|add|quoted)\(")
# Parts of a sentence that another part gives the code, faults of the compiler,
# and sentences about a model that errors in front of them explain.
OTHERS = [
    "external data", "after normalize", "memory plan", "cannot be compiled",
    "cannot be read", "has no argument", "has no result", "--train: ",
    "expected a program", "of one block",
]


def statement(text):
    """Up to the end of the call and what is streamed behind it."""
    depth, quoted, position = 0, False, 0
    while position < len(text):
        symbol = text[position]
        if symbol == "\\" and quoted:
            position += 1
        elif symbol == '"':
            quoted = not quoted
        elif not quoted and symbol in "([{":
            depth += 1
        elif not quoted and symbol in ")]}":
            depth -= 1
        if not quoted and (depth < 0 or symbol == ";"):
            break
        position += 1
    return text[:position]


def sentences(path):
    text = path.read_text(encoding="utf-8")
    for match in EMITTERS.finditer(text):
        parts = re.findall(r'"((?:[^"\\]|\\.)*)"',
                           statement(text[match.start():]))
        sentence = "".join(parts).replace("''", "'x'").replace('\\"', '"')
        if path.name == "ExternalData.cpp":
            sentence = "external data " + sentence
        if len(sentence.split()) > 3:
            yield sentence


def main():
    root, program = pathlib.Path(sys.argv[1]), sys.argv[2]
    found = sorted({sentence for folder in FOLDERS
                    for path in sorted((root / folder).rglob("*.cpp"))
                    for sentence in sentences(path)})
    asked = [f"--explain={sentence}" for sentence in found]
    page = subprocess.run([program, *asked], check=True, capture_output=True,
                          text=True).stdout
    codes = re.findall(r"^### (TN\d{4})", page, re.M)
    assert len(codes) == len(found), (len(codes), len(found))
    wrong = [sentence for sentence, code in zip(found, codes)
             if code == "TN0900" and not any(o in sentence for o in OTHERS)]
    for sentence in wrong:
        print("no code:", sentence)
    table = (root / "lib/Support/CodePhrases.cpp").read_text(encoding="utf-8")
    sections = re.findall(r"^### TN(\d{4}) ", (root / "docs/errors.md").read_text(
        encoding="utf-8"), re.M)
    phrases = {int(n) for n in re.findall(r"\{(\d+), \"", table)}
    wrong += [n for n in phrases if f"{n:04}" not in sections]
    wrong += [n for n in map(int, sections)
              if 100 < n < 900 and n not in phrases]
    header = (root / "include/tenon-c/Runtime.h").read_text(encoding="utf-8")
    statuses = {int(n) for n in re.findall(r"^  TENON_\w+ = (\d+)", header.split(
        "} tenon_status_code;")[0], re.M)} - {0}
    wrong += sorted(statuses ^ {int(n) for n in sections if int(n) < 100})
    print(f"{len(found)} sentences with a code, {len(sections)} codes"
          if not wrong else f"FAILED: {wrong}")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
