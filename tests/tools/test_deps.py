# SPDX-License-Identifier: GPL-2.0-or-later
"""Dependencies and the package cache, with apt and dpkg played by scripts."""

import pytest

from tinelib import cache, deps
from tinelib.say import Stop

DPKG = """#!/bin/sh
echo "gcc ii "
echo "removed rc "
"""


@pytest.fixture
def played(script, monkeypatch):
    def play(**scripts):
        for name, text in scripts.items():
            folder = script(name.replace("_", "-"), text)
        monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    return play


def test_missing_counts_removed_packages(played):
    played(dpkg_query=DPKG)
    assert deps.missing(["gcc", "removed", "never"]) == ["removed", "never"]


def test_purposes_do_not_repeat_packages():
    names = deps.wanted(deps.PACKAGES)
    assert len(names) == len(set(names)) and "qemu-system-x86" in names


def test_failed_install_is_one_clear_line(played):
    played(dpkg_query=DPKG, apt_get="#!/bin/sh\necho 'E: Unable to locate package x'\nexit 100\n")
    with pytest.raises(Stop, match="cannot install .*Unable to locate") as stop:
        deps.ensure("guests")
    assert stop.value.status == 2


def test_lists_are_fetched_when_an_install_fails(played, tmp_path, monkeypatch):
    log = tmp_path / "log"
    installed = " ".join(f"'{name} ii '" for name in deps.PACKAGES["guests"])
    played(dpkg_query="#!/bin/sh\n" + f"test -e {log}.done && printf '%s\\n' {installed}\nexit 0\n",
           apt_get=f"#!/bin/sh\necho \"$*\" >>{log}\ncase \"$*\" in *install*) test -e {log}.up || exit 100; touch {log}.done;; "
                   f"*update*) touch {log}.up;; esac\n")
    deps.ensure("guests")
    calls = [line.split("Timeout=600 ")[1].split()[0] for line in log.read_text().splitlines()]
    assert calls == ["install", "update", "install"]


def test_current_name_is_found_at_run_time(played):
    played(apt_cache="#!/bin/sh\necho linux-image-amd64\necho '  Depends: linux-image-6.1.0-99-amd64'\n")
    assert cache.resolve(*cache.SOURCES["linux"]) == "linux-image-6.1.0-99-amd64"


def test_unknown_package_is_one_clear_line(played):
    played(apt_cache="#!/bin/sh\nexit 0\n", apt_get="#!/bin/sh\nexit 0\n")
    with pytest.raises(Stop, match="apt knows no package"):
        cache.resolve(*cache.SOURCES["xen"])


def test_cached_package_needs_no_apt(played, tmp_path, monkeypatch):
    monkeypatch.setenv("TINE_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / "cache" / "xen"
    folder.mkdir(parents=True)
    (folder / "package").write_text("xen.deb\n", encoding="utf-8")
    played(apt_cache="#!/bin/sh\nexit 1\n", apt_get="#!/bin/sh\nexit 1\n")
    assert cache.unpacked("xen") == folder


def test_half_fetched_package_leaves_no_folder(played, tmp_path, monkeypatch):
    monkeypatch.setenv("TINE_CACHE", str(tmp_path / "cache"))
    played(apt_cache="#!/bin/sh\necho busybox-static\n", apt_get="#!/bin/sh\necho broken >x.deb\n")
    with pytest.raises(Stop, match="cannot unpack"):
        cache.unpacked("busybox")
    assert list((tmp_path / "cache").iterdir()) == []
