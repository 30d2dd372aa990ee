# SPDX-License-Identifier: GPL-2.0-or-later
"""The documentation names what the sources have."""

import re
from pathlib import Path

from tinelib import lines, sources

TREE = Path(__file__).resolve().parents[2]
SOURCES = ("lib", "mm", "sched", "abi", "boot", "arch", "tests/selftest")


def declared_options():
    found = []
    for folder in SOURCES:
        for path in sorted((TREE / folder).rglob("*.c")):
            text = path.read_text(encoding="utf-8")
            found += [(name, path) for name in re.findall(r'CMDLINE_\w+_OPTION\(\s*"([^"]+)"', text)]
    return found


def test_there_are_options():
    assert len(declared_options()) > 10


def test_each_option_is_declared_once():
    """The parser takes the first of a name: a second would never be set.  An image has one architecture only."""
    seen = []
    for name, path in declared_options():
        room = path.relative_to(TREE).parts[:2]
        for other_name, other, other_room in seen:
            apart = room[0] == other_room[0] == "arch" and room != other_room
            assert name != other_name or apart, f"{name}: in {other} and {path}"
        seen.append((name, path, room))


def test_command_line_page_has_exactly_these_options():
    page = (TREE / "docs" / "command-line.md").read_text(encoding="utf-8")
    documented = {name.rstrip("=") for name in re.findall(r"^\| `([^`]+)` \|", page, re.M)}
    assert documented == {name for name, _ in declared_options()}


def test_line_counts_are_of_these_sources():
    said, counted = lines.on_page(lines.PAGE.read_text(encoding="utf-8")), lines.counted()
    assert list(said) == list(counted)
    for name, value in counted.items():
        assert abs(said[name] - value) <= value / 20, f"{name}: {said[name]} on the page, {value} here: `make docs`"


def test_line_counts_miss_no_folder():
    folders = {path.parts[0] for path in sources.tracked("*.c", "*.h", "*.S")} - {"tests", "arch"}
    assert folders == set(lines.PARTS["generic"])
    assert {path.parts[1] for path in sources.tracked("arch/*.c")} == {"x86", "arm64"}
