# SPDX-License-Identifier: GPL-2.0-or-later
"""`tine test`: suites by name, one count at the end."""

from . import soak, suite_bench, suite_hostile, suite_host, suite_machines, suite_pytest, suite_static
from .ktap import FAIL, Result
from .say import Stop
from .tally import Tally

# In this order, cheap ones first, so that a broken tree is known soon.
SUITES = {
    "static": suite_static.run,
    "tools": suite_pytest.run_tools,
    "host": suite_host.run,
    "selftest": suite_machines.run_selftests,
    "guests": suite_machines.run_guests,
    "hostile": suite_hostile.run,
    "qemu": suite_pytest.run_qemu,
    "bench": suite_bench.run,
}

HELP = """static: layering, style, format; tools: this command's own tests; host: unit tests and fuzzers;
selftest: inside the hypervisor, on several machines; guests: the tiny guest on Tine and on Xen; hostile: guests that attack;
qemu: machines driven by their console; bench: figures against their bounds; all: these; soak, alone: much of it, at random,
for as long as one likes"""


def add_arguments(parser):
    parser.add_argument("suites", nargs="*", default=["all"], choices=(*SUITES, "all", "soak"), metavar="SUITE",
                        help=HELP + " (default: all)")
    soak.add_arguments(parser)


def main(options):
    tally = Tally()
    if "soak" in options.suites:
        if len(options.suites) > 1:
            raise Stop("soak runs alone")
        return soak.main(options, tally)
    for name in SUITES:
        if name not in options.suites and "all" not in options.suites:
            continue
        tally.say(f"--- {name}")
        try:
            SUITES[name](tally)
        except Stop as stop:
            # What cannot be built or fetched fails its suite; the others still tell what they can.
            tally.add(Result(f"{name}: could not run", FAIL, str(stop)))
    return tally.finish()
