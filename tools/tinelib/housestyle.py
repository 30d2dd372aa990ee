# SPDX-License-Identifier: GPL-2.0-or-later
"""What of the house style a program can see: see also `make format-check`.

Names of files are unique in the tree, but for the counterparts of one contract (asm/ headers, and files of
different architectures) and for `internal.h`.  Product code has no #if in .c files; headers stay under 200 lines,
functions near a screen, files within a sitting; each file opens with its licence.
"""

import re

from .paths import TREE
from .sources import read, tracked

PRODUCT = ("boot", "arch", "mm", "store", "sched", "abi", "lib", "include")
SHARED_NAMES = {"internal.h", "__init__.py", "asm-offsets.c", "Makefile", "README.md", "conftest.py"}
LICENCE = "SPDX-License-Identifier: GPL-2.0-or-later"
CONDITIONAL = re.compile(r"^\s*#\s*(if|ifdef|ifndef|elif)\b")
HEADER_LINES = 200
FILE_LINES = 500
ASSEMBLY_LINES = 300
FUNCTION_LINES = 80     # about 60 is the aim; this is where one has to be cut


def product(path):
    return path.parts[0] in PRODUCT


def unique_names(tree=TREE):
    seen, found = {}, []
    for path in tracked("*.c", "*.h", "*.S", "*.py", tree=tree):
        if path.name in SHARED_NAMES or "asm" in path.parts:
            continue
        group = path.parts[1] if path.parts[0] == "arch" else ""
        for other, other_group in seen.get(path.name, []):
            if not (group and other_group and group != other_group):
                found.append(f"{path} has the same name as {other}")
        seen.setdefault(path.name, []).append((path, group))
    return found


def licences(tree=TREE):
    paths = tracked("*.c", "*.h", "*.S", "*.py", "*.mk", "Makefile", "*/Makefile", tree=tree)
    return [f"{path}: no licence in the first two lines" for path in paths
            if not any(LICENCE in line for line in read(path, tree).splitlines()[:2]) and read(path, tree).strip()]


def conditionals(tree=TREE):
    found = []
    for path in tracked("*.c", tree=tree):
        if product(path):
            found += [f"{path}:{number}: {line.strip()}" for number, line in enumerate(read(path, tree).splitlines(), 1)
                      if CONDITIONAL.match(line)]
    return found


def lengths(tree=TREE):
    found = []
    for path in tracked("*.c", "*.h", "*.S", tree=tree):
        if not product(path):
            continue
        count = len(read(path, tree).splitlines())
        limit = {".h": HEADER_LINES, ".S": ASSEMBLY_LINES}.get(path.suffix, FILE_LINES)
        if count > limit:
            found.append(f"{path}: {count} lines, more than {limit}")
        if path.suffix == ".c":
            found += long_functions(path, read(path, tree))
    return found


def long_functions(path, text):
    """A function's body stands between braces in the first column."""
    found, start, lines = [], None, text.splitlines()
    for number, line in enumerate(lines, 1):
        if line.startswith("{"):
            start = number
        elif line.startswith("}") and start:
            if number - start > FUNCTION_LINES:
                found.append(f"{path}:{start}: function of {number - start} lines, more than {FUNCTION_LINES}")
            start = None
    return found


CHECKS = {
    "file names are unique": unique_names,
    "every file names its licence": licences,
    "no #if in .c files": conditionals,
    "headers, files and functions are short": lengths,
}
