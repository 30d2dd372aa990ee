# SPDX-License-Identifier: GPL-2.0-or-later
"""`tine lines`: how many lines of C and assembly are generic, and how many an architecture's own.

`make docs` writes the same table into docs/architecture.md; a test says when that is no longer true.
"""

import re

from .paths import TREE
from .sources import tracked
from .tables import number

PAGE = TREE / "docs" / "architecture.md"
BEGIN = "<!-- Made by `make docs` (`tools/tine lines` prints it). -->\n"
END = "<!-- Up to here. -->\n"
KINDS = ("*.c", "*.h", "*.S")
# What is said of it, and its folders.
PARTS = {
    "generic": ("boot", "abi", "sched", "store", "mm", "lib", "include"),
    "arch/x86": ("arch/x86",),
    "arch/x86/pv, of these": ("arch/x86/pv",),
    "arch/x86/svm, of these": ("arch/x86/svm",),
    "arch/arm64": ("arch/arm64",),
    "arch/arm64/guest, of these": ("arch/arm64/guest",),
}


def add_arguments(parser):
    pass


def count(folders, tree=TREE):
    """Lines of all kinds, comments and blank ones too, in files that git knows."""
    patterns = [f"{folder}/{kind}" for folder in folders for kind in KINDS]
    return sum((tree / path).read_bytes().count(b"\n") for path in tracked(*patterns, tree=tree))


def counted(tree=TREE):
    """{part: lines}, in the table's order."""
    return {name: count(folders, tree) for name, folders in PARTS.items()}


def table(lines):
    rows = ["| | lines | of an image's source that is generic |", "|---|---:|---:|"]
    for name, value in lines.items():
        share = f"{100 * lines['generic'] / (lines['generic'] + value):.0f} %" if name in ("arch/x86", "arch/arm64") else ""
        rows.append(f"| {name} | {number(value)} | {share} |")
    return "\n".join(rows) + "\n"


def on_page(text):
    """What PAGE's text says, as counted() does."""
    said = re.findall(r"^\| ([^|]+) \| ([\d,]+) \|", text[text.index(BEGIN):text.index(END)], re.M)
    return {name: int(value.replace(",", "")) for name, value in said}


def write():
    text = PAGE.read_text(encoding="utf-8")
    begin, end = text.index(BEGIN) + len(BEGIN), text.index(END)
    PAGE.write_text(text[:begin] + table(counted()) + text[end:], encoding="utf-8")


def main(options):
    print(table(counted()), end="")
    return 0


if __name__ == "__main__":
    write()
