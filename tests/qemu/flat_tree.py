# SPDX-License-Identifier: GPL-2.0-or-later
"""A flattened device tree from nested dictionaries: a dictionary is a node, anything else a property.

Properties are bytes, text, or lists of 32-bit numbers (Devicetree Specification 0.4, chapter 5).
"""

import struct

BEGIN, END, PROPERTY, FINISH = 1, 2, 3, 9


def value(given):
    if isinstance(given, bytes):
        return given
    if isinstance(given, str):
        return given.encode() + b"\0"
    return b"".join(struct.pack(">I", number) for number in given)


def padded(data):
    return data + bytes(-len(data) % 4)


def node(name, content, strings):
    out = struct.pack(">I", BEGIN) + padded(name.encode() + b"\0")
    for key, given in content.items():
        if not isinstance(given, dict):
            if key not in strings:
                strings[key] = sum(len(other) + 1 for other in strings)
            data = value(given)
            out += struct.pack(">III", PROPERTY, len(data), strings[key]) + padded(data)
    for key, given in content.items():
        if isinstance(given, dict):
            out += node(key, given, strings)
    return out + struct.pack(">I", END)


def flatten(root):
    strings = {}
    structure = node("", root, strings) + struct.pack(">I", FINISH)
    names = b"".join(name.encode() + b"\0" for name in strings)
    at = 40 + 16
    header = struct.pack(">10I", 0xd00dfeed, at + len(structure) + len(names), at, at + len(structure), 40, 17, 16, 0,
                         len(names), len(structure))
    return header + bytes(16) + structure + names
