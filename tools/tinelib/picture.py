# SPDX-License-Identifier: GPL-2.0-or-later
"""`tine picture`: the README's picture, drawn from a real run.

Runs `tine run` with the arguments behind `--`, and draws its console as an SVG of a terminal.  A long run of the
guest's passed tests is cut in the middle, and the picture says how many lines are not shown.
"""

import re
import subprocess
import sys
from pathlib import Path
from xml.sax.saxutils import escape

from .paths import TREE
from .say import Stop, note

COLUMNS = 118
LINE_HEIGHT = 17
CHAR_WIDTH = 8.0
MARGIN = 16
KEPT_TESTS = 3
COLOURS = ((re.compile(r"\(TINE\) .*(rror|arning|anic)"), "#ff7b72"), (re.compile(r"\(TINE\)"), "#79c0ff"),
           (re.compile(r"\(d\d+\) ok "), "#7ee787"), (re.compile(r"\(d\d+\) not ok "), "#ff7b72"),
           (re.compile(r"\(d\d+\)"), "#d2a8ff"), (re.compile(r"^\$ "), "#ffffff"))
PLAIN = "#c9d1d9"


def add_arguments(parser):
    parser.add_argument("--svg", default=str(TREE / "docs" / "run.svg"), metavar="FILE",
                        help="where the picture goes (default: docs/run.svg)")
    parser.add_argument("run", nargs="*", metavar="ARG", help="arguments of `tine run`, behind --")


def shortened(lines):
    """LINES with the middle of each long row of passed tests left out."""
    out, row = [], []

    def flush():
        if len(row) <= 2 * KEPT_TESTS + 1:
            out.extend(row)
        else:
            out.extend(row[:KEPT_TESTS] + [f"      ... {len(row) - 2 * KEPT_TESTS} more ..."] + row[-KEPT_TESTS:])
        row.clear()
    for line in lines:
        if re.match(r"\(d\d+\) (ok |#)", line):
            row.append(line)
        else:
            flush()
            out.append(line)
    flush()
    return out


def colour(line):
    return next((shade for pattern, shade in COLOURS if pattern.search(line)), PLAIN)


def svg(lines):
    width = int(COLUMNS * CHAR_WIDTH) + 2 * MARGIN
    height = len(lines) * LINE_HEIGHT + 2 * MARGIN
    rows = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">',
            f'<rect width="{width}" height="{height}" rx="8" fill="#0d1117"/>',
            '<g font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="13" xml:space="preserve">']
    for number, line in enumerate(lines):
        text = line if len(line) <= COLUMNS else line[:COLUMNS - 1] + "…"
        y = MARGIN + (number + 1) * LINE_HEIGHT - 4
        rows.append(f'<text x="{MARGIN}" y="{y}" fill="{colour(line)}">{escape(text)}</text>')
    return "\n".join(rows + ["</g>", "</svg>", ""])


def main(options):
    done = subprocess.run([sys.executable, str(TREE / "tools" / "tine"), "run", *options.run],
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          encoding="utf-8", errors="replace")
    if done.returncode:
        raise Stop(f"the run to draw ended with status {done.returncode}")
    # From the hypervisor's first line on: what GRUB and the firmware draw is not ours.
    lines = [line.rstrip() for line in done.stdout.splitlines()]
    first = next((n for n, line in enumerate(lines) if line.startswith("(TINE)")), 0)
    command = "$ make run" + (f"    # tools/tine run {' '.join(options.run)}" if options.run else "")
    Path(options.svg).write_text(svg([command, *shortened(lines[first:])]), encoding="utf-8")
    note(f"{len(lines) - first} lines drawn in {options.svg}")
    return 0
