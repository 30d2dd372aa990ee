# SPDX-License-Identifier: GPL-2.0-or-later
"""Builds what a run needs, by the tree's own make targets."""

import os
import subprocess
import sys

from . import deps
from .paths import BUILD, TREE
from .say import EXIT_FAILED, Stop

IMAGE = BUILD / "x86_64" / "tine"
GUEST = BUILD / "x86_64" / "guest" / "tiny"
JOBS = f"-j{min(os.cpu_count() or 1, 8)}"


def environment():
    """Ours without what an outer make put there, which would make ours obey the outer one's flags."""
    return {name: value for name, value in os.environ.items()
            if name not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES")}


def make(*targets, purpose="build"):
    """Runs make for TARGETS; its words go to standard error."""
    deps.ensure("build", purpose)
    command = ["make", "--no-print-directory", JOBS, "-C", str(TREE), *targets]
    try:
        answer = subprocess.run(command, stdout=sys.stderr, env=environment(), check=False)
    except FileNotFoundError as error:
        raise Stop("make is not installed, and could not be") from error
    if answer.returncode:
        raise Stop(f"make {' '.join(targets)} failed", EXIT_FAILED)


def hypervisor():
    make()
    return IMAGE


def tiny_guest():
    make("guest")
    if not GUEST.exists():
        raise Stop(f"make guest left no {GUEST}", EXIT_FAILED)
    return GUEST
