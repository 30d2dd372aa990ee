# SPDX-License-Identifier: GPL-2.0-or-later
"""A running QEMU: started so that it cannot outlive us, watched line by line, always put away.

QEMU dies with us if we are killed, and is killed on every way out of the `with` block (see proc.py).  Its exit status alone cannot tell a power-off from a triple fault, since both are
0; the control socket (QMP, over an inherited socket pair: no port, no file) names the reason.
"""

import codecs
import contextlib
import json
import os
import re
import selectors
import socket
import sys
import time

from . import proc

ESCAPES = re.compile(r"\x1b(\[[0-9;?=]*[A-Za-z]|[()][A-Za-z0-9]|[=>c78])")
PART_OF_ESCAPE = re.compile(r"\x1b(\[[0-9;?=]*|[()])?$")
FOR_EVER = 86400.0  # seconds: who says "no limit" means no number that select() would take
NOISE = ("TCG doesn't support requested feature", "icount sleep disabled and no active timers")


class Hang(Exception):
    """Nothing came for too long, or the whole took too long."""


def read(descriptor):
    """What is there to be read; nothing if the other side is gone, however it went."""
    try:
        return os.read(descriptor, 65536)
    except (BlockingIOError, ConnectionResetError):
        return b""


class Qemu:
    """Iterate over events() for ("line", text) and ("partial", text); afterwards `status` and `reason` tell."""

    def __init__(self, command, out=None, silence=120.0, timeout=600.0):
        self.out = out
        self.silence = silence
        self.deadline = time.monotonic() + timeout
        self.timeout = timeout
        self.when_silent = None  # called once, to type something, before silence is given up on
        self.reason = None
        self.status = None
        self.registers = []  # of a machine that reset
        self.control, theirs = socket.socketpair()
        command = command + ["-chardev", f"socket,id=control,fd={theirs.fileno()}",
                             "-mon", "chardev=control,mode=control"]
        self.process = proc.start(command, pass_fds=[theirs.fileno()])
        theirs.close()
        with contextlib.suppress(BrokenPipeError):
            self.control.sendall(b'{"execute":"qmp_capabilities"}')
        self.decode = codecs.getincrementaldecoder("utf-8")(errors="replace").decode
        self.pending = ""
        self.held = ""
        self.complaint = ""

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        self.stop()
        self.control.close()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            with contextlib.suppress(OSError):
                stream.close()
        return False

    def stop(self):
        """Ends QEMU now, if it still runs."""
        self.status = proc.end(self.process)

    def where(self):
        """For a machine that hangs: a line for each CPU, with its instruction and stack pointers."""
        request = {"execute": "human-monitor-command", "arguments": {"command-line": "info registers -a"}}
        answer = ""
        try:
            self.control.setblocking(True)
            self.control.settimeout(2.0)
            self.control.sendall(json.dumps(request).encode() + b"\n")
            while "PC=" not in answer and "RIP=" not in answer or not answer.endswith("\n"):
                answer += self.control.recv(65536).decode(errors="replace")
        except OSError:
            pass
        cpus = re.findall(r"RSP=([0-9a-f]+).*?RIP=([0-9a-f]+) RFL=([0-9a-f]+).*?CPL=(\d).*?HLT=(\d)"
                          r".*?GS =\w+ (\w+).*?TR =\w+ (\w+).*?CR2=(\w+) CR3=(\w+)", answer, re.DOTALL)
        arm = re.findall(r" PC=([0-9a-f]+) .*? SP=([0-9a-f]+).*?PSTATE=([0-9a-f]+).*? (EL\w+)", answer, re.DOTALL)
        if arm:
            return [f"CPU {number}: PC {pc} SP {sp} PSTATE {pstate} {level}"
                    for number, (pc, sp, pstate, level) in enumerate(arm)]
        return [f"CPU {number}: RIP {rip} RSP {rsp} RFLAGS {flags} ring {ring}{', halted' if halted == '1' else ''}; "
                f"GS {gs} TR {task} CR2 {cr2} CR3 {cr3}"
                for number, (rsp, rip, flags, ring, halted, gs, task, cr2, cr3) in enumerate(cpus)]

    def type(self, text):
        """Sends TEXT to the serial line."""
        with contextlib.suppress(BrokenPipeError, ValueError):
            self.process.stdin.write(text.encode())
            self.process.stdin.flush()

    def events(self, keyboard=None):
        """Yields console events until QEMU ends; raises Hang.  KEYBOARD is a descriptor passed through."""
        with selectors.DefaultSelector() as selector:
            for stream, name in ((self.process.stdout, "console"), (self.process.stderr, "complaint"),
                                 (self.control, "control")):
                os.set_blocking(stream.fileno(), False)
                selector.register(stream, selectors.EVENT_READ, name)
            if keyboard is not None:
                selector.register(keyboard, selectors.EVENT_READ, "keyboard")
            yield from self.pump(selector)
        self.status = proc.end(self.process)

    def pump(self, selector):
        heard = time.monotonic()
        while any(key.data == "console" for key in selector.get_map().values()):
            now = time.monotonic()
            if now >= self.deadline:
                raise Hang(f"not done after {self.timeout:.0f} s")
            if now >= heard + self.silence:
                ask, self.when_silent, heard = self.when_silent, None, now
                if not ask:
                    raise Hang(f"no output for {self.silence:.0f} s")
                ask()
            left = min(self.deadline, heard + self.silence) - now
            for key, _ in selector.select(left if left < FOR_EVER else None):
                data = read(key.fd)
                if not data:
                    selector.unregister(key.fileobj)
                elif key.data == "console":
                    heard = time.monotonic()
                    yield from self.console(self.decode(data))
                elif key.data == "complaint":
                    self.complain(data.decode(errors="replace"))
                elif key.data == "control":
                    self.listen(data)
                else:
                    self.type(data.decode(errors="replace"))
        if self.pending:
            yield from self.console("\n")
        self.drain(selector)

    def console(self, text):
        """Passes TEXT on without terminal control sequences, and splits it into lines."""
        text = ESCAPES.sub("", self.held + text)
        cut = PART_OF_ESCAPE.search(text)
        text, self.held = (text[:cut.start()], cut[0]) if cut else (text, "")
        text = text.replace("\r", "")
        if self.out:
            self.out.write(text)
            self.out.flush()
        *lines, self.pending = (self.pending + text).split("\n")
        for line in lines:
            yield "line", line
        if self.pending:
            yield "partial", self.pending

    def complain(self, text):
        """QEMU's own words go to standard error, but for what it always says about emulated CPUs and idle machines."""
        *lines, self.complaint = (self.complaint + text).split("\n")
        for line in lines:
            if not any(noise in line for noise in NOISE):
                print(line, file=sys.stderr, flush=True)

    def listen(self, data):
        """
        Notes why the machine ends: guest-shutdown, guest-reset, ...  QEMU stands still then (machine.py), so that the registers of one that
        reset can still be told, and goes when it is told to.
        """
        for line in data.decode(errors="replace").splitlines():
            try:
                message = json.loads(line)
            except ValueError:
                continue
            if message.get("event") == "SHUTDOWN" and not self.reason:
                self.reason = message["data"].get("reason")
                if self.reason == "guest-reset":
                    self.registers = self.where()
                    print("\n".join(["the machine reset:", *self.registers]), file=sys.stderr, flush=True)
                with contextlib.suppress(OSError):
                    self.control.sendall(b'{"execute":"quit"}')

    def drain(self, selector):
        """Last words on the control socket and on standard error, once the console is closed."""
        self.process.wait()
        for key in list(selector.get_map().values()):
            if key.data in ("control", "complaint"):
                data = read(key.fd)
                if key.data == "control":
                    self.listen(data)
                else:
                    self.complain(data.decode(errors="replace"))
