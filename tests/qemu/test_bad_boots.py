# SPDX-License-Identifier: GPL-2.0-or-later
"""What can be wrong with a boot is said in one clear line, and either survived or the end."""

import pytest
from whole_boot import boot, build, module

FAILED = 1


def test_no_module():
    outcome = boot()
    outcome.one("No boot module")
    assert outcome.status == FAILED


def test_module_of_zero_length(tmp_path):
    outcome = boot(modules=[module(tmp_path, "empty", b"")])
    outcome.one("zero length")
    assert outcome.status == FAILED


@pytest.mark.parametrize("content", [b"garbage", b"\x7fELF", b"\x7fELF\x02\x01\x01" + b"\xff" * 200])
def test_kernel_that_is_none(tmp_path, content):
    outcome = boot(modules=[module(tmp_path, "kernel", content)])
    outcome.one("was not built")
    assert outcome.said("Kernel: ") and outcome.status == FAILED and not outcome.verdict.panic


@pytest.mark.parametrize("part", [0.1, 0.5, 0.95])
def test_kernel_cut_short(tmp_path, part):
    whole = build.tiny_guest().read_bytes()
    outcome = boot(modules=[module(tmp_path, "tiny", whole[:int(len(whole) * part)], "only=version")])
    assert not outcome.verdict.panic and not outcome.verdict.hang
    assert outcome.said("was not built") or outcome.status == 0     # only debug data may be missing


def test_kernel_with_flipped_bits(tmp_path):
    """Headers that lie about offsets and sizes, one at a time, are refused or load what they can."""
    whole = bytearray(build.tiny_guest().read_bytes())
    for offset in (0x20, 0x36, 0x38, 0x48, 0x50, 0x58, 0x60, 0x68):
        whole[offset] ^= 0xff
    whole[0x27] = 0xff
    outcome = boot(modules=[module(tmp_path, "tiny", bytes(whole))])
    assert outcome.said("was not built") and not outcome.verdict.panic


def test_unknown_and_misspelt_options_are_reported_and_survived():
    outcome = boot("selftest=mappings wibble=7 heap-init=fast loglvl=zzz badpage=x dom0_mem=purple")
    for option in ("wibble", "heap-init", "loglvl", "badpage", "dom0_mem"):
        assert [line for line in outcome.said(option) if "ignored" in line], option
    assert outcome.status == 0


def test_long_command_line():
    outcome = boot("selftest=mappings " + "x=" + "y" * 1000 + " " + " ".join(f"o{i}=1" for i in range(200)))
    assert not outcome.verdict.panic and not outcome.verdict.hang
    assert outcome.said("KTAP version") or outcome.said("Command line")


def test_self_test_that_does_not_exist():
    outcome = boot("selftest=nosuch")
    outcome.one("no test has that name")
    assert outcome.status == FAILED


@pytest.mark.parametrize("text, words", [
    ("name = \"a\"\nmemory = 32\nkernel = \"none\"\n", "none"), ("name = \"a\"\nkernel = \"none\"\n", "memory"), ("memory = 64\n", "name"), ("name = \"a\nkernel=\"x\"\n", ":1"),
    ("\x00\x01\x02", ":1"), ("name=\"a\"\nmemory = -5\n", ":2"),
])
def test_configuration_that_is_wrong(tmp_path, text, words):
    outcome = boot(modules=[module(tmp_path, "bad.cfg", text, "bad.cfg")])
    assert outcome.status == FAILED and not outcome.verdict.panic and not outcome.verdict.hang
    assert [line for line in outcome.lines if words in line], "\n".join(outcome.lines[-8:])
