# SPDX-License-Identifier: GPL-2.0-or-later
"""Makes docs/abi.md: the hypercalls that guests have here, read from the sources so that it cannot be wrong for long.

The table is that of abi/hypercall_table.c and of each architecture's asm/hypercalls.h; what a call does is the first sentence of
the comment above its handler, or of its file; its operations are the `case`s of the public headers' names that do not just return an error.
What there is besides, and is refused or not here, comes from the headers themselves. `make docs` writes it.
"""

import re
from pathlib import Path

from .paths import TREE
from .sources import read, tracked

PAGE = TREE / "docs" / "abi.md"
TABLE = "abi/hypercall_table.c"
PVH = "arch/x86/svm/svm_hypercall.c"  # names those of the table that PVH guests have
ROW = re.compile(r"\bX\((\d+), (\w+), (\d)\)")
REFUSED = re.compile(r"((?:\s*case \w+:(?:\s*/\*.*?\*/)?)+)\s*return (?:[^;?]*\? )?-(E\w+)(?: : -(E\w+))?;")
HEADERS = Path("/usr/include/xen")
OPERATIONS = {
    "memory_op": "XENMEM_", "xen_version": "XENVER_", "console_io": "CONSOLEIO_", "vcpu_op": "VCPUOP_",
    "sched_op": "SCHEDOP_", "event_channel_op": "EVTCHNOP_", "grant_table_op": "GNTTABOP_", "mmuext_op": "MMUEXT_",
    "callback_op": "CALLBACKTYPE_", "physdev_op": "PHYSDEVOP_", "set_segment_base": "SEGBASE_",
    "platform_op": "XENPF_", "mca": "XEN_MC_", "hvm_op": "HVMOP_", "fork_op": "TINE_FORK_",
}
# Where the public headers name a hypercall's operations; xen.h if not here.
HEADER_OF = {
    "memory_op": "memory.h", "xen_version": "version.h", "vcpu_op": "vcpu.h", "sched_op": "sched.h",
    "event_channel_op": "event_channel.h", "grant_table_op": "grant_table.h", "callback_op": "callback.h",
    "physdev_op": "physdev.h", "platform_op": "platform.h", "hvm_op": "hvm/hvm_op.h",
}
# Numbers in those headers that are no operations.
NO_OPERATION = re.compile(r"resource_(?!op)\w+|INTERFACE_VERSION|.*_op_\w+|(?:RDM|DBGP|IRQ|ACPI)_\w+")
# Why an operation or hypercall of the headers is not here, by the first name that fits; each needs a reason.
REASONS = {
    "platform_op": [
        (r"settime\d+", "the clock of all domains is the hypervisor's"),
        (r"\w+_memtype", "caching of memory is set by page tables alone"),
        (r"microcode_update|cpu_\w+|mem_hotadd|core_parking|change_freq|set_processor_pminfo|resource_op", "nobody but the hypervisor changes the machine"),
        (r"efi_runtime_call|firmware_info|platform_quirk", "firmware is left behind at boot; Linux does without"),
        (r"getidletime|get_cpu_version|get_symbol", "nothing but a toolstack of Xen's own asks"),
    ],
    "memory_op": [
        (r"machphys_mfn_list", "the table is of 4 KiB pages with holes, there are no 2 MiB extents to name"),
        (r"set_memory_map", "the map is that of the configuration; on Xen a toolstack sets it"),
        (r"get_sharing_\w+", "frames in common are counted by domain, on the console"),
        (r"paging_op", "guests' pages are not moved out; Debian's Xen answers the same"),
    ],
    "grant_table_op": [
        (r"dump_table", "has never been there on Xen"),
        (r"transfer", "frames are lent, not given away for good; Linux has not asked since 2.6"),
    ],
    "event_channel_op": [
        (r"reset_cont", "Xen's own, for itself"),
    ],
    "physdev_op": [
        (r"free_irq_vector", "Xen's answer, too"),
    ],
    "hvm_op": [
        (r"set_\w+_level|set_pci_link_route", "PVH guests have no such interrupt lines"),
        (r"pagetable_dying", "there are no shadows of page tables"),
        (r"flush_tlbs|get_time", "the guest can do so itself"),
        (r"xentrace", "there is no trace buffer"),
        (r"\w+mem_access|get_mem_type|guest_request_vm_event|altp2m\w*|ALTP2M\w*", "for monitors of other domains, which Xen wants a toolstack for"),
    ],
    "hypercall": [
        (r"xsm_op|tmem_op|argo_op", "Debian's Xen answers the same"),
        (r"xenoprof_op", "there is no profiler"),
        (r"sysctl|domctl|dm_op|hypfs_op", "a toolstack's, with structures that change from version to version; the console does that here"),
        (r"kexec_op", "no other kernel is kept to crash into"),
    ],
}
HEAD = """# The interface that guests have

<!-- Made by `make docs` (tools/tinelib/abi_page.py) from the sources. Change those. -->

Tine speaks the interface of Xen 4.17 (`xen-3.0-x86_64`), as the public headers of libxen-dev declare it. Operations are
here in full unless their column says otherwise: refused with the error named, or not here, which answers -ENOSYS like any
other number.

| number | hypercall | for | what it does | operations here | refused | not here |
|---:|---|---|---|---|---|---|
"""
WHY_HEAD = """## Why not
Where Debian's Xen answers a PV guest by something else than -ENOSYS, Tine does so, too, but for some of these:

| hypercall | not here | because |
|---|---|---|"""

