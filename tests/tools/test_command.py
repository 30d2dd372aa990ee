# SPDX-License-Identifier: GPL-2.0-or-later
"""The command as a person meets it: help, refusals in one line, and no QEMU left behind however it ends."""

import os
import signal
import socket
import time

import pytest

# Plays QEMU: says its pid, then what the test wants.
PLAYER = """#!/bin/sh
echo $$ >{pid}
{script}
"""
RUN = ["run", "--hypervisor", "xen", "--guest", "none"]


def finish(process, timeout=120):
    out, err = process.communicate(timeout=timeout)
    return process.returncode, out, err


def gone(pid_file):
    pid = int(pid_file.read_text())
    for _ in range(100):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False


@pytest.fixture
def player(script, tmp_path):
    """Makes a QEMU that runs the shell lines SCRIPT; returns (folder for PATH, file with its pid)."""
    def make(lines):
        pid = tmp_path / "pid"
        return script("qemu-system-x86_64", PLAYER.format(pid=pid, script=lines)), pid
    return make


@pytest.mark.parametrize("arguments", [["--help"], *([name, "--help"] for name in ("run", "test", "bench", "iso", "deps"))])
def test_help(command, arguments):
    status, out, err = finish(command(*arguments))
    assert status == 0 and "usage: tine" in out and not err


@pytest.mark.parametrize("arguments, words", [
    ([], "COMMAND"), (["fly"], "fly"), (["run", "--mem", "12Q"], "--mem: '12Q'"), (["run", "--smp", "0"], "--smp: 0"),
    (["run", "--numa", "1G,1G", "--mem", "1G"], "add up to"), (["run", "--module", "/nonexistent"], "/nonexistent"),
    (["run", "--hypervisor", "xen", "--guest", "/nonexistent"], "/nonexistent"), (["run", "--arch", "arm64", "--firmware", "bios"], "arm64"),
    (["run", "--arch", "arm64", "--hypervisor", "xen"], "arm64"), (["iso", "--arch", "arm64"], "arm64"),
    (["run", "--guest", "linux-pvh", "--hypervisor", "xen"], "only on Tine"), (["run", "--firmware", "coreboot"], "coreboot"),
    (["run", "--hypervisor", "xen", "--firmware", "pvh"], "pvh"), (["bench", "heap", "--mem", "1"], "at least 64M"),
    (["bench", "heap", "--strategy", "quick"], "quick"), (["bench", "all", "--json", "x"], "--json"),
    (["deps", "world"], "world"), (["test", "fast"], "fast"),
])
def test_refusals_are_one_line_and_status_2(command, arguments, words):
    status, out, err = finish(command(*arguments))
    assert (status, out) == (2, "") and len(err.splitlines()) == 1 and words in err


def test_unreadable_module(command, tmp_path):
    status, _, err = finish(command("run", "--module", tmp_path))
    assert status == 2 and "Is a directory" in err and len(err.splitlines()) == 1


def test_console_is_streamed_without_escapes(command, player):
    folder, _ = player(r"printf '\033[2J\033[01;01Hhello\r\n'; exit 33")
    status, out, _ = finish(command(*RUN, folder=folder))
    assert status == 0 and out == "hello\n"


def test_failure_by_debug_port(command, player):
    folder, _ = player("echo '(TINE) not ok 1 heap'; exit 35")
    status, _, err = finish(command(*RUN, folder=folder))
    assert status == 1 and "hypervisor reported failure" in err


def test_qemu_that_will_not_start(command, player):
    folder, _ = player("echo 'qemu: bad CPU model' >&2; exit 1")
    status, _, err = finish(command(*RUN, folder=folder))
    assert status == 1 and "bad CPU model" in err and "status 1" in err


def test_silence_is_a_hang(command, player):
    folder, pid = player("echo booting; sleep 1000")
    status, out, err = finish(command(*RUN, "--silence", "1", folder=folder))
    assert status == 3 and out == "booting\n" and "no output for 1 s" in err and gone(pid)


def test_endless_output_times_out(command, player):
    folder, pid = player("while :; do echo again; sleep 0.1; done")
    status, _, err = finish(command(*RUN, "--timeout", "2", folder=folder))
    assert status == 3 and "not done after 2 s" in err and gone(pid)


def test_no_limit_is_no_limit(command, player):
    folder, pid = player("echo booting; sleep 1; echo done")
    status, out, err = finish(command(*RUN, "--silence", "0", "--timeout", "0", folder=folder))
    assert status == 1 and out == "booting\ndone\n" and "Traceback" not in err and gone(pid)


def test_panic_ends_a_hanging_machine_soon(command, player):
    folder, pid = player("echo '(TINE) panic: no memory map'; sleep 1000")
    status, _, err = finish(command(*RUN, folder=folder), timeout=60)
    assert status == 1 and "no memory map" in err and gone(pid)


@pytest.mark.parametrize("number, wanted", [(signal.SIGINT, 130), (signal.SIGTERM, 130), (signal.SIGKILL, -9)])
def test_no_qemu_is_left_behind(command, player, number, wanted):
    folder, pid = player("echo up; sleep 1000 & wait")
    process = command(*RUN, folder=folder)
    assert process.stdout.readline() == "up\n"
    process.send_signal(number)
    assert finish(process)[0] == wanted and gone(pid)


def test_a_port_in_use_is_one_line(command):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        status, out, err = finish(command("run", "--guest", "none", "--gdb", str(port)))
    assert (status, out) == (2, "")
    assert err == f"tine: --gdb {port}: Address already in use\n"


@pytest.mark.parametrize("port", ["0", "-1", "65536"])
def test_a_port_that_cannot_be_is_one_line(command, port):
    assert finish(command("run", f"--gdb={port}")) == (2, "", f"tine: --gdb {port}: a port is 1 to 65535\n")


def test_each_prompt_is_answered_once():
    """A prompt that comes in pieces, or twice without a whole line between, gets one line typed."""
    from tinelib.run import watch

    class Played:
        silence, status, reason, typed = 1.0, 33, None, []

        def events(self, _keyboard):
            for text in ("guest# ", "guest# ", "guest# e", "guest# "):
                yield "partial", text
            yield "line", "guest# echo one"
            yield "partial", "guest# "
            yield "line", "linux: RESULT success"

        def type(self, text):
            self.typed.append(text)

        def stop(self):
            pass

    qemu = Played()
    assert watch(qemu, ["echo one", "echo two"]).status == 0
    assert qemu.typed == ["echo one\n", "echo two\n"]
