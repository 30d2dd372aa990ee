# SPDX-License-Identifier: GPL-2.0-or-later
"""Makes docs/abi.md: the hypercalls that guests have here, read from the sources so that it cannot be wrong for long.

The table is that of abi/hypercall_table.c and of each architecture's asm/hypercalls.h; what a call does is the first sentence of
the comment above its handler, or of its file; its operations are the `case`s of the public headers' names that do not just return an error. `make docs` writes it.
"""

import re

from .paths import TREE
from .sources import read, tracked

PAGE = TREE / "docs" / "abi.md"
TABLE = "abi/hypercall_table.c"
ROW = re.compile(r"\bX\((\d+), (\w+), (\d)\)")
REFUSED = re.compile(r"(?:\s*case \w+:(?:\s*/\*.*?\*/)?)+\s*return -E\w+;")
OPERATIONS = {
    "memory_op": "XENMEM_", "xen_version": "XENVER_", "console_io": "CONSOLEIO_", "vcpu_op": "VCPUOP_",
    "sched_op": "SCHEDOP_", "event_channel_op": "EVTCHNOP_", "grant_table_op": "GNTTABOP_", "mmuext_op": "MMUEXT_",
    "callback_op": "CALLBACKTYPE_", "physdev_op": "PHYSDEVOP_", "set_segment_base": "SEGBASE_",
    "platform_op": "XENPF_", "hvm_op": "HVMOP_",
}
HEAD = """# The interface that guests have

<!-- Made by `make docs` (tools/tinelib/abi_page.py) from the sources. Change those. -->

Tine speaks the interface of Xen 4.17 (`xen-3.0-x86_64`), as the public headers of libxen-dev declare it. A number that is not
here, and an operation that is not named, answers -ENOSYS.

| number | hypercall | for | what it does | operations |
|---:|---|---|---|---|
"""


def declared():
    """(number, name, who has it) of each hypercall."""
    rows = [(int(number), name, "all guests") for number, name, _ in ROW.findall(read(TABLE))]
    for path in tracked("arch/*/include/asm/hypercalls.h"):
        rows += [(int(number), name, f"{path.parts[1]} PV") for number, name, _ in ROW.findall(read(path))]
    return sorted(rows)


def handlers():
    """{name: file that defines do_name}"""
    found = {}
    for path in tracked("abi/*.c", "arch/*/*.c", "arch/*/*/*.c"):
        for name in re.findall(r"^long do_(\w+)\(", read(path), re.M):
            found[name] = path
    return found


def sentence(name, text):
    """The first of the comment above the handler, or of the file's, without the name that it may begin with."""
    above = re.search(rf"/\*((?:(?!\*/).)*)\*/\n(?:static )?long do_{name}\(", text, re.S)
    comment = (above or re.search(r"/\*(.*?)\*/", text, re.S))[1]
    words = " ".join(" ".join(re.sub(r"^\s*\*", "", line).strip() for line in comment.strip().splitlines()).split())
    for start in (f"{name}: ", f"The {name} hypercall: "):
        words = words.removeprefix(start)
    words = re.sub(r" \(ABI pages?[^)]*\)", "", words)
    words = re.split(r"\.(?:\s|$)", words, maxsplit=1)[0].replace("|", "\\|")
    return words[0].upper() + words[1:]


def operations(name, text):
    prefix = OPERATIONS.get(name)
    if not prefix:
        return ""
    alive = REFUSED.sub("", text)
    names = dict.fromkeys(re.findall(rf"\bcase {prefix}(\w+):", alive) + re.findall(rf"[!=]= {prefix}(\w+)", alive))
    return ", ".join(f"`{operation}`" for operation in names)


def page():
    files, lines = handlers(), []
    for number, name, who in declared():
        text = read(files[name])
        lines.append(f"| {number} | [`{name}`](../{files[name]}) | {who} | {sentence(name, text)} | {operations(name, text)} |")
    return HEAD + "\n".join(lines) + "\n"


def main():
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
