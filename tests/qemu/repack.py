# SPDX-License-Identifier: GPL-2.0-or-later
"""bzImages made over: the packaged kernel's payload, unpacked or compressed otherwise.

A bzImage says where its payload is and how long (Linux's boot protocol, payload_offset and payload_length), and
ends it with the unpacked length; gzip has that by itself.
"""

import lzma
import struct
import subprocess

COMMANDS = {
    "gzip": ["gzip", "-6n"],
    "zstd": ["zstd", "-3", "-q"],
    "lz4": ["lz4", "-l", "-1", "-q"],
    "none": ["cat"],
}
SETUP_SECTORS = 0x1f1
PAYLOAD = 0x248


def payload_of(image):
    """(where the protected-mode part starts, the payload without the length behind it)"""
    start = ((image[SETUP_SECTORS] or 4) + 1) * 512
    offset, length = struct.unpack_from("<II", image, PAYLOAD)
    return start, image[start + offset:start + offset + length - 4]


def vmlinux_of(image):
    """The ELF file in Debian's bzImage, which is xz."""
    return lzma.decompress(payload_of(image)[1])


def packed_alone(vmlinux, kind):
    """VMLINUX compressed as KIND, its length behind it as Linux's build puts it."""
    packed = subprocess.run(COMMANDS[kind], input=vmlinux, stdout=subprocess.PIPE, check=True).stdout
    return packed if kind == "gzip" else packed + struct.pack("<I", len(vmlinux))


def repack(image, vmlinux, kind):
    """IMAGE with VMLINUX compressed as KIND for a payload, put behind everything else."""
    packed = packed_alone(vmlinux, kind)
    start, _ = payload_of(image)
    made = bytearray(image + packed)
    struct.pack_into("<II", made, PAYLOAD, len(image) - start, len(packed))
    return bytes(made)
