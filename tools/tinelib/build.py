# SPDX-License-Identifier: GPL-2.0-or-later
"""Builds what a run needs, by the tree's own make targets.

Tests ask for the same thing from several threads: the lock makes them wait for one make, and `made_already`
remembers what it did.
"""

import os
import subprocess
import sys
import threading

from . import deps
from .paths import BUILD, TREE, made
from .say import EXIT_FAILED, Stop

VARIANTS = ("release", "debug")
ARCHES = ("x86_64", "arm64")
IMAGE = BUILD / "x86_64" / "tine"
GUEST = BUILD / "x86_64" / "guest" / "tiny"
GUEST_PVH = GUEST.parent / "tinypvh"
GUEST_ARM64 = BUILD / "arm64" / "guest" / "tinyarm"
USER32 = BUILD / "x86_64" / "user32" / "user32"
JOBS = f"-j{min(os.cpu_count() or 1, 8)}"

lock = threading.Lock()
made_already = set()


def environment():
    """Ours without what an outer make put there, which would make ours obey the outer one's flags."""
    return {name: value for name, value in os.environ.items()
            if name not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "MAKEOVERRIDES")}


def make(*targets, folder=TREE):
    """Runs make for TARGETS in FOLDER, once in our life; its words go to standard error."""
    with lock:
        if (targets, folder) in made_already:
            return
        deps.ensure("build")
        command = ["make", "-s", "--no-print-directory", JOBS, "-C", str(folder), *targets]
        answer = subprocess.run(command, stdout=sys.stderr, env=environment(), check=False)
        if answer.returncode:
            raise Stop(f"make {' '.join(targets)} failed", EXIT_FAILED)
        made_already.add((targets, folder))


def image_of(variant, arch="x86_64"):
    return BUILD / (arch if variant == "release" else f"{arch}-{variant}") / "tine"


def hypervisor(variant="release", arch="x86_64"):
    if arch == "arm64":
        deps.ensure("arm64")
    make(f"ARCH={arch}", f"VARIANT={variant}")
    return image_of(variant, arch)


def tiny_guest():
    """The PV guest needs none of the hypervisor's configuration, so its own makefile is asked."""
    made(GUEST.parent)
    make(f"O={GUEST.parent}", folder=TREE / "tests" / "guest")
    if not GUEST.exists():
        raise Stop(f"make left no {GUEST}", EXIT_FAILED)
    return GUEST


def tiny_pvh():
    """Its counterpart that starts as PVH."""
    made(GUEST_PVH.parent)
    make(f"O={GUEST_PVH.parent}", str(GUEST_PVH), folder=TREE / "tests" / "guest")
    return GUEST_PVH


def tiny_arm64():
    """The one for arm64, a Linux Image."""
    deps.ensure("arm64")
    made(GUEST_ARM64.parent)
    make(f"O={GUEST_ARM64.parent}", str(GUEST_ARM64), folder=TREE / "tests" / "guest")
    return GUEST_ARM64


def user32():
    """The 32-bit program for a Linux guest: an i386 ELF without a library."""
    made(USER32.parent)
    make(f"O={USER32.parent}", folder=TREE / "tests" / "user32")
    return USER32


def for_linux(name, arch):
    """Program NAME of tests/tine-fork, for a Linux guest on ARCH."""
    if arch == "arm64":
        deps.ensure("arm64")
    folder = made(BUILD / arch / "tine-fork")
    make(f"O={folder}", f"ARCH={arch}", folder=TREE / "tests" / "tine-fork")
    return folder / name


def tine_fork(arch="x86_64"):
    """The command by which a Linux guest forks itself."""
    return for_linux("tine-fork", arch)


def process_fork(arch="x86_64"):
    """What fork(2) costs under Linux, for comparison."""
    return for_linux("process-fork", arch)


def tine_fuzz():
    """A fuzzer that does: for `tine demo fuzz`."""
    return for_linux("tine-fuzz", "x86_64")
