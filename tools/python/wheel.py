# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Wheels as archives: the same contents give the same bytes."""

import ast
import base64
import hashlib
import pathlib
import platform
import re
import stat
import tomllib
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATE = (1980, 1, 1, 0, 0, 0)


def version():
    text = (ROOT / "include/tenon-c/Version.h").read_text(encoding="utf-8")
    return ".".join(re.findall(
        r"#define TENON_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", text))


def tag(glibc=34):
    """The stable interface of 3.11, and the glibc that is needed."""
    return f"cp311-abi3-manylinux_2_{glibc}_{platform.machine()}"


def metadata(pyproject, package):
    """Its description is that of the module in the folder `package`."""
    with open(pyproject, "rb") as file:
        project = tomllib.load(file)["project"]
    module = ast.parse((package / "__init__.py").read_text(encoding="utf-8"))
    return (f"Metadata-Version: 2.1\nName: {project['name']}\n"
            f"Version: {version()}\nSummary: {project['description']}\n"
            f"License: {project['license']['text']}\n"
            f"Requires-Python: {project['requires-python']}\n"
            "Description-Content-Type: text/markdown\n\n"
            f"{ast.get_docstring(module)}\n")


def add(wheel, name, data):
    entry = zipfile.ZipInfo(name, DATE)
    entry.compress_type = zipfile.ZIP_DEFLATED
    runs = ".so" in name or "/bin/" in name
    # pip keeps the mode of what it is told to be a regular file.
    entry.external_attr = (stat.S_IFREG | (0o755 if runs else 0o644)) << 16
    wheel.writestr(entry, data)


def write(folder, name, tags, about, files):
    """Writes NAME-VERSION-TAGS.whl of `files`, pairs of a name and bytes, and
    returns its name. Names below licenses/ and entry_points.txt go to the
    package's information; `about` are the arguments of metadata()."""
    info = f"{name}-{version()}.dist-info"
    wheel_name = f"{name}-{version()}-{tags}.whl"
    record = []
    with zipfile.ZipFile(pathlib.Path(folder, wheel_name), "w",
                         compresslevel=9) as wheel:
        def put(entry, data):
            digest = base64.urlsafe_b64encode(
                hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record.append(f"{entry},sha256={digest},{len(data)}\n")
            add(wheel, entry, data)

        for entry, data in files:
            of_package = entry.startswith("licenses/") or \
                entry == "entry_points.txt"
            put(f"{info}/{entry}" if of_package else entry, data)
        put(f"{info}/METADATA", metadata(*about).encode())
        put(f"{info}/WHEEL", (
            "Wheel-Version: 1.0\nGenerator: tenon\nRoot-Is-Purelib: false\n"
            f"Tag: {tags}\n").encode())
        record.append(f"{info}/RECORD,,\n")
        add(wheel, f"{info}/RECORD", "".join(record))
    return wheel_name
