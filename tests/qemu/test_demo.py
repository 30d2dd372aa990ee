# SPDX-License-Identifier: GPL-2.0-or-later
"""`tine demo fuzz`, as a user would start it: the planted bugs are found from its seed."""

import re
import subprocess
import sys

from dialog import TREE


def demo(*arguments):
    done = subprocess.run([sys.executable, str(TREE / "tools/tine"), "demo", "fuzz", *arguments], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", errors="replace", check=False)
    return done.returncode, done.stdout


def test_all_bugs_are_found():
    status, said = demo()
    assert "fuzz: 6 of 6 bugs found" in said, said[-3000:]
    assert status == 0
    assert len(re.findall(r"fuzz: bug \d at input", said)) == 6
    assert "no crash" not in said    # each is the parser's own, also in a process
    assert re.search(r"fuzz: \d+ inputs, \d+ a second", said)


def test_few_inputs_are_too_few():
    status, said = demo("--inputs", "20")
    assert status != 0 and re.search(r"fuzz: \d of 6 bugs found with 20 inputs", said), said[-3000:]
