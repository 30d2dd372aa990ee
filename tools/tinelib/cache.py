# SPDX-License-Identifier: GPL-2.0-or-later
"""Guests and the peer hypervisor: Debian's own packages, fetched with apt and unpacked, never installed.

A package's name is found at run time from the one that depends on it, since Debian puts versions into names.
The cache keeps one folder a source; its `package` file names what was unpacked and is written last, so a
half-made folder is never taken for a whole one.  Once there, a package is used without asking apt again.
"""

import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from . import deps
from .paths import cache_dir, made
from .say import Step, Stop

# source: (the package asked, what the one wanted is called: itself, or one it depends on)
SOURCES = {
    "xen": ("xen-system-amd64", r"xen-hypervisor-[\d.]+-amd64"),
    "linux": ("linux-image-amd64", r"linux-image-[\d.]+-\d+-amd64"),
    "busybox": ("busybox-static", r"busybox-static"),
    "pv-grub": ("grub-xen-host", r"grub-xen-host"),
    "pv-grub-modules": ("grub-xen-bin", r"grub-xen-bin"),
    "busybox-i386": ("busybox-static", r"busybox-static"),
    "xen-arm64": ("xen-system-arm64", r"xen-hypervisor-[\d.]+-arm64"),
    "linux-arm64": ("linux-image-arm64", r"linux-image-[\d.]+-\d+-arm64"),
    "busybox-arm64": ("busybox-static", r"busybox-static"),
    "grub-arm64": ("grub-efi-arm64-bin", r"grub-efi-arm64-bin"),
    "libfdt-arm64": ("libfdt-dev", r"libfdt-dev"),
    "lzma-arm64": ("liblzma-dev", r"liblzma-dev"),
    "zlib-arm64": ("zlib1g-dev", r"zlib1g-dev"),
    "zstd-arm64": ("libzstd-dev", r"libzstd-dev"),
    "lz4-arm64": ("liblz4-dev", r"liblz4-dev"),
}

# Sources of another architecture than this system's: apt keeps lists for it beside its own, in the cache.
FOREIGN = {"busybox-i386": "i386", **{name: "arm64" for name in SOURCES if name.endswith("-arm64")}}

# The static libraries in arm64 images: each one's file, and the source that has it (Makefile: SYSROOT).
ARM64_LIBRARIES = {"libfdt": "libfdt-arm64", "liblzma": "lzma-arm64", "libz": "zlib-arm64", "libzstd": "zstd-arm64",
                   "liblz4": "lz4-arm64"}


listed = set()  # architectures whose lists were fetched in this run


def unpacked(source):
    """The folder with SOURCE's files, fetched if the cache lacks it."""
    folder = cache_dir() / source
    if not (folder / "package").exists():
        fetch(source, folder)
    return folder


def fetch(source, folder):
    asked, pattern = SOURCES[source]
    foreign = foreign_lists(FOREIGN[source]) if source in FOREIGN else []
    name = resolve(asked, pattern, foreign)
    with Step(f"fetching {name} into {cache_dir()}"), \
         tempfile.TemporaryDirectory(dir=cache_dir(), prefix=".fetch-") as scratch:
        archive = download(name, Path(scratch), foreign)
        root = Path(scratch) / "root"
        run_or_stop(["dpkg-deb", "-x", archive, root], f"cannot unpack {archive.name}")
        (root / "package").write_text(archive.name + "\n", encoding="utf-8")
        shutil.rmtree(folder, ignore_errors=True)
        root.rename(folder)


def resolve(asked, pattern, foreign=()):
    """The package that ASKED stands for; fetches package lists if there seem to be none."""
    for attempt in range(2):
        names = candidates(asked, foreign)
        found = [name for name in names if re.fullmatch(pattern, name)]
        if found:
            return found[0]
        if attempt == 0 and not foreign:
            deps.update_lists()
    raise Stop(f"apt knows no package {pattern} (asked for {asked}): is a Debian mirror configured?")


