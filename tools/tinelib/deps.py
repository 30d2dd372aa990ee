# SPDX-License-Identifier: GPL-2.0-or-later
"""Debian packages that the tree needs, by purpose, and their installation.

The table below is the only list of dependencies.  Nothing is installed that dpkg already has; what is installed
is said first.  Packages of guests and of the peer hypervisor are not installed at all: see cache.py.
"""

import os
import shutil
import subprocess
from pathlib import Path

from .say import EXIT_USAGE, Stop, note

PACKAGES = {
    "build": ["build-essential", "kconfig-frontends", "libxen-dev",
              "liblzma-dev", "zlib1g-dev", "libzstd-dev", "liblz4-dev"],
    "arm64": ["gcc-aarch64-linux-gnu", "libc6-dev-arm64-cross", "qemu-system-arm", "qemu-efi-aarch64"],
    "host": ["libcmocka-dev", "libfdt-dev", "clang", "libclang-rt-14-dev", "clang-format"],
    "machine": ["qemu-system-x86", "ovmf", "grub-common", "grub-pc-bin", "grub-efi-amd64-bin", "xorriso",
                "mtools"],
    "guests": ["cpio", "xz-utils", "zstd", "lz4"],
    "tests": ["git", "python3-pytest", "python3-pexpect"],
    "bench": ["python3-matplotlib"],
}

LOCK_WAIT = ["-o", "DPkg::Lock::Timeout=600"]


def wanted(purposes):
    """Packages for PURPOSES, each once, in the table's order."""
    return [name for purpose in PACKAGES if purpose in purposes for name in PACKAGES[purpose]]


def missing(names):
    """Those of NAMES that dpkg does not have installed."""
    if not names:
        return []
    if not shutil.which("dpkg-query"):
        raise Stop("no dpkg-query here: on a system without Debian's packages, install by hand: " + " ".join(names))
    answer = subprocess.run(["dpkg-query", "-W", "-f", "${Package} ${db:Status-Abbrev}\n", *names],
                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    have = {line.split()[0] for line in answer.stdout.splitlines() if line.split()[1:] == ["ii"]}
    return [name for name in names if name not in have]


def as_root(command):
    """COMMAND so that it runs with root's rights, or Stop if there is no way."""
    if os.geteuid() == 0:
        return command
    if not shutil.which("sudo"):
        raise Stop("must install packages, but this is not root and there is no sudo")
    return ["sudo", *command]


def apt(*arguments):
    """Runs apt-get as root, quietly; returns (succeeded, last line of what it complained of)."""
    environment = ["env", "DEBIAN_FRONTEND=noninteractive"]
    command = as_root([*environment, "apt-get", "-q", "-y", *LOCK_WAIT, *arguments])
    answer = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True, check=False)
    complaints = [line for line in answer.stdout.splitlines() if line.startswith("E:")]
    return answer.returncode == 0, complaints[0] if complaints else "apt-get failed"


def update_lists():
    note("apt-get update")
    return apt("update")


def ensure(*purposes):
    """Installs what PURPOSES need and dpkg does not have."""
    lacking = missing(wanted(purposes))
    if not lacking:
        return
    note(f"installing with apt-get{'' if os.geteuid() == 0 else ' (sudo)'}: {' '.join(lacking)}")
    install = ["install", "--no-install-recommends", *lacking]
    done, why = apt(*install)
    if not done:
        # Lists that were never fetched, or that name versions the mirror no longer has.
        update_lists()
        done, why = apt(*install)
    if not done:
        raise Stop(f"cannot install {' '.join(lacking)}: {why}", EXIT_USAGE)
    still = missing(lacking)
    if still:
        raise Stop(f"apt-get ran, but these are not installed: {' '.join(still)}")


def add_arguments(parser):
    parser.add_argument("purposes", nargs="*", metavar="PURPOSE",
                        help=f"what for: {', '.join(PACKAGES)} (default: all)")
    parser.add_argument("--check", action="store_true",
                        help="only list what is missing; exit 1 if anything is")
    parser.add_argument("--fetch", action="store_true",
                        help="also fetch the guests and the peer hypervisor into the cache")
    parser.add_argument("--sysroot", metavar="FOLDER", help="put the static libraries of arm64 images there (for make)")


def main(options):
    if options.sysroot:
        from . import cache
        cache.sysroot_arm64(Path(options.sysroot))
        return 0
    purposes = options.purposes or list(PACKAGES)
    for purpose in purposes:
        if purpose not in PACKAGES:
            raise Stop(f"deps: unknown purpose '{purpose}' (known: {', '.join(PACKAGES)})")
    if options.check:
        lacking = missing(wanted(purposes))
        print("\n".join(lacking) if lacking else "all there")
        return 1 if lacking else 0
    ensure(*purposes)
    if options.fetch:
        from . import cache
        for name in cache.SOURCES:
            cache.unpacked(name)
    note("all packages are there")
    return 0
