# SPDX-License-Identifier: GPL-2.0-or-later
"""How an arm64 machine is given its hypervisor and modules."""

import pytest

from tinelib import machine_arm64
from tinelib.iso import BootPlan, Module
from tinelib.machine_arm64 import Virt, grub_config, virt_boot
from tinelib.say import Stop


def plan(folder, *sizes):
    modules = []
    for number, size in enumerate(sizes):
        path = folder / f"m{number}"
        path.write_bytes(bytes(size))
        modules.append(Module(path, f"args,{number}"))
    return BootPlan("Tine", folder / "tine", "console=dtuart a,b", modules)


def test_the_last_module_is_named_first(tmp_path):
    """QEMU puts each node before those that are there."""
    arguments = virt_boot(plan(tmp_path, 3 << 20, 100), Virt(mem=1 << 30))
    devices = [word for word in arguments if word.startswith("guest-loader")]
    assert [device.split("kernel=")[1] for device in devices] == [
        f"{tmp_path}/m1,bootargs=args,,1", f"{tmp_path}/m0,bootargs=args,,0"]
    assert [device.split(",")[1] for device in devices] == ["addr=0x49400000", "addr=0x49000000"]
    assert arguments[:4] == ["-kernel", str(tmp_path / "tine"), "-append", "console=dtuart a,b"]


def test_modules_must_fit(tmp_path):
    with pytest.raises(Stop, match="more than --mem"):
        virt_boot(plan(tmp_path, 200 << 20), Virt(mem=256 << 20))


def test_grub_loads_all_or_switches_off(tmp_path):
    text = grub_config(plan(tmp_path, 1, 1), ["/boot/0-tine", "/boot/1-m0", "/boot/2-m1"])
    lines = text.splitlines()
    assert lines[0] == "if xen_hypervisor (memdisk)/boot/0-tine 'console=dtuart' 'a,b'; then"
    assert lines[1].startswith("if xen_module --nounzip (memdisk)/boot/1-m0 ") and lines[-1] == "halt"
    assert lines.count("fi") == 3


def test_the_machine_has_el2_and_no_acpi():
    command = Virt(gic=2, cpu="max").command([], None)
    assert "virt,virtualization=on,gic-version=2,acpi=off" in command and "max" in command
    assert command[0] == "qemu-system-aarch64" and machine_arm64.CPU_MODEL not in command
