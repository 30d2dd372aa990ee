# SPDX-License-Identifier: GPL-2.0-or-later
"""docs/abi.md is what `make docs` makes of the sources as they are."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))

from tinelib import abi_page  # noqa: E402


def test_the_page_is_current():
    assert abi_page.PAGE.read_text(encoding="utf-8") == abi_page.page(), "run `make docs`"


def test_every_hypercall_has_its_handler_and_a_purpose():
    files = abi_page.handlers()
    rows = abi_page.declared()
    assert len(rows) > 20
    assert len({number for number, *_ in rows}) == len(rows)
    for _, name in rows:
        assert abi_page.sentence(name, abi_page.read(files[name]))


def test_what_is_not_here_has_a_reason():
    files, rows = abi_page.handlers(), abi_page.declared()
    for _, name in rows:
        for operation in abi_page.absent(name, abi_page.read(files[name])):
            assert abi_page.reason(name, operation), f"{name}: {operation}"
    for name, _ in abi_page.no_hypercalls(rows):
        assert abi_page.reason("hypercall", name), name


def test_guests_are_those_that_the_dispatchers_let_through():
    files = abi_page.handlers()
    wanted = {"hvm_op": "PVH", "mmu_update": "PV", "multicall": "PV, PVH", "sched_op": "PV, PVH"}
    assert {name: abi_page.guests_of(name, files[name]) for name in wanted} == wanted


def test_an_operation_that_is_only_refused_is_not_named():
    text = "case OP_a:\n return f();\n case OP_b: /* why */\n case OP_c:\n return -ENOSYS;\n"
    abi_page.OPERATIONS["made_up"] = "OP_"
    try:
        assert abi_page.operations("made_up", text) == "`a`"
    finally:
        del abi_page.OPERATIONS["made_up"]


def test_a_refusal_is_named_with_its_error():
    text = "case EVTCHNOP_bind_pirq:\n return -EPERM;\n case EVTCHNOP_send: return x ? -ENOSYS : -EINVAL;\n case EVTCHNOP_close: return f();\n"
    assert abi_page.refused("event_channel_op", text) == {"bind_pirq": "EPERM", "send": "EINVAL"}
    assert abi_page.operations("event_channel_op", text) == "`close`"
    assert "status" in abi_page.absent("event_channel_op", text)
    assert "close" not in abi_page.absent("event_channel_op", text)
