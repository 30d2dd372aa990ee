# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests of the command itself. None needs a hypervisor: QEMU is a script that plays one."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

TREE = Path(__file__).resolve().parents[2]
sys.dont_write_bytecode = True
sys.path.insert(0, str(TREE / "tools"))


@pytest.fixture
def script(tmp_path):
    """Makes an executable in a folder of its own; returns that folder, for PATH."""
    folder = tmp_path / "bin"

    def make(name, text):
        folder.mkdir(exist_ok=True)
        path = folder / name
        path.write_text(text, encoding="utf-8")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return folder
    return make


@pytest.fixture
def command():
    """Starts tools/tine with PATH extended by FOLDER; returns the Popen."""
    started = []

    def start(*arguments, folder=None):
        environment = dict(os.environ)
        if folder:
            environment["PATH"] = f"{folder}:{environment['PATH']}"
        process = subprocess.Popen([TREE / "tools" / "tine", *arguments], env=environment, text=True,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        started.append(process)
        return process
    yield start
    for process in started:
        if process.poll() is None:
            process.kill()
            process.wait()


@pytest.fixture
def repository(tmp_path):
    """A git repository with the files that are handed over as {name: text}."""
    def make(files):
        subprocess.run(["git", "init", "-q", tmp_path], check=True)
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return tmp_path
    return make
