#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes seed inputs for the fuzzers, made of the recorded firmware data: fuzz_seeds.py multiboot2|acpi|cmdline|config DIR."""
import pathlib
import struct
import sys

DATA = pathlib.Path(__file__).parent / "data"
NAMES = [b"APIC", b"SRAT", b"SLIT", b"FACP", b"HPET", b"DSDT", b"XSDT"]  # as in fuzz_acpi.c
LINES = [
    "b no-b b=off u=0x10 z=1G s=tine c=a,b",
    'console=com1 loglvl=all dom0_mem=512M "c=d e" s="a b" z=4k unknown u=99999999999',
]

CONFIGS = [
    'name = "a"\ntype = \'pv\'\nmemory = 0x100 # MiB\nvcpus=4;\nkernel="k"\nramdisk="r"\nextra="a=b"\n',
    'kernel="k"\nmemory=64\ncpus=["0-3","^1"]\ncpu_weight=512\non_poweroff="preserve"\non_reboot="restart"\n'
    'on_crash="destroy"\nfork=1\ndisk = [ \'a\',\n "b" ]\n',
]


def tables(path):
    data, at = path.read_bytes(), 0
    while at < len(data):
        _, size = struct.unpack_from("<QQ", data, at)
        yield data[at + 16 : at + 16 + size]
        at += 16 + size


def acpi(path):
    """One input: the known tables, each behind the three bytes that fuzz_acpi.c takes."""
    out = b"\0"
    for table in tables(path):
        if table[:4] in NAMES[:6]:
            table = table[:0x1FFF]
            out += bytes([NAMES.index(table[:4])]) + struct.pack("<H", len(table)) + table
    return out


def seeds(kind):
    if kind == "multiboot2":
        return [p.read_bytes() for p in sorted(DATA.glob("*.mbi"))]
    if kind == "acpi":
        return [acpi(p) for p in sorted(DATA.glob("*.acpi"))]
    if kind == "cmdline":
        return [line.encode() for line in LINES]
    if kind == "config":
        return [text.encode() for text in CONFIGS]
    return []


def main():
    kind, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(seeds(kind)):
        (folder / f"seed-{number}").write_bytes(seed)


if __name__ == "__main__":
    main()
