# SPDX-License-Identifier: GPL-2.0-or-later
"""The house's floors, enforced from the includes: boot -> abi -> sched -> mm -> lib.

A folder includes its own headers, those of its floor and below in include/tine/, and the contract with the
architecture; of asm/ only what arch.h lists as part of that contract.  Folders meet only in include/tine/: a
quoted include stays inside its folder.  Arch code may include any public header.
"""

import re
from pathlib import Path

from .paths import TREE
from .sources import includes, read, tracked

FLOORS = {"lib": 1, "mm": 2, "store": 2, "sched": 3, "abi": 4, "boot": 5}

# Which floor a public header belongs to; 0 is the contract with the architecture and what all build on.
HEADERS = {
    0: "arch arch_fork boot_info cpu direct_map irq selftest softirq time types compiler errno",
    1: "bitmap calendar clock_scale cmdline console crc32 elf extable lib list phases poison printk span spinlock string symbols version",
    2: "bootmem fork guest_access heap numa p2m page share store",
    3: "domain domain_config domain_fork domain_pages domain_physmap evtchn grant sched translated_memory vcpu xenstore",
    4: "fork_op hypercall",
    5: "domain_build boot",
}
FLOOR_OF = {name: floor for floor, names in HEADERS.items() for name in names.split()}
CONTRACT = re.compile(r"\basm/(\w+\.h)\b")


def contract(tree):
    """The asm/ headers that include/tine/arch.h names: those that generic code may use."""
    arch = tree / "include/tine/arch.h"
    return set(CONTRACT.findall(read("include/tine/arch.h", tree))) if arch.exists() else set()


def problems(tree=TREE):
    """One line for each include that goes the wrong way."""
    allowed_asm = contract(tree)
    found = []
    for path in tracked("*.c", "*.h", "*.S", tree=tree):
        room = path.parts[0]
        if room in FLOORS:
            found += check_room(path, room, FLOORS[room], allowed_asm, tree)
        elif path.parts[:2] == ("include", "tine"):
            found += check_header(path, allowed_asm, tree)
        elif room == "arch":
            found += check_arch(path, tree)
    return found


def tine_floor(name):
    """The floor of <tine/NAME>, or None if this file's table does not know it."""
    return FLOOR_OF.get(Path(name).stem)


def check_bracketed(path, line, name, floor, allowed_asm):
    if name.startswith("tine/"):
        below = tine_floor(name)
        if below is None:
            return [f"{path}:{line}: <{name}> has no floor yet (tools/tinelib/layering.py)"]
        if below > floor:
            return [f"{path}:{line}: floor {floor} includes <{name}> of floor {below}"]
    elif name.startswith("asm/") and name[4:] not in allowed_asm:
        return [f"{path}:{line}: generic code includes <{name}>, which include/tine/arch.h does not name"]
    return []


def check_room(path, room, floor, allowed_asm, tree):
    found = []
    for line, kind, name in includes(read(path, tree)):
        if kind == '"':
            target = (tree / path.parent / name).resolve()
            if not target.is_relative_to((tree / room).resolve()):
                found.append(f'{path}:{line}: "{name}" lies outside {room}/')
        else:
            found += check_bracketed(path, line, name, floor, allowed_asm)
    return found


def check_header(path, allowed_asm, tree):
    floor = FLOOR_OF.get(path.stem)
    if floor is None:
        return [f"{path}: has no floor yet (tools/tinelib/layering.py)"]
    found = []
    for line, kind, name in includes(read(path, tree)):
        if kind == '"':
            found.append(f'{path}:{line}: public headers are included as <tine/...>, not "{name}"')
        elif floor > 0:
            found += check_bracketed(path, line, name, floor, allowed_asm)
    return found


def check_arch(path, tree):
    """Arch code keeps to the public headers: no way into another folder's private ones."""
    found = []
    for line, kind, name in includes(read(path, tree)):
        if kind == '"' and not (tree / path.parent / name).resolve().is_relative_to((tree / "arch").resolve()):
            found.append(f'{path}:{line}: "{name}" lies outside arch/')
        if kind == "<" and name.split("/")[0] in FLOORS:
            found.append(f"{path}:{line}: <{name}> is private to {name.split('/')[0]}/")
    return found
