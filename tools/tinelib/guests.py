# SPDX-License-Identifier: GPL-2.0-or-later
"""Guests by name, as the modules that the boot loader hands to the hypervisor."""

import gzip
import hashlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from . import build, cache, deps
from .iso import Module
from .paths import TREE, cache_dir, readable
from .say import Stop

LINUX = ("linux", "linux-pv", "linux-pv32", "linux-pvh")
PROMPT = "guest# "
PVH_MEMORY = 512   # MiB
LINUX_ARGS = "console=hvc0 rdinit=/init"

# The shell reports how it ended; its last command's status is the guest's verdict. A command in the kernel's
# arguments (RUN=NAME) runs instead of the shell: no typing, so what it measures repeats.
INIT = f"""#!/bin/busybox sh
/bin/busybox mkdir -p /dev /proc /sys /bin /sbin /tmp
/bin/busybox mount -t devtmpfs dev /dev
/bin/busybox mount -t proc proc /proc
/bin/busybox mount -t sysfs sys /sys
/bin/busybox --install -s /bin
exec </dev/hvc0 >/dev/hvc0 2>&1
echo "user space on $(uname -sr)"
if [ "$RUN" ]; then $RUN; else PS1='{PROMPT}' HOME=/tmp setsid cttyhack sh; fi
status=$?
exec </dev/hvc0 >/dev/hvc0 2>&1
if [ $status = 0 ]; then echo "linux: RESULT success"; else echo "linux: RESULT failure shell status $status"; fi
poweroff -f
"""


def default(arch):
    """The guest that a run without --guest has."""
    return "tiny" if arch == "x86_64" else "linux"


def modules_arm64(name, args):
    """As modules(): Debian's kernel for arm64, whose command line is the domain's, and a ramdisk."""
    if name == "linux":
        return [Module(cache.linux_kernel_arm64(), f"{LINUX_ARGS} {args}".strip()),
                Module(ramdisk({"busybox": cache.busybox_arm64()}))]
    if name == "tiny":
        return [Module(build.tiny_arm64(), args)]
    if name in LINUX:
        raise Stop(f"--guest {name}: not on arm64")
    return [Module(readable(name, "guest"), args)]


def modules(name, hypervisor, args="", vcpus=1, arch="x86_64"):
    """The modules for guest NAME: its kernel, and its ramdisk if it has one; a PVH guest is described by a configuration, with VCPUS."""
    if arch == "arm64":
        return modules_arm64(name, args)
    if name == "tiny":
        return [Module(build.tiny_guest(), args)]
    if name in LINUX:
        if name == "linux-pvh":
            if hypervisor == "xen":
                raise Stop(f"--guest {name}: only on Tine; Xen's first domain would need hardware that QEMU does not emulate")
            return pvh_modules(args, vcpus)
        return [Module(cache.linux_kernel(), f"{LINUX_ARGS} {args}".strip()),
                Module(ramdisk(programs_32bit() if name == "linux-pv32" else {}))]
    return [Module(readable(name, "guest"), args)]


def tiny_arm64_modules(args, vcpus):
    """The tiny guest for arm64 with a configuration: a domain that is not the initial one, and so has rings."""
    kernel = build.tiny_arm64()
    text = f'type = "pvh"\nmemory = 64\nvcpus = {vcpus}\nkernel = "{kernel.name}"\nextra = "{args}"\n'
    config = cache_dir() / f"tiny-arm64-{hashlib.sha256(text.encode()).hexdigest()[:12]}.cfg"
    config.write_text(text, encoding="utf-8")
    return [Module(config, config.name), Module(kernel, kernel.name)]


def pvh_modules(args, vcpus, programs=None, fork=0):
    """Debian's kernel and the ramdisk once more, and a configuration that makes a PVH guest of them; FORK: it may fork itself."""
    kernel, image = cache.linux_kernel(), ramdisk(programs)
    text = (f'type = "pvh"\nmemory = {PVH_MEMORY}\nvcpus = {vcpus}\nkernel = "{kernel.name}"\nramdisk = "{image.name}"\n'
            f'extra = "{f"{LINUX_ARGS} {args}".strip()}"\nfork = {fork}\n')
    config = cache_dir() / f"linux-pvh-{hashlib.sha256(text.encode()).hexdigest()[:12]}.cfg"
    config.write_text(text, encoding="utf-8")
    return [Module(config), Module(kernel), Module(image)]


def programs_32bit():
    """What linux-pv32 has more than linux-pv: Debian's i386 busybox, our own program, and a measurement by it."""
    return {"busybox32": cache.busybox_i386(), "user32": build.user32(), "tls-bench": TREE / "tests/user32/tls-bench"}


def fork_programs(arch="x86_64"):
    """What a Linux guest needs to fork itself: the command, and the kernel's module for the device that it goes through."""
    busybox = {"busybox": cache.busybox_arm64()} if arch == "arm64" else {}
    return {**busybox, "tine-fork": build.tine_fork(arch), "xen-privcmd.ko": cache.linux_module("xen-privcmd", arch)}


def fuzz_modules(seed, inputs):
    """A guest that forks itself to try INPUTS of SEED on a parser, instead of running a shell."""
    programs = {**fork_programs(), "tine-fuzz": build.tine_fuzz(), "fuzz": TREE / "tests/tine-fork/fuzz"}
    return pvh_modules(f"quiet RUN=fuzz SEED={seed} INPUTS={inputs}", 1, programs, fork=1)


def ramdisk(programs=None):
    """A ramdisk with busybox, INIT and PROGRAMS {name: file}, kept in the cache under a name that follows its content."""
    programs = dict(programs or {})
    if "busybox" not in programs:
        programs = {"busybox": cache.busybox(), **programs}
    content = hashlib.sha256(INIT.encode())
    for name, file in programs.items():
        content.update(name.encode() + file.read_bytes())
    stamp = content.hexdigest()[:12]
    image = cache_dir() / f"ramdisk-{stamp}.gz"
    if not image.exists():
        deps.ensure("guests")
        with tempfile.TemporaryDirectory(prefix="tine-ramdisk-") as scratch:
            pack(Path(scratch), programs, image)
    return image


def pack(root, programs, image):
    (root / "bin").mkdir()
    for name, file in programs.items():
        shutil.copy(file, root / "bin" / name)
    (root / "init").write_text(INIT, encoding="utf-8")
    os.chmod(root / "init", 0o755)
    archive(root, image)


def only_program(program):
    """A ramdisk in which PROGRAM is all there is: the kernel starts it as init."""
    image = cache_dir() / f"ramdisk-{hashlib.sha256(program.read_bytes()).hexdigest()[:12]}.gz"
    if not image.exists():
        deps.ensure("guests")
        with tempfile.TemporaryDirectory(prefix="tine-ramdisk-") as scratch:
            shutil.copy(program, Path(scratch) / "init")
            archive(Path(scratch), image)
    return image


def archive(root, image):
    """All files below ROOT, as the kernel unpacks them."""
    names = "".join(f"{path.relative_to(root)}\n" for path in sorted(root.rglob("*")))
    files = subprocess.run(["cpio", "-o", "-H", "newc", "--quiet", "-R", "0:0"], cwd=root, input=names.encode(),
                           stdout=subprocess.PIPE, check=True).stdout
    scratch = image.with_suffix(f".{os.getpid()}")    # others may be making the same
    scratch.write_bytes(gzip.compress(files, mtime=0))
    scratch.rename(image)
