# SPDX-License-Identifier: GPL-2.0-or-later
"""Domains from configurations, their ends, and the machine's."""

from tinelib import build
from tinelib.iso import Module

CONFIG = 'name = "{name}"\nmemory = 48\nkernel = "tiny"\nextra = "only=version"\n{more}\n'


def tiny():
    return Module(build.tiny_guest(), "tiny")


def test_two_domains_from_configurations(machine, module):
    files = [module(f"{name}.cfg", CONFIG.format(name=name, more=""), f"{name}.cfg") for name in ("one", "two")]
    outcome = machine(modules=[tiny(), *files], mem="512M")
    assert outcome.said('"one"') and outcome.said('"two"')
    assert outcome.verdict.successes == 2 and outcome.status == 0, outcome.verdict.summary
    assert outcome.said("(d1) tiny: RESULT success") and outcome.said("(d2) tiny: RESULT success")


def test_same_name_twice_is_refused(machine, module):
    files = [module(f"{name}.cfg", CONFIG.format(name="one", more=""), f"{name}.cfg") for name in ("a", "b")]
    outcome = machine(modules=[tiny(), *files], mem="512M")
    outcome.one("already")


def test_domain_larger_than_memory(machine, module):
    text = CONFIG.format(name="big", more="").replace("48", "4096")
    outcome = machine(modules=[tiny(), module("big.cfg", text, "big.cfg")])
    outcome.one("was not built")
    assert outcome.status == 1 and not outcome.verdict.panic


def test_failing_guest_fails_the_machine(machine):
    outcome = machine(guest="fail")
    assert outcome.status == 1 and outcome.said("RESULT failure")


def test_vcpus_outnumber_cpus(machine, module):
    files = [module(f"d{i}.cfg", CONFIG.format(name=f"d{i}", more=""), f"d{i}.cfg") for i in range(6)]
    outcome = machine(modules=[tiny(), *files], mem="1G", smp=2)
    assert outcome.verdict.successes == 6 and outcome.status == 0, outcome.verdict.summary


def test_guest_that_dies_of_an_exception(machine):
    outcome = machine(guest="oops")
    assert outcome.status == 1 and not outcome.verdict.panic and not outcome.verdict.hang
    assert outcome.said("RESULT failure") and outcome.said("crash")
