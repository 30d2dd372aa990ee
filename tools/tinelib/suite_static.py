# SPDX-License-Identifier: GPL-2.0-or-later
"""Checks that read the sources: the floors, the house style, the format."""

from . import build, deps, housestyle, layering, proc
from .paths import TREE


def run(tally):
    tally.check("layering: includes go downwards", layering.problems())
    for name, check in housestyle.CHECKS.items():
        tally.check(f"style: {name}", check())
    deps.ensure("host")
    status, output = proc.capture(["make", "--no-print-directory", "format-check"], 300, cwd=TREE,
                                  env=build.environment())
    problems = [] if status == 0 else [line for line in output.splitlines() if "error:" in line] or [output[-300:]]
    tally.check("style: clang-format has nothing to change", problems)
