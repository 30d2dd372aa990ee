# SPDX-License-Identifier: GPL-2.0-or-later
"""`tine demo fuzz`: a Linux guest forks itself where a parser is about to be called, and tries one input after the other on the fork.

The guest does it all (tests/tine-fork/tine-fuzz.c); here it is booted, and its console is shown.
"""

import sys

from . import build, guests
from .iso import BootPlan
from .machine import Machine
from .run import TINE_OPTIONS, booted, named, watch
from .say import note
from .verdict import Verdict

SEED = 9           # finds all six in some 3,000 inputs
INPUTS = 60000
MEMORY = 1 << 30
SILENCE = 180      # seconds without a line, where there should be one a second


def add_arguments(parser):
    parser.add_argument("what", choices=("fuzz",), help="the demonstration")
    parser.add_argument("--seed", type=int, default=SEED, metavar="N", help=f"what the inputs follow from (default: {SEED})")
    parser.add_argument("--inputs", type=int, default=INPUTS, metavar="N", help=f"give up after so many (default: {INPUTS})")
    parser.add_argument("--variant", choices=build.VARIANTS, default="release", help="which build of Tine")


def main(options):
    plan = BootPlan("Tine", build.hypervisor(options.variant), TINE_OPTIONS,
                    named(guests.fuzz_modules(options.seed, options.inputs)))
    with booted(plan, Machine(mem=MEMORY), out=sys.stdout, silence=SILENCE, timeout=float("inf")) as qemu:
        verdict = watch(qemu, verdict=Verdict(guest=True))
    note(verdict.summary)
    return verdict.status