MSR_TABLES = {"PV": "arch/x86/pv/msr.c", "PVH": "arch/x86/svm/svm_msr.c"}
MSR_ROW = re.compile(r"\bMSR_ROWS?\((\w+), (?:((?:MSR|X2APIC)_\w+), )?(\w+), (\w+),\s+((?:\"[^\"]*\"\s*)+)\)")
# What the functions of asm/msr_policy.h mean; others are the register's own.
MSR_READS = {"msr_read_zero": "0"}
MSR_WRITES = {"NULL": "what is there", "msr_write_zero": "0", "msr_write_ignored": "ignored"}
MSR_HEAD = """
## Model-specific registers
RDMSR and WRMSR of any other register fault in the guest (#GP), and so does a write that the column does not allow; the first of those in a second is in the log.
*itself*: the guest reaches the register without the hypervisor."""
MSR_TABLE_HEAD = """[{kind} guests](../{path}):

| number | register | read | written | what it is |
|---|---|---|---|---|"""


def declared():
    """(number, name) of each hypercall."""
    rows = ROW.findall(read(TABLE))
    for path in tracked("arch/*/include/asm/hypercalls.h"):
        rows += ROW.findall(read(path))
    return sorted({(int(number), name) for number, name, _ in rows})


def guests_of(name, file):
    """Whose hypercall it is."""
    if str(file) == PVH:
        return "PVH"
    if name == "fork_op":
        return "PVH"
    return "PV, PVH" if re.search(rf"__HYPERVISOR_{name}\b", read(PVH)) else "PV"


def handlers():
    """{name: file that defines do_name}; where both architectures have one, x86's"""
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
    forms = (rf"\bcase {prefix}(\w+):", rf"\[{prefix}(\w+)\] = ", rf"[!=]= {prefix}(\w+)")
    names = dict.fromkeys(name for form in forms for name in re.findall(form, alive))
    return ", ".join(f"`{operation}`" for operation in names if not NO_OPERATION.fullmatch(operation))


def refused(name, text):
    """{operation: error} of those whose case is nothing but an error, other than that there is no such operation."""
    found = {}
    for cases, *errors in REFUSED.findall(text) if name in OPERATIONS else []:
        errors = [error for error in errors if error and error != "ENOSYS"]
        for operation in re.findall(rf"\bcase {OPERATIONS[name]}(\w+):", cases) if errors else []:
            found[operation] = errors[0]
    here = re.findall(r"`(\w+)`", operations(name, text))
    return {operation: error for operation, error in found.items() if operation not in here}


