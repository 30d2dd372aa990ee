# SPDX-License-Identifier: GPL-2.0-or-later
"""Child processes that cannot outlive us.

Each runs in a session of its own, so that it can be ended with all its children, and is killed by the kernel if
we die (setpriv sets the parent-death signal).  `live` holds those that run, for the way out of an interrupted
command; it is only touched under its lock, since tests start machines from several threads.
"""

import os
import signal
import subprocess
import threading

WITH_US = ["setpriv", "--pdeathsig", "KILL", "--"]

live = set()
lock = threading.Lock()


def start(command, **more):
    """A child with pipes for its three streams, unless MORE says otherwise."""
    streams = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **more}
    process = subprocess.Popen([*WITH_US, *map(str, command)], start_new_session=True, **streams)
    with lock:
        live.add(process)
    return process


def end(process):
    """Kills PROCESS and its children if it still runs; returns its status."""
    if process.poll() is None:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    status = process.wait()
    with lock:
        live.discard(process)
    return status


def end_all():
    with lock:
        running = list(live)
    for process in running:
        end(process)


def capture(command, timeout, **more):
    """Runs COMMAND; returns (status, its output), where status None means that it took longer than TIMEOUT."""
    process = start(command, stdin=subprocess.DEVNULL, stderr=subprocess.STDOUT, **more)
    try:
        output, _ = process.communicate(timeout=timeout)
        status = process.returncode
    except subprocess.TimeoutExpired:
        end(process)
        output, _ = process.communicate()
        status = None
    finally:
        end(process)
    return status, output.decode(errors="replace")
