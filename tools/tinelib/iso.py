# SPDX-License-Identifier: GPL-2.0-or-later
"""A bootable image: GRUB, a hypervisor and its modules, for BIOS and UEFI in one file.

GRUB loads the hypervisor by multiboot2, as it would from a disk; Debian's Xen takes the same road.  If GRUB
cannot load something it says so and switches the machine off, so that nobody waits for a prompt.
"""

import gzip
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from . import deps
from .paths import made, readable
from .say import Stop

PARTITIONS = " ".join(f"part_{kind}" for kind in
                      "acorn amiga apple bsd dfly dvh gpt msdos plan sun sunpc".split())   # grub-mkrescue names them all
MODULES = f"normal configfile iso9660 serial terminal echo test multiboot2 gzio halt mmap {PARTITIONS}"
SERIAL = "serial --unit=0 --speed=115200"


@dataclass
class Module:
    """A file that the boot loader puts into memory, and the arguments it hands over with it."""

    path: Path
    args: str = ""


@dataclass
class BootPlan:
    """What the boot loader starts: the hypervisor, its options, its modules in order.

    HOLES are pairs of addresses between which it says there is no RAM.
    """

    title: str
    image: Path
    options: str = ""
    modules: list = field(default_factory=list)
    holes: tuple = ()


def quoted(text):
    """TEXT as GRUB words that arrive unchanged, whatever GRUB's shell thinks of their characters."""
    for character in "\n\r\0":
        if character in text:
            raise Stop(f"boot options cannot hold a line break: {text!r}")
    return " ".join("'" + word.replace("'", "'\\''") + "'" for word in text.split())


def grub_config(plan, names):
    """The text of grub.cfg for PLAN; NAMES are the files' paths on the image, hypervisor first."""
    lines = [SERIAL, "terminal_output serial", f"echo {quoted('GRUB: loading ' + plan.title)}"]
    lines += [f"cutmem {start:#x} {end:#x}" for start, end in plan.holes]
    commands = [f"multiboot2 {names[0]} {quoted(plan.options)}"]
    commands += [f"module2 {name} {quoted(module.args)}" for name, module in zip(names[1:], plan.modules)]
    depth = 0
    for command in commands:
        lines.append(f"if {command.rstrip()}; then")
        depth += 1
    lines += ["boot", *["fi"] * depth]
    lines += ["echo 'GRUB: could not load everything, switching off'", "halt"]
    return "\n".join(lines) + "\n"


def names_for(plan):
    """A path on the image for each file, unlike any other's."""
    files = [plan.image, *(module.path for module in plan.modules)]
    return [f"/boot/{index}-{re.sub(r'[^A-Za-z0-9._-]', '_', path.name)}" for index, path in enumerate(files)]


def make_iso(plan, output, compress=False):
    """Writes the image for PLAN to OUTPUT; COMPRESS gzips the hypervisor, which GRUB unpacks."""
    names = names_for(plan)
    with tempfile.TemporaryDirectory(prefix="tine-iso-") as scratch:
        boot = Path(scratch) / "boot"
        (boot / "grub").mkdir(parents=True)
        readable(plan.image, "hypervisor")
        if compress:
            names[0] += ".gz"
            with open(plan.image, "rb") as plain, gzip.GzipFile(boot.parent / names[0][1:], "wb", mtime=0) as packed:
                shutil.copyfileobj(plain, packed)
        else:
            shutil.copyfile(plan.image, boot.parent / names[0][1:])
        for name, module in zip(names[1:], plan.modules):
            shutil.copyfile(readable(module.path, "module"), boot.parent / name[1:])
        (boot / "grub" / "grub.cfg").write_text(grub_config(plan, names), encoding="utf-8")
        mkrescue(scratch, output)
    return output


def mkrescue(folder, output):
    made(Path(output).parent)
    command = ["grub-mkrescue", "--fonts=", "--themes=", "--locales=", f"--install-modules={MODULES}",
               "-o", str(output), folder]
    answer = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if answer.returncode or not Path(output).exists():
        lines = answer.stdout.strip().splitlines() or ["no message"]
        raise Stop(f"grub-mkrescue could not write {output}: {lines[-1]}")


def add_arguments(parser):
    from . import run
    parser.add_argument("-o", "--output", metavar="FILE", default=None,
                        help="where to (default: build/x86_64/HYPERVISOR.iso)")
    parser.add_argument("--gzip", action="store_true", help="gzip the hypervisor; GRUB unpacks it")
    run.add_boot_arguments(parser)


def main(options):
    from . import run
    from .paths import BUILD
    deps.ensure("machine")
    if options.arch != "x86_64":
        raise Stop(f"iso: there is none for {options.arch}: QEMU's own loader takes the Image")
    plan = run.boot_plan(options)
    output = Path(options.output or BUILD / "x86_64" / f"{options.hypervisor}.iso")
    make_iso(plan, output, options.gzip)
    print(output)
    return 0
