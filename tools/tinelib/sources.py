# SPDX-License-Identifier: GPL-2.0-or-later
"""The tree's own source files, as git knows them, for the checks that read sources."""

import re
import subprocess
from pathlib import Path

from .paths import TREE
from .say import Stop

INCLUDE = re.compile(r'^\s*#\s*include\s+([<"])([^>"]+)[>"]', re.MULTILINE)


def tracked(*patterns, tree=TREE):
    """Paths relative to TREE of files that git tracks, or would if asked."""
    command = ["git", "-C", str(tree), "ls-files", "--cached", "--others", "--exclude-standard", "--", *patterns]
    answer = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    if answer.returncode:
        raise Stop(f"git ls-files: {answer.stderr.strip() or 'failed'}")
    return [Path(name) for name in sorted(set(answer.stdout.splitlines())) if (tree / name).is_file()]


def includes(text):
    """(line number, quote or bracket, name) of each include in TEXT."""
    return [(text.count("\n", 0, match.start(2)) + 1, match[1], match[2]) for match in INCLUDE.finditer(text)]


def read(path, tree=TREE):
    return (tree / path).read_text(encoding="utf-8", errors="replace")
