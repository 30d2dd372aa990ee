# SPDX-License-Identifier: GPL-2.0-or-later
"""Kernels in every wrapping that Tine unpacks, and damaged ones: those end in one line that names the module."""

import pytest
from dialog import config, talk  # noqa: F401
from repack import packed_alone, payload_of, repack, vmlinux_of

from tinelib import cache, deps
from tinelib.iso import Module

MIB = 1 << 20


@pytest.fixture(scope="module")
def packaged():
    deps.ensure("guests")
    return cache.linux_kernel().read_bytes()


@pytest.fixture(scope="module")
def vmlinux(packaged):
    return vmlinux_of(packaged)


def saved(tmp_path, image):
    path = tmp_path / "kernel"
    path.write_bytes(image)
    return Module(path, "kernel")


def boot(talk, config, module):
    """A domain of MODULE; without a ramdisk it goes as far as that it misses one."""
    return talk(config("one", kernel="kernel", memory=128, extra="console=hvc0 panic=-1", on_reboot="destroy"), module,
                mem=512 * MIB, smp=1)


@pytest.mark.parametrize("kind", ["gzip", "zstd", "lz4", "none"])
def test_repacked(talk, config, tmp_path, packaged, vmlinux, kind):
    console = boot(talk, config, saved(tmp_path, repack(packaged, vmlinux, kind)))
    console.expect(r"Domain 1: 128 MiB; kernel ffffffff81000000-")
    console.expect(r"\(d1\) .*Linux version")
    console.expect(r"\(d1\) .*x86/mm: Checked W\+X mappings: passed|Unable to mount root")


@pytest.mark.parametrize("kind", ["gzip", "zstd", "lz4"])
def test_packed_without_a_bzimage(talk, config, tmp_path, vmlinux, kind):
    """Debian's own compression, xz, is in the host's tests: packing it again takes half a minute."""
    console = boot(talk, config, saved(tmp_path, packed_alone(vmlinux, kind)))
    console.expect(r"\(d1\) .*Linux version")


def test_plain_elf(talk, config, tmp_path, vmlinux):
    console = boot(talk, config, saved(tmp_path, vmlinux))
    console.expect(r"\(d1\) .*Linux version")


def refused(talk, config, tmp_path, image, line):
    """The machine ends with failure, and says why in the one line that is an error's and no more."""
    console = boot(talk, config, saved(tmp_path, image))
    console.expect(line)
    assert console.status() == (35, None)
    told = [text for text in console.lines if "kernel: " in text or "Kernel: " in text]
    assert len(told) == 1, told


def test_cut_off(talk, config, tmp_path, packaged):
    refused(talk, config, tmp_path, packaged[:4 * MIB], r"kernel: is a bzImage cut off: its payload of \d+ bytes")


@pytest.mark.parametrize("at", [100, 3_000_000, -100])
def test_damaged_xz(talk, config, tmp_path, packaged, at):
    start, payload = payload_of(packaged)
    image = bytearray(packaged)
    image[packaged.index(payload) + at % len(payload)] ^= 0x20
    refused(talk, config, tmp_path, bytes(image), r"kernel: its xz payload")


@pytest.mark.parametrize("kind", ["gzip", "zstd", "lz4"])
def test_damaged(talk, config, tmp_path, packaged, vmlinux, kind):
    image = bytearray(repack(packaged, vmlinux[:4 * MIB], kind))
    for i in range(16):
        image[-2000 - i] ^= 0xff
    refused(talk, config, tmp_path, bytes(image), rf"kernel: its {kind} payload|Kernel: ")


def test_unknown_compression(talk, config, tmp_path, packaged):
    _, payload = payload_of(packaged)
    image = packaged.replace(payload[:6], b"BZh91A")
    refused(talk, config, tmp_path, image, r"kernel: payload begins with 42 5a 68: neither ELF nor a compression")
