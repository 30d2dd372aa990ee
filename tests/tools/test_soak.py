# SPDX-License-Identifier: GPL-2.0-or-later
"""A soak repeats what it did from a printed seed, and ends when it should."""

import io
import random

from tinelib import soak, soak_machines
from tinelib.ktap import FAIL, PASS, Result
from tinelib.suite_machines import Boot
from tinelib.tally import Tally


def a_soak(parts, minutes=0.0):
    return soak.Soak(Tally(io.StringIO()), minutes, parts)


def names(part, seed):
    return [name for name, _, _ in soak.PARTS[part](random.Random(f"{part} {seed}"), soak.Counters())]


def test_all_follows_from_the_seed():
    for part in ("churn", "exhaust", "selftest", "forks"):
        assert names(part, 5) == names(part, 5)
    assert len({str(names("selftest", seed)) for seed in range(10)}) == 10


def test_a_failure_tells_how_to_repeat_it():
    told = a_soak(["hog"]).told(Result("hog, 1 CPU", FAIL, "late"), "hog", 77, 1.0)
    assert told.state == FAIL and "tine test soak --part hog --seed 77 --minutes 0" in told.why


def test_one_round_whatever_the_time(monkeypatch):
    run = []
    monkeypatch.setitem(soak.PARTS, "hog", lambda rng, counters: [("hog", False, lambda: run.append(1) or [Result("x", PASS)])])
    work = a_soak(["hog"])
    work.run(1)
    assert len(run) == 1 and work.tally.count[PASS] == 1


def test_the_attack_makes_its_share_after_the_time(monkeypatch):
    def part(rng, counters):
        return [("attack", False, lambda: counters.add(soak_machines.CALLS, 1) or [Result("x", PASS)])]

    monkeypatch.setitem(soak.PARTS, "attack", part)
    monkeypatch.setattr(soak, "CALLS_AN_HOUR", 180)
    monkeypatch.setattr(soak.Soak, "over", lambda self: True)
    work = a_soak(["attack"], minutes=1.0)
    work.run(1)
    assert work.counters.count[soak_machines.CALLS] == 3


def silenced(*states):
    lines = [f"(TINE)     {number} attacker                   48     1  {state:9}     0.0" for number, state in enumerate(states, 1)]
    return Boot(None, None, [*lines, soak_machines.CLEAN, "(TINE) No domain is left: some crashed"], stuck=list(range(1, len(states) + 1)))


def test_an_attacker_in_an_endless_loop_is_its_own_end_but_not_one_that_waits():
    assert soak_machines.attackers_own_end(silenced("running"))
    assert soak_machines.attackers_own_end(silenced("waiting", "running"))
    assert not soak_machines.attackers_own_end(silenced("blocked"))
    assert not soak_machines.attackers_own_end(silenced("running", "blocked"))
    assert not soak_machines.attackers_own_end(silenced("dying"))
