# SPDX-License-Identifier: GPL-2.0-or-later
"""The console as people use it: input to domains, Ctrl-A three times, debug keys, the command line."""

from dialog import SWITCH, config, talk, tiny  # noqa: F401

TO_HYPERVISOR = r"Console input goes to the hypervisor"


def test_typed_lines_reach_the_initial_domain(talk, tiny):
    console = talk(tiny("linger"))
    console.expect(r"\(d0\) tiny: waiting")
    console.type("hello, world\n")
    console.expect(r'\(d0\) tiny: read "hello, world"')
    console.type("one \x01 and two \x01\x01 are not three\n")
    console.expect(r'\(d0\) tiny: read "one \x01 and two \x01\x01 are not three"')
    console.type("quit\n")
    assert console.status() == (33, None)


def test_the_focus_goes_round(talk, tiny, config):
    console = talk(config("one", extra="linger"), config("two", extra="linger"), tiny())
    console.expect(r"Console input goes to domain 1")
    console.expect(r"\(d\d\) tiny: waiting")
    console.expect(r"\(d\d\) tiny: waiting")
    console.type("x\n")
    console.expect(r'\(d1\) tiny: read "x"')
    console.type(SWITCH)
    console.expect(r"Console input goes to domain 2")
    console.type("y\n")
    console.expect(r'\(d2\) tiny: read "y"')
    console.type(SWITCH)
    console.expect(TO_HYPERVISOR)
    console.type(SWITCH)
    console.expect(r"Console input goes to domain 1")


def test_debug_keys(talk, tiny):
    console = talk(tiny("linger"))
    console.expect(r"\(d0\) tiny: waiting")
    console.type(SWITCH)
    console.expect(TO_HYPERVISOR)
    console.type("h")
    for key in "h:*0adeHmqrRtu":
        console.expect(rf"^\(TINE\)   {'[*]' if key == '*' else key}  \w")
    console.type("q")
    console.expect(r'Domain 0 "Domain-0": \d+ references, pause count 0, \d+ frames$')
    console.expect(r"v0: blocked on CPU \d; ran \d+ ms")
    console.type("r")
    console.expect(r"CPU 0: 0 waiting, \d+ switches")
    console.expect(r"CPU 1: 0 waiting")
    console.type("e")
    console.expect(r"0: reserved")
    console.expect(r"1: virq +v0 virq 0")
    console.expect(r"2: virq +v0 virq 2")
    console.type("m")
    console.expect(r"Node 0: \d+ frames, \d+ free")
    console.type("H")
    console.expect(r"Heap: 0 differences found")
    console.type("t")
    console.expect(r"System time \d+\.\d{9} s")
    console.type("d")
    console.expect(r"d0v0 \(blocked, CPU \d\):")
    console.expect(r"Backtrace")
    console.type("0")
    console.expect(r"d0v0 \(blocked")
    console.type("a")
    console.type("u")
    console.expect(r"Distance from node 0 to 0: 10")
    console.type("*")
    console.expect(r"Node 0: ")
    console.type("Z")
    console.expect(r"no debug key 'Z'; h lists them")


def test_reboot_key(talk, tiny):
    console = talk(tiny("linger"))
    console.expect(r"\(d0\) tiny: waiting")
    console.type(SWITCH + "R")
    console.expect(r"Rebooting: asked for on the console")
    assert console.status()[1] == "guest-reset"


def test_command_line(talk, tiny, config):
    console = talk(config("one", extra="linger"), config("two", extra="linger"), tiny())
    console.expect(r"\(d\d\) tiny: waiting")
    console.expect(r"\(d\d\) tiny: waiting")
    console.type(SWITCH + SWITCH)
    console.expect(TO_HYPERVISOR)
    console.command("help")
    console.expect(r"destroy  ID +end it at once")
    console.command("list")
    console.expect(r"ID Name +Mem\(MiB\) vCPUs  State")
    console.expect(r"1 one +32 +1  blocked")
    console.expect(r"2 two +32 +1  blocked")
    console.command("info 2")
    console.expect(r'Domain 2 "two": PV, blocked')
    console.command("infx\x7fo 2")
    console.expect(r'Domain 2 "two": PV, blocked')
    console.command("pause 2")
    console.expect(r"Domain 2 is paused")
    console.command("list")
    console.expect(r"2 two .* paused")
    console.command("console 2")
    console.expect(r"Console input goes to domain 2")
    console.type("later\n" + SWITCH)
    console.expect(TO_HYPERVISOR)
    console.command("unpause 2")
    console.expect(r'\(d2\) tiny: read "later"')
    console.command("unpause 2")
    console.expect(r"Domain 2 is not paused")
    console.command("destroy 2")
    console.expect(r"Domain 2 destroyed")
    console.command("info 2")
    console.expect(r"there is no domain 2")
    for text, said in (("pause", "usage: pause ID"), ("pause x", '"x" is not a domain'), ("pause 99999", "is not a domain"),
                       ("frobnicate", 'no command "frobnicate"'), ("fork 1", "domain 1 cannot be forked: only PVH guests")):
        console.command(text)
        console.expect(said)
    console.command("destroy 1")
    console.expect(r"No domain is left")
    assert console.status() == (35, None)


def test_what_is_not_here_is_counted(talk, tiny, config):
    """Numbers without a hypercall, and an operation that a hypercall has not, by the guest's own tests."""
    words = ("linger", "test only=bad-pointers.numbers linger", "test only=sched.errors,console.errors linger")
    console = talk(*(config(f"d{number}", extra=word) for number, word in enumerate(words)), tiny())
    for _ in words:
        console.expect(r"\(d\d\) tiny: waiting")
    console.to_hypervisor()
    counts = []
    for domain in range(1, 1 + len(words)):
        console.command(f"info {domain}")
        counts.append(int(console.expect(r"; (\d+) unknown hypercalls")[1]))
    usual, numbers, operations = counts
    assert (numbers - usual, operations - usual) == (14, 2), counts
    for domain in range(1, 1 + len(words)):
        console.command(f"destroy {domain}")
        console.expect(f"Domain {domain} destroyed")
    assert console.status() == (35, None)


def test_others_may_be_silenced(talk, tiny, config):
    console = talk(config("one", extra="test only=events"), tiny(), options="guest_loglvl=none")
    console.expect(r"Domain 1 shut down: poweroff")
    assert not any(line.startswith("(d1)") for line in console.lines)


def test_a_spinning_domain_does_not_lock_the_console(talk, tiny):
    console = talk(tiny("linger"), smp=1)
    console.expect(r"\(d0\) tiny: waiting")
    console.type("spin\n")
    console.expect(r'tiny: read "spin"')
    console.type(SWITCH + "q")
    console.expect(r"v0: running on CPU 0")
    console.command("pause 0")
    console.expect(r"Domain 0 is paused")
    console.command("destroy 0")
    assert console.status() == (35, None)


def test_nothing_that_is_pasted_is_lost(talk, tiny):
    """More at once than there is room for, while each line's answer takes longer than the line."""
    console = talk(tiny("linger"), smp=1)
    console.expect(r"\(d0\) tiny: waiting")
    console.to_hypervisor()
    for _ in range(20):
        console.type(":list\r" * 50)
    for _ in range(1000):
        console.expect(r"ID Name +Mem")
    console.command("destroy 0")
    assert console.status() == (35, None)
