# SPDX-License-Identifier: GPL-2.0-or-later
"""`tine run`: from names and sizes to a booted machine, and its verdict.

boot_plan() says what is loaded, machine_from() on what; watch() streams the console, types what the guest's
shell is to do, and feeds the verdict.  Everything a machine needs lies in one scratch folder that goes with it.
"""

import contextlib
import os
import signal
import socket
import sys
import tempfile
import termios
import time
from pathlib import Path

from . import build, cache, deps, guests
from .iso import BootPlan, Module, make_iso
from .machine import CPU_MODELS, Machine, iso_boot, pvh_boot
from .machine_arm64 import CPU_MODEL as CPU_ARM64
from .machine_arm64 import Virt, uefi_boot, virt_boot
from .paths import readable
from .qemu import Hang, Qemu
from .say import Stop, note
from .sizes import NODE_GRAIN, check_smp, parse_numa, parse_size
from .verdict import Verdict

HYPERVISORS = ("tine", "xen")
XEN_OPTIONS = "console=com1 com1=115200,8n1 loglvl=all guest_loglvl=all"
TINE_OPTIONS = "console=com1 com1=115200,8n1"
ARM64_OPTIONS = "console=dtuart"
XEN_ARM64_OPTIONS = "console=dtuart dom0_mem=64M guest_loglvl=all bootscrub=off noreboot"
FIRMWARE = {"x86_64": ("bios", "uefi", "pvh"), "arm64": ("image", "uefi")}    # the first is what is used when nothing is said
NO_SCRUB = "bootscrub=off"
GRACE = 10.0


def add_boot_arguments(parser):
    """What is loaded: for `run` and `iso` alike."""
    parser.add_argument("--arch", choices=("x86_64", "arm64"), default="x86_64")
    parser.add_argument("--hypervisor", choices=HYPERVISORS, default="tine",
                        help="Tine, or Debian's Xen fetched into the cache (default: tine)")
    parser.add_argument("--variant", choices=build.VARIANTS, default="release", help="which build of Tine")
    parser.add_argument("--guest", default=None, metavar="GUEST",
                        help="tiny, linux-pv, linux-pv32, linux-pvh, linux, none, or a kernel's file (default: tiny)")
    parser.add_argument("--guest-args", default="", metavar="ARGS", help="command line of the guest")
    parser.add_argument("--module", action="append", default=[], metavar="FILE[=ARGS]",
                        help="a further boot module; with a .cfg among them no guest is added by default")
    parser.add_argument("--append", action="append", default=[], metavar="OPTIONS",
                        help="options for the hypervisor's command line")


def add_machine_arguments(parser):
    parser.add_argument("--firmware", choices=sorted({name for names in FIRMWARE.values() for name in names}), default=None,
                        help="x86_64: GRUB on BIOS (default), GRUB on UEFI, or QEMU's own loader (pvh); arm64: QEMU's own loader (image, default) or GRUB on UEFI")
    parser.add_argument("--gic", type=int, choices=(2, 3), default=3, help="arm64: version of the interrupt controller (default: 3)")
    parser.add_argument("--mem", default=None, metavar="SIZE", help="memory (default: 1G, or what --numa adds up to)")
    parser.add_argument("--smp", type=int, default=1, metavar="N", help="CPUs (default: 1)")
    parser.add_argument("--numa", default=None, metavar="SPEC",
                        help="nodes: `2`, or sizes `1G,512M,0`; `@21` or `@10:20/20:10` adds distances")
    parser.add_argument("--cpu", default=None, metavar="MODEL", help="QEMU's CPU model")
    parser.add_argument("--icount", action="store_true", help="one instruction is one nanosecond: repeatable")
    parser.add_argument("--gdb", type=int, default=None, metavar="PORT",
                        help="wait for gdb on this port of 127.0.0.1 before the first instruction; no hang is suspected then")


def add_arguments(parser):
    add_boot_arguments(parser)
    add_machine_arguments(parser)
    parser.add_argument("--exec", action="append", default=[], dest="lines", metavar="LINE",
                        help="a line for the guest's shell; the guest is powered off after the last")
    parser.add_argument("--timeout", type=float, default=900, metavar="S",
                        help="seconds for the whole run (default: 900; 0: no limit)")
    parser.add_argument("--silence", type=float, default=180, metavar="S",
                        help="seconds without any output that count as a hang (default: 180; 0: no limit)")


def boot_plan(options):
    """What to load, built and fetched as needed."""
    if options.arch == "arm64" and options.hypervisor != "tine":
        raise Stop("--arch arm64: Xen for arm64 is not fetched in this version")
    extra = [parse_module(text) for text in options.module]
    guest = options.guest
    if guest is None:
        guest = "none" if any(module.path.suffix == ".cfg" for module in extra) else guests.default(options.arch)
    modules = [] if guest == "none" else guests.modules(
        guest, options.hypervisor, options.guest_args, getattr(options, "smp", 1), options.arch)
    if options.hypervisor == "xen":
        image, standard, title = cache.xen_image(), XEN_OPTIONS, "Debian's Xen"
    else:
        image, title = build.hypervisor(options.variant, options.arch), "Tine"
        standard = ARM64_OPTIONS if options.arch == "arm64" else TINE_OPTIONS
    modules += extra
    return BootPlan(title, image, " ".join([standard, *options.append]), named(modules))


def named(modules):
    """MODULES; with a configuration among them, which names its kernel, the first word of each one's arguments is its name."""
    if not any(module.path.suffix == ".cfg" for module in modules):
        return modules
    return [Module(module.path, f"{module.path.name} {module.args}".strip()) for module in modules]


def parse_module(text):
    """FILE[=ARGS]; a file whose name holds `=` is taken whole if it exists."""
    if Path(text).exists():
        return Module(readable(text, "--module"))
    name, _, args = text.partition("=")
    return Module(readable(name, "--module"), args)


