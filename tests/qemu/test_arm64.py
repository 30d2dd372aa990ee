# SPDX-License-Identifier: GPL-2.0-or-later
"""arm64 machines that start badly: each flaw is one line, whatever the loader passed."""

import copy
import struct
import sys
import tempfile
from pathlib import Path

import pytest

TREE = Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(TREE / "tools"))

from arm64 import deed  # noqa: E402
from flat_tree import flatten  # noqa: E402
from tinelib import build, deps, guests  # noqa: E402
from tinelib.iso import BootPlan  # noqa: E402
from tinelib.machine_arm64 import Virt, virt_boot  # noqa: E402
from tinelib.qemu import Qemu  # noqa: E402
from tinelib.run import ARM64_OPTIONS, booted, watch  # noqa: E402
from tinelib.verdict import Verdict  # noqa: E402

IMAGE_AT, TREE_AT, STUB_AT = 0x40200000, 0x48000000, 0x50000000

GOOD = {
    "#address-cells": [2], "#size-cells": [2],
    "memory@40000000": {"device_type": "memory", "reg": [0, 0x40000000, 0, 0x20000000]},
    "cpus": {"#address-cells": [1], "#size-cells": [0],
             "cpu@0": {"device_type": "cpu", "reg": [0], "enable-method": "psci"}},
    "psci": {"compatible": "arm,psci-1.0", "method": "smc"},
    "intc": {"compatible": "arm,gic-v3", "#interrupt-cells": [3], "phandle": [1],
             "reg": [0, 0x8000000, 0, 0x10000, 0, 0x80a0000, 0, 0xf60000]},
    "timer": {"compatible": "arm,armv8-timer", "interrupts": [1, 13, 4, 1, 14, 4, 1, 11, 4, 1, 10, 4]},
    "uart": {"compatible": "arm,pl011", "reg": [0, 0x9000000, 0, 0x1000], "interrupts": [0, 1, 4]},
    "chosen": {"bootargs": "console=dtuart loglvl=all"},
}


def without(*path):
    """GOOD less one node or property."""
    tree = copy.deepcopy(GOOD)
    place = tree
    for name in path[:-1]:
        place = place[name]
    del place[path[-1]]
    return flatten(tree)


def with_node(parent, name, content):
    tree = copy.deepcopy(GOOD)
    (tree[parent] if parent else tree)[name] = content
    return flatten(tree)


def memory(start, size):
    return {"device_type": "memory", "reg": [0, start, 0, size]}


# movz x2, #4, lsl #32; msr hcr_el2, x2; isb: HCR_EL2.E2H, as a loader that runs with host extensions leaves it
HOST_EXTENSIONS_ON = struct.pack("<3I", 0xd2c00082, 0xd51c1102, 0xd5033fdf)


def jump(tree):
    """Instructions that set x0 to TREE and jump to the image: movz, movk, movz, movk, br."""
    def load(register, number):
        return [0xd2800000 | (number & 0xffff) << 5 | register, 0xf2a00000 | (number >> 16) << 5 | register]
    return struct.pack("<5I", *load(0, tree), *load(1, IMAGE_AT), 0xd61f0000 | 1 << 5)


def run(arguments, machine):
    deps.ensure("arm64")
    lines = []
    with tempfile.TemporaryDirectory(prefix="tine-arm64-") as scratch:
        with Qemu(machine.command(arguments(Path(scratch)), scratch), silence=60.0, timeout=120.0) as qemu:
            def on_line(text):
                lines.append(text)
                if text.endswith("Halted."):    # without PSCI it stands there for ever
                    qemu.silence = 1.0
            verdict = watch(qemu, on_line=on_line, verdict=Verdict(guest=False))
    return lines, verdict


def start_with(content, tree_at=TREE_AT, before=b"", files=None, **shape):
    """Enters the image as a loader would that passes CONTENT for a device tree, or nothing at all; FILES {address: file} are in memory."""
    image = build.hypervisor(arch="arm64")

    def arguments(scratch):
        (scratch / "stub").write_bytes(before + jump(tree_at))
        devices = [f"file={image},addr={IMAGE_AT:#x},force-raw=on",
                   f"file={scratch / 'stub'},addr={STUB_AT:#x},cpu-num=0,force-raw=on"]
        devices += [f"file={file},addr={address:#x},force-raw=on" for address, file in (files or {}).items()]
        if content:
            (scratch / "tree").write_bytes(content)
            devices.append(f"file={scratch / 'tree'},addr={TREE_AT:#x},force-raw=on")
        return [word for device in devices for word in ("-device", f"loader,{device}")]

    return run(arguments, Virt(mem=512 << 20, **shape))


def one(lines, words):
    found = [line for line in lines if words in line]
    assert len(found) == 1, f"{len(found)} lines say '{words}':\n" + "\n".join(lines[-30:])


def test_a_good_tree_starts_it():
    lines, verdict = start_with(flatten(GOOD))
    one(lines, "No boot module: there is no domain to start")
    assert not verdict.panic and verdict.status == 1
    assert not [line for line in lines if "device tree:" in line]


