#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes seed inputs for the fuzzers, made of the recorded firmware data: fuzz_seeds.py multiboot2|acpi|device_tree|cmdline|config|pv_image|store|unpack DIR."""
import gzip
import lzma
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


def pv_image():
    """A kernel as in elf_builder.h: one segment to load, one of notes."""

    def note(kind, value):
        return struct.pack("<III4s", 4, len(value), kind, b"Xen") + value + bytes(-len(value) % 4)

    notes = note(5, b"xen-3.0\0") + note(8, b"generic\0") + note(3, struct.pack("<Q", 0xFFFFFFFF80000000))
    notes += note(1, struct.pack("<Q", 0xFFFFFFFF80100000)) + note(10, b"!writable_page_tables|pae_pgdir_above_4gb\0")
    header = b"\x7fELF" + bytes([2, 1, 1, 0]) + bytes(8)
    header += struct.pack("<HHIQQQIHHHHHH", 2, 62, 1, 0x100000, 64, 0, 0, 64, 56, 2, 0, 0, 0)
    load = struct.pack("<IIQQQQQQ", 1, 7, 512, 0, 0x100000, 64, 8192, 4096)
    segment = struct.pack("<IIQQQQQQ", 4, 4, 176, 0, 0, len(notes), len(notes), 4)
    return (header + load + segment + notes).ljust(1024, b"\x90")


def store():
    """What Linux says to its store at boot, behind the two bytes that fuzz_store.c takes."""

    def message(kind, payload, transaction=0):
        return struct.pack("<IIII", kind, 1, transaction, len(payload)) + payload

    talk = message(4, b"memory/target\0t\0") + message(2, b"memory/target\0") + message(6, b"\0")
    talk += message(11, b"control/feature-poweroff\x001", 1) + message(7, b"T\0", 1) + message(1, b"control\0")
    talk += message(12, b"a/b/c\0") + message(14, b"a/b\0n7\0r0\0") + message(3, b"a/b\0") + message(13, b"a\0")
    talk += message(10, b"7\0") + message(17, b"7\0") + message(5, b"memory/target\0t\0") + message(21, b"\0")
    return [b"\x01\xff" + talk, b"\x07\x00" + talk]


def unpack():
    """Payloads as a bzImage ends with them: compressed, and the unpacked length behind; zstd and lz4 without packing."""
    text = b"call \xe8\1\2\3\0 and \xe9\xff\xff\xff\xff" * 20
    length = struct.pack("<I", len(text))
    filters = [{"id": lzma.FILTER_X86}, {"id": lzma.FILTER_LZMA2, "preset": 0}]
    return [gzip.compress(text, mtime=0),
            lzma.compress(text, check=lzma.CHECK_CRC32, filters=filters) + length,
            lzma.compress(text, check=lzma.CHECK_CRC64) + length,
            b"\x28\xb5\x2f\xfd\x60" + struct.pack("<H", len(text) - 256) +
            (1 | len(text) << 3).to_bytes(3, "little") + text + length,
            b"\x02\x21\x4c\x18" + struct.pack("<I", 18) + b"\xf0\1" + text[:16] + struct.pack("<I", 16)]


def seeds(kind):
    if kind == "multiboot2":
        return [p.read_bytes() for p in sorted(DATA.glob("*.mbi"))]
    if kind == "device_tree":
        return [p.read_bytes() for p in sorted(DATA.glob("*.dtb"))]
    if kind == "acpi":
        return [acpi(p) for p in sorted(DATA.glob("*.acpi"))]
    if kind == "cmdline":
        return [line.encode() for line in LINES]
    if kind == "config":
        return [text.encode() for text in CONFIGS]
    if kind == "pv_image":
        return [pv_image()]
    if kind == "store":
        return store()
    if kind == "unpack":
        return unpack()
    return []


def main():
    kind, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(seeds(kind)):
        (folder / f"seed-{number}").write_bytes(seed)


if __name__ == "__main__":
    main()