def candidates(asked, foreign=()):
    answer = subprocess.run(["apt-cache", *foreign, "depends", "--no-recommends", "--no-suggests", asked],
                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    return [word for word in answer.stdout.split() if not word.endswith(":")]


def foreign_lists(architecture):
    """Options that make apt one for ARCHITECTURE, with fresh lists; the system's own state is left alone."""
    state = made(cache_dir() / f"apt-{architecture}")
    for folder in ("lists/partial", "cache/archives/partial"):
        made(state / folder)
    options = []
    for option in (f"APT::Architecture={architecture}", f"APT::Architectures={architecture}", f"Dir::State={state}",
                   f"Dir::Cache={state}/cache", "APT::Sandbox::User=root", "Acquire::Languages=none"):
        options += ["-o", option]
    if architecture in listed:
        return options
    listed.add(architecture)
    # A list that cannot be had may not be the one needed: the download says.
    with Step(f"fetching apt's lists for {architecture}"):
        subprocess.run(["apt-get", "-q", *options, "update"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                       check=False)
    return options


def download(name, folder, foreign=()):
    command = ["apt-get", "-q", "-o", "APT::Sandbox::User=root", *foreign, "download", name]
    answer = subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                            check=False)
    if answer.returncode:
        # The lists may name a version that the mirror has replaced since.
        deps.update_lists()
        run_or_stop(command, f"cannot download {name}", cwd=folder)
    found = list(folder.glob("*.deb"))
    if not found:
        raise Stop(f"apt-get download {name} left no package")
    return found[0]


def run_or_stop(command, what, **more):
    answer = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False,
                            **more)
    if answer.returncode:
        lines = answer.stderr.strip().splitlines() or [f"status {answer.returncode}"]
        raise Stop(f"{what}: {lines[-1]}")


def only(folder, pattern):
    """The one file under FOLDER that matches PATTERN."""
    found = sorted(folder.glob(pattern))
    if not found:
        raise Stop(f"{folder}: the package has no {pattern}")
    return found[-1]


def linux_module(name, arch="x86_64"):
    """A module of the guest kernel's."""
    return only(unpacked("linux" if arch == "x86_64" else f"linux-{arch}"), f"lib/modules/*/kernel/**/{name}.ko")


def xen_image():
    return only(unpacked("xen"), "boot/xen-*-amd64.gz")


def linux_kernel():
    return only(unpacked("linux"), "boot/vmlinuz-*")


def busybox():
    return only(unpacked("busybox"), "bin/busybox")


def busybox_i386():
    return only(unpacked("busybox-i386"), "bin/busybox")


def pv_grub_modules():
    """The folder from which grub-mkimage makes a PV GRUB."""
    return unpacked("pv-grub-modules") / "usr/lib/grub/x86_64-xen"


def pv_grub():
    return only(unpacked("pv-grub"), "usr/lib/grub-xen/grub-x86_64-xen.bin")


def sysroot_arm64(folder):
    """Makes FOLDER hold the arm64 libraries that an image links, and libfdt's header."""
    made(folder)
    for library, source in ARM64_LIBRARIES.items():
        shutil.copyfile(only(unpacked(source), f"usr/lib/aarch64-linux-gnu/{library}.a"), folder / f"{library}.a")
    for header in ("libfdt.h", "fdt.h"):
        shutil.copyfile(only(unpacked("libfdt-arm64"), f"usr/include/{header}"), folder / header)


def xen_image_arm64():
    return only(unpacked("xen-arm64"), "boot/xen-*-arm64")


def linux_kernel_arm64():
    return only(unpacked("linux-arm64"), "boot/vmlinuz-*")


def busybox_arm64():
    return only(unpacked("busybox-arm64"), "bin/busybox")


def grub_modules_arm64():
    """GRUB's modules for UEFI on arm64; the tools that make images of them are the system's own."""
    return only(unpacked("grub-arm64"), "usr/lib/grub/arm64-efi/xen_boot.mod").parent