def in_headers(name):
    """All operations of a hypercall that the public headers know."""
    if name not in OPERATIONS or name == "fork_op":  # Tine's own
        return []
    text = (HEADERS / HEADER_OF.get(name, "xen.h")).read_text(encoding="utf-8")
    names = re.findall(rf"^#define\s+{OPERATIONS[name]}(\w+)\s+(?:0x)?[0-9a-f]+\b", text, re.M)
    return [operation for operation in names if not NO_OPERATION.fullmatch(operation)]


def absent(name, text):
    here = re.findall(r"`(\w+)`", operations(name, text))
    return [operation for operation in in_headers(name) if operation not in here and operation not in refused(name, text)]


def reason(name, operation):
    return next((why for names, why in REASONS.get(name, []) if re.fullmatch(names, operation)), None)


def reasons(name, operations_):
    """A row for each reason, with all that it is true of, in the headers' order."""
    by_reason = {}
    for operation in operations_:
        by_reason.setdefault(reason(name, operation), []).append(f"`{operation}`")
    return [f"| `{name}` | {', '.join(names)} | {why} |" for why, names in by_reason.items()]


def no_hypercalls(rows):
    """The hypercalls of the headers that are not in the table."""
    known = re.findall(r"^#define __HYPERVISOR_(\w+)\s+(\d+)$", (HEADERS / "xen.h").read_text(encoding="utf-8"), re.M)
    numbers = {number for number, *_ in rows}
    return [(name, number) for name, number in known if int(number) not in numbers and not name.startswith("arch_")]


def why_not(rows):
    """The second table, of reasons."""
    lines = [WHY_HEAD]
    for _, name in rows:
        if name in REASONS:
            lines += reasons(name, absent(name, read(handlers()[name])))
    missing = no_hypercalls(rows)
    lines += [row.replace("`hypercall`", "whole hypercalls") for row in reasons("hypercall", [name for name, _ in missing])]
    return "\n".join(lines) + "\n"


def define(name):
    """The number of a register, from the header or the file that has it for itself."""
    for path in ("arch/x86/include/asm/msr.h", *MSR_TABLES.values()):
        number = re.search(rf"^#define {name} (0x[0-9a-f]+)$", read(path), re.M)
        if number:
            return int(number[1], 16)
    raise LookupError(f"{name}: no such register")


def msr_rows(path):
    """(first, last, name, read, write, what) of each row of the table in PATH."""
    for first, last, reads, writes, what in MSR_ROW.findall(read(path)):
        name = first if not last or "FIRST" in first else f"{first} to {last}"
        yield (define(first), define(last or first), name.replace("X2APIC_FIRST", "x2APIC").replace("MSR_", ""), reads, writes,
               "".join(re.findall(r'"([^"]*)"', what)))


def msr_tables():
    """The registers that each kind of guest has."""
    lines = [MSR_HEAD]
    for kind, path in MSR_TABLES.items():
        lines += ["", MSR_TABLE_HEAD.format(kind=kind, path=path)]
        for first, last, name, reads, writes, what in sorted(msr_rows(path)):
            number = f"{first:x}" if first == last else f"{first:x} to {last:x}"
            if reads == "NULL":
                told = ("itself", "itself")
            else:
                told = (MSR_READS.get(reads, "yes"), MSR_WRITES.get(writes, "what fits"))
            lines.append(f"| {number} | {name} | {told[0]} | {told[1]} | {what} |")
    return "\n".join(lines) + "\n"


def page():
    files, lines = handlers(), []
    for number, name in declared():
        text = read(files[name])
        no = ", ".join(f"`{operation}` -{error}" for operation, error in refused(name, text).items())
        missing = ", ".join(f"`{operation}`" for operation in absent(name, text))
        lines.append(f"| {number} | [`{name}`](../{files[name]}) | {guests_of(name, files[name])} | {sentence(name, text)} | {operations(name, text)} "
                     f"| {no} | {missing} |")
    missing = ", ".join(f"`{name}` ({number})" for name, number in no_hypercalls(declared()))
    end = f"\n\nHypercalls of the public headers that are not here, and answer -ENOSYS: {missing}.\n\n"
    return HEAD + "\n".join(lines) + end + why_not(declared()) + msr_tables()


def main():
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
