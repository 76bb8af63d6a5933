# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Manual pages and completions of programs, from what --help says.

documents.py OUT VERSION PROGRAM... writes below OUT, as below share: man/man1,
bash-completion/completions, zsh/vendor-completions, fish/vendor_completions.d.
"""

import dataclasses
import gzip
import pathlib
import re
import subprocess
import sys

# What LLVM's table says of an option, or tenon-run's, and of a choice of values.
LLVM_OPTION = re.compile(r"^  (--?[\w-]+)(?:[= ]<(.*?)>)? +- (.*)$")
LLVM_CHOICE = re.compile(r"^    =(\S+) +- +(.*)$")
OWN_OPTION = re.compile(r"^  (--[\w-]+)(?:\[=(.+)\]| (.+))?$")
# --help-list and its kin are LLVM's.
FOREIGN = {"--help-list"}
FILES = re.compile(r"file|FILE|SOURCE|DIR|folder")


@dataclasses.dataclass
class Option:
    name: str
    value: str
    text: str
    group: str
    choices: list = dataclasses.field(default_factory=list)

    def takes_file(self):
        return not self.choices and bool(FILES.search(self.value))


@dataclasses.dataclass
class Program:
    name: str
    overview: str
    usage: str
    options: list


def read_options(lines):
    """The options of a help text, in its order."""
    found, group = {}, ""
    for line in lines:
        option = LLVM_OPTION.match(line) or OWN_OPTION.match(line)
        choice = LLVM_CHOICE.match(line)
        last = next(reversed(found.values()), None)
        if re.match(r"^\S.*:$", line):
            group = re.sub(r"^\d+\. ", "", line[:-1])
        elif choice and last:
            if choice[1] != "<empty>":
                last.choices.append((choice[1], choice[2]))
        elif option and option[1] not in FOREIGN:
            parts = option.groups()
            is_own = option.re is OWN_OPTION
            value = parts[1] or (parts[2] if is_own else "") or ""
            text = "" if is_own else parts[2]
            if option[1] in found:  # once more, with a value
                found[option[1]].value = value
            else:
                found[option[1]] = Option(option[1], value, text, group)
        elif line.startswith("      ") and last and line.strip():
            last.text = f"{last.text} {line.strip()}".strip()
    return list(found.values())


def read(path):
    text = subprocess.run([path, "--help"], check=True, capture_output=True,
                          text=True).stdout
    name = pathlib.Path(path).name
    if text.startswith("OVERVIEW: "):
        overview, _, rest = text.removeprefix("OVERVIEW: ").partition("USAGE: ")
        usage, _, rest = rest.partition("\n")
    else:
        usage, _, rest = text.partition(" - ")
        overview, _, rest = rest.partition("\n  --")
        rest = f"  --{rest}".partition("\nExamples:")[0]
    return Program(name, overview.strip(), usage,
                   read_options(rest.splitlines()))


def roff(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^(['.])", r"\\&\1", text, flags=re.M)


def manual(program, version):
    first, _, rest = program.overview.partition("\n")
    lines = [f'.TH {program.name.upper()} 1 "" "tenon {version}"',
             ".SH NAME", f"{roff(program.name)} \\- {roff(first.rstrip('.'))}",
             ".SH SYNOPSIS", f".B {roff(program.usage)}", ".SH DESCRIPTION",
             ".nf", roff(rest.strip() or first), ".fi", ".SH OPTIONS"]
    group = None
    for option in program.options:
        if option.group != group:
            group = option.group
            lines.append(f".SS {roff(group)}" if group else "")
        value = f"\\fR=\\fI{roff(option.value)}" if option.value else ""
        lines += [".TP", f"\\fB{roff(option.name)}{value}\\fR",
                  roff(option.text)]
        for choice, text in option.choices:
            lines += [".RS", ".TP", f"\\fB{roff(choice)}\\fR", roff(text),
                      ".RE"]
    lines += [".SH EXIT STATUS", "0, or 1 when something failed."]
    return "\n".join(line for line in lines if line) + "\n"


def bash(program):
    function = "_" + program.name.replace("-", "_")
    names = " ".join(option.name + ("=" if option.value else "")
                     for option in program.options)
    cases = "".join(
        f"    {option.name}) COMPREPLY=($(compgen -W "
        f"\"{' '.join(choice for choice, _ in option.choices)}\" -- \"$value\"))"
        " ;;\n" for option in program.options if option.choices)
    return f"""# Completions of {program.name} for bash.
{function}() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} option= value=
  if [ "$word" = = ]; then
    option=${{COMP_WORDS[COMP_CWORD - 1]}}
  elif [ "${{COMP_WORDS[COMP_CWORD - 1]}}" = = ]; then
    option=${{COMP_WORDS[COMP_CWORD - 2]}} value=$word
  fi
  COMPREPLY=()
  case $option in
{cases}    --*) COMPREPLY=($(compgen -f -- "$value")) ;;
    *)
      case $word in
        -*) COMPREPLY=($(compgen -W "{names}" -- "$word")) ;;
        *) COMPREPLY=($(compgen -f -- "$word")) ;;
      esac ;;
  esac
  [ "${{#COMPREPLY[@]}}" != 1 ] || [ "${{COMPREPLY[0]%=}}" = "${{COMPREPLY[0]}}" ] ||
    compopt -o nospace
}}
complete -o filenames -F {function} {program.name}
"""


def first(text):
    """The first sentence, as it may stand in single quotes."""
    return text.partition(". ")[0].replace("'", "").replace("\\", "")


def zsh(program):
    def quoted(text):
        """Without what _arguments reads."""
        return re.sub(r"([\[\]:])", r"\\\1", first(text))

    lines = []
    for option in program.options:
        line = f"'{option.name}"
        if option.value:
            values = f"({' '.join(choice for choice, _ in option.choices)})"
            line += f"=[{quoted(option.text)}]:{quoted(option.value)}:"
            line += values if option.choices else \
                "_files" if option.takes_file() else " "
        else:
            line += f"[{quoted(option.text)}]"
        lines.append(line + "'")
    return f"#compdef {program.name}\n_arguments \\\n  " + \
        " \\\n  ".join([*lines, "'*:file:_files'"]) + "\n"


def fish(program):
    lines = [f"# Completions of {program.name} for fish."]
    for option in program.options:
        long = option.name.startswith("--")
        line = f"complete -c {program.name} {'-l' if long else '-s'} " \
            f"{option.name.lstrip('-')} -d '{first(option.text)}'"
        if option.choices:
            line += f" -xa '{' '.join(choice for choice, _ in option.choices)}'"
        elif option.value:
            line += " -r" if option.takes_file() else " -x"
        lines.append(line)
    return "\n".join(lines) + "\n"


def write(path, data):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data if isinstance(data, bytes) else data.encode())


def main():
    out, version = pathlib.Path(sys.argv[1]), sys.argv[2]
    for path in sys.argv[3:]:
        program = read(path)
        name = program.name
        write(out / f"man/man1/{name}.1.gz",
              gzip.compress(manual(program, version).encode(), 9, mtime=0))
        write(out / f"bash-completion/completions/{name}", bash(program))
        write(out / f"zsh/vendor-completions/_{name}", zsh(program))
        write(out / f"fish/vendor_completions.d/{name}.fish", fish(program))


if __name__ == "__main__":
    main()
