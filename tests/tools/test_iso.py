# SPDX-License-Identifier: GPL-2.0-or-later
"""What GRUB is told: words must arrive as they were typed."""

from pathlib import Path

import pytest

from tinelib.iso import BootPlan, Module, grub_config, names_for, quoted
from tinelib.machine import pvh_boot
from tinelib.say import Stop


@pytest.mark.parametrize("text, words", [
    ("", ""), ("a=1 b", "'a=1' 'b'"), ("x;y $z {a} \"q\"", "'x;y' '$z' '{a}' '\"q\"'"), ("it's", "'it'\\''s'"),
])
def test_quoting(text, words):
    assert quoted(text) == words


def test_line_breaks_are_refused():
    with pytest.raises(Stop, match="line break"):
        quoted("a\nmenuentry")


def test_files_of_one_name_do_not_collide():
    plan = BootPlan("t", Path("/a/tine"), modules=[Module(Path("/b/tine")), Module(Path("/c/x y"))])
    names = names_for(plan)
    assert len(set(names)) == 3 and all(" " not in name for name in names)


def test_failing_to_load_switches_off():
    plan = BootPlan("Debian's Xen", Path("xen"), "console=com1", [Module(Path("k"), "a=1")])
    text = grub_config(plan, names_for(plan))
    assert "if multiboot2 /boot/0-xen 'console=com1'; then\nif module2 /boot/1-k 'a=1'; then\nboot\nfi\nfi\n" in text
    assert text.splitlines()[-1] == "halt"


@pytest.mark.parametrize("modules", [[Module(Path("a")), Module(Path("b"))], [Module(Path("a"), "args")]])
def test_pvh_takes_one_module_without_arguments(modules):
    with pytest.raises(Stop, match="one module"):
        pvh_boot(BootPlan("t", Path("tine"), modules=modules))
