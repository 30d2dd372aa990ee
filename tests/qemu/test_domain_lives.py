# SPDX-License-Identifier: GPL-2.0-or-later
"""Which domains a machine starts with, and what it does when they end."""

from dialog import SWITCH, config, free_now, free_when, talk, tiny  # noqa: F401

GOOD = (33, None)  # isa-debug-exit's
BAD = (35, None)


def test_initial_domain_gets_what_dom0_options_say(talk, tiny):
    console = talk(tiny("linger"), options="dom0_mem=64M dom0_max_vcpus=3")
    console.expect(r'Domain 0 "Domain-0": 64 MiB, 3 vCPUs')
    console.expect(r"\(d0\) tiny: .* 16384 pages, flags 0x3")
    console.expect(r"\(d0\) tiny: waiting")
    console.type("quit\n")
    console.expect(r"Domain 0 shut down: poweroff")
    assert console.status() == GOOD


def test_configured_domains_run_side_by_side(talk, tiny, config):
    console = talk(config("one", extra="test only=events,traps"), config("two", extra="test only=sched", cpu_weight=512),
                      config("three", extra="test only=gdt", memory=48, cpus="1"), tiny())
    console.expect(r'Domain 3 "three": 48 MiB, 1 vCPU$')
    status = console.status()
    text = "\n".join(console.lines)
    for domain in (1, 2, 3):
        assert f"(d{domain}) tiny: RESULT success" in text
        assert f"Domain {domain} shut down: poweroff" in text
    assert status == GOOD


def test_a_crash_is_the_machines_failure_and_takes_nobody_along(talk, tiny, config):
    console = talk(config("bad", extra="linger"), config("good", extra="test only=events"), tiny())
    console.expect_all(r"\(d1\) tiny: waiting", r"Domain 2 shut down: poweroff")
    assert any("(d2) tiny: RESULT success" in line for line in console.lines)
    console.type("crash\n")
    console.expect(r"Domain 1 shut down: crash")
    assert console.status() == BAD


def test_reboot_builds_the_domain_again(talk, tiny, config):
    console = talk(config("one", extra="linger"), tiny())
    for number in (1, 2):
        console.expect(rf"\(d{number}\) tiny: waiting")
        console.type("reboot\n")
        console.expect(rf"Domain {number} shut down: reboot")
    console.expect(r"\(d\d\) tiny: waiting")
    console.type("quit\n")
    assert console.status() == GOOD


def free_frames(console):
    console.type(SWITCH + "m")
    free = int(console.expect(r"Node 0: \d+ frames, (\d+) free")[1])
    console.type(SWITCH)
    console.expect(r"Console input goes to domain")
    return free


def test_all_memory_comes_back(talk, tiny, config):
    """More than half the machine's memory: the second life can only be built of the first one's frames."""
    console = talk(config("big", extra="linger", memory=150), tiny())
    console.expect(r"\(d1\) tiny: waiting")
    before = free_frames(console)
    for _ in range(6):
        console.type("reboot\n")
        console.expect(r"\(d\d\) tiny: waiting")
    after = free_frames(console)
    # The allocator of small objects may keep a page of each size.
    assert before - 9 <= after <= before + 9
    console.type("quit\n")
    assert console.status() == GOOD


def test_a_preserved_domain_stays_to_be_looked_at(talk, tiny, config):
    console = talk(config("one", extra="linger", on_crash="preserve"), config("two", extra="linger"), tiny())
    console.expect_all(r"\(d1\) tiny: waiting", r"\(d2\) tiny: waiting")
    console.type("crash\n")
    console.expect(r"Domain 1 shut down: crash \(preserved\)")
    console.type("\x01\x01\x01")
    console.expect(r"Console input goes to domain 2")
    console.type("\x01\x01\x01:list\r")
    console.expect(r"1 one .* crashed")
    console.command("destroy 1")
    console.type(":console 2\rquit\n")
    console.expect(r"Domain 2 shut down: poweroff")
    assert console.status() == BAD


def test_a_domain_that_neglects_its_watchdog_ends_as_configured(talk, tiny, config):
    console = talk(config("one", extra="linger", on_watchdog="restart", on_crash="preserve"), tiny())
    console.expect(r"\(d1\) tiny: waiting")
    console.type("watchdog\n")
    console.expect(r"Domain 1: its watchdog was not reset in time")
    console.expect(r"Domain 1 shut down: watchdog$")
    console.expect(r"\(d2\) tiny: waiting")
    console.type("quit\n")
    assert console.status() == GOOD


def test_bad_configurations_are_named_and_the_others_run(talk, tiny, config):
    console = talk(config("one", extra="test only=events"), config("two", memory="much"), config("three", kernel="nothing"),
                      config("four", ramdisk="nowhere"), config("five", name="one"), tiny())
    console.expect(r"two\.cfg:\d+: memory is not a number")
    console.expect(r'Domain "three": there is no module "nothing" for its kernel')
    console.expect(r'Domain "four": there is no module "nowhere" for its ramdisk')
    console.expect(r'five\.cfg: there is a domain "one" already')
    console.expect(r"\(d1\) tiny: RESULT success")
    assert console.status() == BAD


def test_nothing_to_start_ends_the_machine(talk):
    console = talk()
    console.expect(r"No boot module: there is no domain to start")
    assert console.status() == BAD


def test_more_memory_than_there_is(talk, tiny):
    console = talk(tiny("test"), options="dom0_mem=64G")
    console.expect(r"Domain 0 \"Domain-0\" was not built")
    assert console.status() == BAD


def test_memory_comes_from_the_node_of_its_cpus(talk, tiny, config):
    console = talk(config("far", extra="linger", memory=100, cpus="1"), tiny(), mem=512 << 20, numa="256M,256M")
    console.expect(r"\(d1\) tiny: waiting")
    console.type(SWITCH + "m")
    free = [int(console.expect(rf"Node {node}: \d+ frames, (\d+) free")[1]) for node in (0, 1)]
    assert free[0] - free[1] > (90 << 20) // 4096


WAITING = r"\(d(\d)\) tiny: waiting"


def end(console, domain, how):
    console.command(f"console {domain}")
    console.expect(f"input goes to domain {domain}")
    console.type(f"{how}\n")
    console.expect(rf"Domain {domain} shut down: ")


def test_each_end_has_its_own_action_and_gives_all_memory_back(talk, tiny, config):
    """Restarts where the usual action is to destroy, and the other way round; a last domain outlives them."""
    console = talk(config("one", extra="linger", on_poweroff="restart"), config("two", extra="linger", on_reboot="destroy"),
                   config("three", extra="linger", on_crash="restart"), config("last", extra="linger"), tiny())
    for _ in range(4):
        console.expect(WAITING)
    console.to_hypervisor()
    full = free_now(console)
    end(console, 1, "quit")
    one = console.expect(WAITING)[1]
    console.to_hypervisor()
    end(console, 3, "crash")
    three = console.expect(WAITING)[1]
    console.to_hypervisor()
    free_when(console, lambda free: abs(free - full) < 10)
    end(console, 2, "reboot")
    console.to_hypervisor()
    for domain in (one, three):
        console.command(f"destroy {domain}")
        console.expect(f"Domain {domain} destroyed")
    console.command("list")
    console.expect(r"4 last .* blocked")
    # 32 MiB each; what a domain costs besides is small objects and its shared page.
    free = free_when(console, lambda free: free - full >= 3 * 8192)
    assert free - full < 3 * 8192 + 100
    console.type(":console 4\rquit\n")
    console.expect("Domain 4 shut down: poweroff")
    assert console.status() == BAD