@pytest.mark.parametrize("content, tree_at, words", [
    (None, 0, "The loader passed no device tree: x0 is 0"),
    (None, TREE_AT + 4, "The loader passed no device tree: x0 is 0x48000004"),
    (b"\177ELF" + bytes(60), TREE_AT, "What the loader passed in x0, 0x48000000, is no device tree"),
    (flatten(GOOD)[:200], TREE_AT, "device tree: is damaged"),
    (without("memory@40000000"), TREE_AT, "The firmware reports no usable memory"),
    (without("intc"), TREE_AT, "The device tree names no interrupt controller that is a GICv2 or GICv3"),
    (without("timer"), TREE_AT, "The device tree names no interrupt for the virtual timer"),
], ids=["nothing", "unaligned", "no-tree", "cut", "no-memory", "no-gic", "no-timer"])
def test_what_cannot_be_started_with(content, tree_at, words):
    lines, verdict = start_with(content, tree_at)
    one(lines, words)
    assert verdict.panic and verdict.status == 1


@pytest.mark.parametrize("content, words", [
    (with_node(None, "memory@50000000", memory(0x50000000, 0x10000000)),
     "and RAM [0x50000000, 0x60000000) overlap"),
    (with_node(None, "memory@3", {"device_type": "memory"}), 'memory node "memory@3" has no `reg` that can be read'),
    (with_node("chosen", "module@1", {"compatible": "multiboot,module", "reg": [0, 0x90000000, 0, 0x1000]}),
     "module 0 [0x90000000, 0x90001000) \"\" is not wholly in RAM: left out"),
    (with_node("chosen", "module@1", {"compatible": "multiboot,module", "reg": [0, 0x40200000, 0, 0x1000]}),
     "overlaps the hypervisor: left out"),
    (without("psci"), "PSCI: the device tree has none"),
    (without("uart", "interrupts"), "The device tree names no interrupt of the console"),
], ids=["overlap", "no-reg", "outside", "in-the-image", "no-psci", "no-interrupt"])
def test_what_is_reported_and_left_out(content, words):
    lines, verdict = start_with(content)
    one(lines, words)
    one(lines, "No boot module: there is no domain to start")
    assert not verdict.panic


def test_host_extensions_that_are_on_are_turned_off():
    tree = copy.deepcopy(GOOD)
    tree["chosen"]["bootargs"] = "console=dtuart selftest=traps,mappings,tlb"
    lines, verdict = start_with(flatten(tree), before=HOST_EXTENSIONS_ON, cpu="max")
    one(lines, "host extensions present and off")
    assert verdict.status == 0, "\n".join(lines[-20:])


def test_a_guest_that_only_the_tree_names(tmp_path):
    """No guest-loader: modules and their order are what the tree says."""
    guest, at = deed(tmp_path, 0), 0x49000000
    tree = copy.deepcopy(GOOD)
    for name, kind, place, size in (("module@1", b"multiboot,module\0", 0x4a000000, 0x1000),
                                    ("module@2", b"multiboot,kernel\0multiboot,module\0", at, guest.stat().st_size)):
        tree["chosen"][name] = {"compatible": kind, "reg": [0, place, 0, size], "bootargs": name}
    lines, verdict = start_with(flatten(tree), files={at: guest})
    one(lines, f"module 0 [{at:#x}")
    one(lines, "(d0) right")
    one(lines, "Power off: success")
    assert not verdict.panic


def test_unordered_memory_is_sorted():
    tree = copy.deepcopy(GOOD)
    tree["memory@40000000"] = memory(0x50000000, 0x10000000)
    tree["memory@5"] = memory(0x40000000, 0x10000000)
    lines, verdict = start_with(flatten(tree))
    one(lines, "regions were not in order: sorted")
    assert not verdict.panic


def boot(options, **shape):
    plan = BootPlan("Tine", build.hypervisor(arch="arm64"), f"{ARM64_OPTIONS} {options}")
    machine = Virt(mem=256 << 20, **shape)
    return run(lambda scratch: virt_boot(plan, machine), machine)


def test_started_at_el1_it_says_so():
    machine = Virt(mem=256 << 20)
    plan = BootPlan("Tine", build.hypervisor(arch="arm64"), ARM64_OPTIONS)
    command = machine.command(virt_boot(plan, machine), None)
    command = [word.replace("virtualization=on", "virtualization=off") for word in command]
    with Qemu(command, silence=30.0, timeout=30.0) as qemu:
        for kind, text in qemu.events():
            if kind == "line":
                assert text == "Tine must be started at EL2, and was not. On QEMU: -machine virt,virtualization=on"
                break


def test_a_stack_overflow_is_named():
    lines, verdict = boot("selftest=traps-overflow")
    one(lines, "Stack overflow")
    assert [line for line in lines if "deeper+" in line] and verdict.status == 1


@pytest.mark.parametrize("firmware", ["image", "uefi"])
def test_linux(firmware):
    """Debian's kernel as initial domain, by either way of booting: reaches its shell and does what it is told."""
    plan = BootPlan("Tine", build.hypervisor(arch="arm64"), ARM64_OPTIONS, guests.modules("linux", "tine", arch="arm64"))
    lines = []
    with booted(plan, Virt(mem=1 << 30, firmware=firmware), silence=240.0, timeout=600.0) as qemu:
        verdict = watch(qemu, ["echo $((6 * 7)) | sed s/4/forty-/"], on_line=lines.append)
    assert verdict.status == 0, verdict.summary + "\n" + "\n".join(lines[-30:])
    assert [line for line in lines if "forty-2" in line]


@pytest.mark.parametrize("cpu, gic", [("cortex-a53", 2), ("cortex-a72", 3), ("neoverse-n1", 3), ("max", 2)])
def test_other_processors(cpu, gic):
    lines, verdict = boot("selftest=traps,mappings,time,ipi", cpu=cpu, gic=gic, smp=2)
    assert verdict.status == 0, "\n".join(lines[-20:])