def gdb_stub(port):
    """QEMU's arguments for a debugger on PORT."""
    if not 0 < port < 65536:
        raise Stop(f"--gdb {port}: a port is 1 to 65535")
    with socket.socket() as probe:
        # As QEMU itself will: a port whose last user has just gone is free.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError as error:
            raise Stop(f"--gdb {port}: {error.strerror}") from None
    return ("-gdb", f"tcp:127.0.0.1:{port}", "-S")


def host_memory():
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def machine_from(options):
    mem = parse_size(options.mem, "--mem") if options.mem else None
    numa = parse_numa(options.numa, mem) if options.numa else None
    size = mem if mem is not None else sum(numa.sizes) if numa else 1 << 30
    if size < 16 << 20 or size % NODE_GRAIN:
        raise Stop(f"--mem: {size} bytes; at least 16M in whole MiB are needed")
    firmware = options.firmware or FIRMWARE[options.arch][0]
    if firmware not in FIRMWARE[options.arch]:
        raise Stop(f"--firmware {firmware}: {options.arch} has {', '.join(FIRMWARE[options.arch])}")
    extra = gdb_stub(options.gdb) if options.gdb is not None else ()
    if options.arch == "arm64":
        return Virt(mem=size, smp=check_smp(options.smp), numa=numa, firmware=firmware, gic=options.gic, icount=options.icount,
                    cpu=options.cpu or CPU_ARM64, extra=extra)
    if options.hypervisor == "xen" and firmware == "pvh":
        raise Stop("--firmware pvh: Debian ships no Xen that QEMU's own loader takes")
    return Machine(mem=size, smp=check_smp(options.smp), numa=numa, firmware=firmware,
                   icount=options.icount, cpu=options.cpu or CPU_MODELS[options.hypervisor],
                   extra=extra)


@contextlib.contextmanager
def booted(plan, machine, compress=False, **limits):
    """A Qemu that boots PLAN on MACHINE, put away afterwards with all its files."""
    deps.ensure("arm64" if isinstance(machine, Virt) else "machine")
    with tempfile.TemporaryDirectory(prefix="tine-run-") as scratch:
        if isinstance(machine, Virt):
            deps.ensure("machine")    # GRUB's tools
            boot = uefi_boot(plan, scratch) if machine.firmware == "uefi" else virt_boot(plan, machine)
        elif machine.firmware == "pvh":
            boot = pvh_boot(plan)
        else:
            boot = iso_boot(make_iso(plan, Path(scratch) / "boot.iso", compress))
        with Qemu(machine.command(boot, scratch), **limits) as qemu:
            yield qemu


def watch(qemu, lines=None, keyboard=None, on_line=None, verdict=None):
    """Follows the console to its end; types LINES, one at each prompt of the guest's shell, and `exit`."""
    verdict = verdict or Verdict()
    typing = list(lines) + ["exit"] if lines else []
    answered = False    # the prompt at the end of the console: it may come in pieces, but is answered once
    try:
        for kind, text in qemu.events(keyboard):
            if kind == "partial":
                if typing and not answered and text.endswith(guests.PROMPT.strip() + " "):
                    qemu.type(typing.pop(0) + "\n")
                    answered = True
                continue
            answered = False
            verdict.line(text)
            if on_line:
                on_line(text)
            if verdict.halted:
                break
            if verdict.panic:
                # A panicked hypervisor may wait for ever: let it finish its report only.
                qemu.silence = min(qemu.silence, GRACE)
    except Hang as hang:
        if not verdict.panic:
            verdict.hang = str(hang)
            for line in qemu.where():
                note(line)
    qemu.stop()
    verdict.ended(qemu.status, qemu.reason)
    return verdict


@contextlib.contextmanager
def raw_keyboard():
    """Standard input as a descriptor whose keys arrive one by one, if it is a terminal; Ctrl-C stays ours."""
    if not sys.stdin or not sys.stdin.isatty():
        yield None
        return
    descriptor = sys.stdin.fileno()
    before = termios.tcgetattr(descriptor)
    keys = termios.tcgetattr(descriptor)
    keys[3] &= ~(termios.ICANON | termios.ECHO)
    termios.tcsetattr(descriptor, termios.TCSADRAIN, keys)
    try:
        yield descriptor
    finally:
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)


def end_on_signals():
    """Being told to end is like Ctrl-C: everything started is put away."""
    def interrupt(number, frame):
        raise KeyboardInterrupt
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, interrupt)


def main(options):
    machine = machine_from(options)
    if machine.mem > host_memory() // 2:
        # An idle hypervisor cleans all free memory, and would make the host provide it.
        note(f"--mem is more than half of this host's memory: adding {NO_SCRUB}")
        options.append.append(NO_SCRUB)
    plan = boot_plan(options)
    if options.lines and (options.guest or guests.default(options.arch)) not in guests.LINUX:
        raise Stop("--exec: only a Linux guest has a shell")
    start = time.monotonic()
    if options.gdb is not None:
        options.silence = options.timeout = 0
        note(f"waiting for: gdb -ex 'target remote 127.0.0.1:{options.gdb}' {plan.image}")
    limits = {"silence": options.silence or float("inf"), "timeout": options.timeout or float("inf")}
    with raw_keyboard() as keyboard, booted(plan, machine, out=sys.stdout, **limits) as qemu:
        # With nobody at a keyboard a shell has nothing to wait for.
        lines = options.lines if options.lines or keyboard is not None else ["true"]
        verdict = watch(qemu, lines, keyboard, verdict=Verdict(guest=bool(plan.modules)))
    note(f"{verdict.summary} ({time.monotonic() - start:.1f} s)")
    return verdict.status
